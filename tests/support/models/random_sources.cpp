#include "tests/support/models/random_sources.hpp"

#include <fmt/format.h>

#include <optional>

namespace cacheledger::random_sources {

namespace {

std::string hash_number(int number) {
    return hash_of(std::string("h") + static_cast<char>('a' + number));
}
int number_of(const std::string& hash) {
    return hash[1] - 'a';
}

MadeNode node_of(const std::string& hash, const Said& said) {
    MadeNode node{package_of(hash), hash};
    for (const std::string& child : children_of(hash)) {
        node.edges.push_back({package_of(child), child, dep_link,
                              said.virtuals ? std::optional<std::string>("c") : std::nullopt});
    }
    if (!said.package_hash) {
        node.recipe.package_hash = std::nullopt;
    }
    node.compiler = said.compiler ? "gcc@13.2.0" : "none";
    node.text = fmt::format("{} {} {} {}", hash, said.virtuals, said.package_hash, said.compiler);
    return node;
}

}  // namespace

std::string package_of(const std::string& hash) {
    return fmt::format("p{}", number_of(hash) % 4);
}
std::vector<std::string> children_of(const std::string& hash) {
    std::vector<std::string> children;
    for (const int step : {1, 3}) {
        if (number_of(hash) >= step && (number_of(hash) + step) % 2 == 0) {
            children.push_back(hash_number(number_of(hash) - step));
        }
    }
    if (number_of(hash) >= 2) {
        children.push_back(hash_number(number_of(hash) - 2));
    }
    return children;
}
bool lacks_compiler(const std::string& hash) {
    return number_of(hash) % 3 == 0;
}

Given RandomSources::any(int day) {
    Given source;
    source.day = day;
    const int kind = below(4);
    source.kind = kind == 0 ? "pages" : kind == 1 ? "lock" : "index";
    for (int i = 0; i < most_specs; ++i) {
        if (maybe()) {
            add(source, hash_number(i));
        }
    }
    if (source.kind == "pages") {
        source.specs.clear();
        source.labels.clear();
        for (auto& [hash, stacks] : source.pages) {
            source.specs[hash].compiler = !lacks_compiler(hash);
        }
    } else if (source.kind == "index" && below(3) == 0) {
        const std::string label = maybe() ? "ml" : "root";
        source.labels.erase(label);
        source.unread.insert(label);
    }
    if (source.kind == "index" && source.labels.empty()) {
        source.labels["e4s"] = {};
    }
    return source;
}

void RandomSources::add(Given& source, const std::string& hash) {
    Said& said = source.specs[hash];
    said = {true, maybe(), maybe(), !lacks_compiler(hash) || maybe()};
    if (below(3) == 0) {
        return;  // it is only depended upon
    }
    if (source.kind == "lock") {
        source.labels[""].insert(hash);
        if (maybe()) {
            source.roots.emplace_back(maybe() ? "one" : "other", hash);
        }
        return;
    }
    for (const char* const label : {"root", "ml", "e4s"}) {
        if (maybe()) {
            source.labels[label].insert(hash);
            source.pages[hash].insert(label);
        }
    }
}

void load(TempLedger& ledger, const Given& source, bool replace) {
    if (source.kind == "pages") {
        std::map<std::string, PrintedPage> pages;
        for (const auto& [hash, stacks] : source.pages) {
            PrintedPage& page = pages[package_of(hash)];
            page.package = package_of(hash);
            page.specs.push_back({.hash = hash,
                                  .compiler = lacks_compiler(hash) ? "none" : "gcc@13.2.0",
                                  .stacks = {stacks.begin(), stacks.end()}});
        }
        std::vector<PrintedPage> all = {{"empty", {}}};
        for (const auto& [package, page] : pages) {
            all.push_back(page);
        }
        IngestOptions options;
        options.replace = replace;
        ledger.take(source.moment(), all, options);
        return;
    }
    MadeInput input;
    input.tag = source.tag();
    for (const auto& [hash, said] : source.specs) {
        input.nodes.push_back(node_of(hash, said));
    }
    for (const auto& [label, present] : source.labels) {
        MadeFile file{label, {present.begin(), present.end()}};
        if (source.kind == "lock") {
            file.kind = SourceKind::lock;
            file.roots = source.roots;
        }
        input.files.push_back(file);
    }
    if (input.files.empty()) {
        input.files.push_back({"", {}, SourceKind::lock});
    }
    for (const std::string& label : source.unread) {
        input.unread.push_back({label});
    }
    IngestOptions options;
    options.keep_going = true;
    options.replace = replace;
    take_graph(ledger, source.moment(), input, options);
}

}  // namespace cacheledger::random_sources
