#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "ingest/snapshots/forget.hpp"
#include "schema/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_fixture.hpp"

using namespace cacheledger;

namespace {

using Hashes = std::set<std::string>;
using StackNames = std::set<std::string>;
using State = std::map<std::string, StackNames>;  // stacks by hash
using Rows = std::map<std::string, std::vector<std::string>>;

/// The specs that there are. What is true of each follows from its number.
constexpr int most_specs = 10;

std::string hash_number(int number) {
    return hash_of(std::string("h") + static_cast<char>('a' + number));
}
int number_of(const std::string& hash) {
    return hash[1] - 'a';
}
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
/// Pages of these print no compiler.
bool lacks_compiler(const std::string& hash) {
    return number_of(hash) % 3 == 0;
}

/// How much a source says of a spec.
struct Said {
    bool node = false;
    bool virtuals = false;
    bool package_hash = false;
    bool compiler = false;

    void fill(const Said& other) {
        node = node || other.node;
        virtuals = virtuals || other.virtuals;
        package_hash = package_hash || other.package_hash;
        compiler = compiler || other.compiler;
    }
};

/// What one snapshot is made from.
struct Given {
    std::string kind = "index";
    int day = 1;
    std::map<std::string, Said> specs;  // by hash
    std::map<std::string, Hashes> labels;
    StackNames unread;
    std::vector<std::pair<std::string, std::string>> roots;
    State pages;

    std::string tag() const { return kind == "lock" ? "casper" : "develop"; }
    std::string moment() const { return fmt::format("2025-03-{:02}", day); }
    std::string name() const { return fmt::format("{}@{}T00:00:00Z", tag(), moment()); }
};

class RandomSources {
  public:
    explicit RandomSources(unsigned seed) : random_(seed) {}

    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
    bool maybe() { return below(2) == 0; }
    std::mt19937& random() { return random_; }

    Given any(int day) {
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

  private:
    void add(Given& source, const std::string& hash) {
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

    std::mt19937 random_;
};

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
            file.kind = GraphKind::lock;
            file.roots = source.roots;
        }
        input.files.push_back(file);
    }
    if (input.files.empty()) {
        input.files.push_back({"", {}, GraphKind::lock});
    }
    for (const std::string& label : source.unread) {
        input.unread.push_back({label});
    }
    GraphRunOptions options;
    options.keep_going = true;
    options.replace = replace;
    take_graph(ledger, source.moment(), input, options);
}

std::string text_of_roots(const Given& source) {
    auto roots = source.roots;
    std::sort(roots.begin(), roots.end());
    return fmt::format("{}", roots);
}

/// What a ledger should have, found by looking at all sources again.
class Model {
  public:
    void put(const Given& source) {
        sources_[source.name()] = source;
        // Who is neither there nor needed by one who is does not count.
        Hashes told;
        for (const auto& [hash, stacks] : own_state(source)) {
            tell(source, hash, told);
        }
    }

    void erase(const std::string& name) {
        sources_.erase(name);
        Hashes reached;
        for (const auto& [tag_and_name, state] : states()) {
            for (const auto& [hash, stacks] : state) {
                reach(hash, reached);
            }
        }
        std::erase_if(known_, [&](const auto& spec) { return !reached.contains(spec.first); });
    }

    const std::map<std::string, Given>& sources() const { return sources_; }

    Rows rows() const {
        Rows rows;
        for (const auto& [name, state] : states()) {
            rows["snapshots"].push_back(
                fmt::format("{}|{}|{}", name, state.size(), sources_.at(name).kind));
            for (const auto& [hash, stacks] : state) {
                const Said& said = known_.at(hash);
                rows["specs"].push_back(
                    fmt::format("{}|{}|{}|{}|1.0|{}|{}|{}", name, package_of(hash), hash,
                                fmt::join(stacks, ","), said.compiler ? "gcc@13.2.0" : "NULL",
                                said.package_hash ? "recipe" : "NULL", said.node ? 1 : 0));
            }
            for (const auto& [text, hash] : sources_.at(name).roots) {
                rows["roots"].push_back(fmt::format("{}|{}|{}", name, text, hash));
            }
        }
        for (const auto& [hash, said] : known_) {
            for (const std::string& child :
                 said.node ? children_of(hash) : std::vector<std::string>()) {
                rows["dependencies"].push_back(
                    fmt::format("{}|{}|link|{}", hash, child, said.virtuals ? "c" : "NULL"));
            }
        }
        for (auto& [name, lines] : rows) {
            std::sort(lines.begin(), lines.end());
        }
        return rows;
    }

  private:
    void tell(const Given& source, const std::string& hash, Hashes& told) {
        if (!told.insert(hash).second) {
            return;
        }
        Said& known = known_[hash];
        const auto said = source.specs.find(hash);
        if (said == source.specs.end()) {
            return;
        }
        known.fill(said->second);
        if (said->second.node) {
            for (const std::string& child : children_of(hash)) {
                tell(source, child, told);
            }
        }
    }

    static State own_state(const Given& source) {
        if (source.kind != "lock") {
            return state_after({}, source);
        }
        State state;
        for (const std::string& hash :
             source.labels.contains("") ? source.labels.at("") : Hashes()) {
            state[hash];
        }
        return state;
    }

    void reach(const std::string& hash, Hashes& reached) const {
        if (reached.insert(hash).second && known_.at(hash).node) {
            for (const std::string& child : children_of(hash)) {
                reach(child, reached);
            }
        }
    }

    std::map<std::string, State> states() const {
        std::map<std::string, State> states;
        State before;
        for (const auto& [name, source] : sources_) {  // those of a tag in the order of time
            if (source.tag() == "develop") {
                before = states[name] = state_after(before, source);
            } else {
                states[name] = own_state(source);
            }
        }
        return states;
    }

    static State state_after(const State& before, const Given& source) {
        if (source.kind == "pages") {
            return source.pages;
        }
        const bool has_root = source.labels.contains("root");
        State state;
        for (const auto& [label, hashes] : source.labels) {
            for (const std::string& hash : hashes) {
                if (!has_root || source.labels.at("root").contains(hash)) {
                    state[hash].insert(label);
                }
            }
        }
        for (const auto& [hash, stacks] : before) {
            for (const std::string& label : source.unread) {
                if (stacks.contains(label) &&
                    (!has_root || source.labels.at("root").contains(hash))) {
                    state[hash].insert(label);
                }
            }
        }
        return state;
    }

    std::map<std::string, Given> sources_;  // by name
    std::map<std::string, Said> known_;     // by hash
};

Rows rows_of(TempLedger& ledger) {
    Rows rows = {
        {"snapshots", ledger.rows("SELECT name, specs, kind FROM snapshots ORDER BY 1")},
        {"specs", ledger.rows("SELECT snapshot, package, hash, stacks, version, compiler, "
                              "package_hash, knows_dependencies FROM specs ORDER BY 1, 2, 3")},
        {"roots", ledger.rows("SELECT snapshot, root, hash FROM roots ORDER BY 1, 2, 3")},
        {"dependencies", ledger.rows("SELECT hash, dependency_hash, deptypes, virtuals "
                                     "FROM dependencies ORDER BY 1, 2")},
    };
    std::erase_if(rows, [](const auto& entry) { return entry.second.empty(); });
    for (auto& [name, lines] : rows) {
        std::sort(lines.begin(), lines.end());
    }
    return rows;
}

void require_same(const Rows& actual, const Rows& expected) {
    for (const auto& [name, lines] : expected) {
        INFO(name);
        REQUIRE(actual.contains(name));
        REQUIRE(actual.at(name) == lines);
    }
    REQUIRE(actual.size() == expected.size());
}

}  // namespace

TEST_CASE("Any history of graphs and pages gives what looking back gives") {
    for (unsigned seed = 1; seed <= 25; ++seed) {
        RandomSources random(seed);
        TempLedger ledger;
        Model model;
        std::string told;
        for (int step = 0; step < 15; ++step) {
            const auto& sources = model.sources();
            if (random.below(4) == 0 && !sources.empty()) {
                const std::string name =
                    std::next(sources.begin(), random.below(static_cast<int>(sources.size())))
                        ->first;
                told += "forget " + name + "\n";
                forget(ledger.database(), name);
                model.erase(name);
            } else {
                const Given source = random.any(1 + random.below(8));
                const bool is_there = sources.contains(source.name());
                told += fmt::format("{} {} {}: {}, unread {}, roots {}\n",
                                    is_there ? "replace" : "load", source.kind, source.name(),
                                    source.kind == "pages" ? fmt::format("{}", source.pages)
                                                           : fmt::format("{}", source.labels),
                                    source.unread, text_of_roots(source));
                load(ledger, source, is_there);
                if (is_there) {
                    model.erase(source.name());
                }
                model.put(source);
            }
            INFO("seed " << seed << ":\n" << told);
            require_same(rows_of(ledger), model.rows());
            REQUIRE(find_problems(ledger.database(), 10) == std::vector<std::string>{});
        }
    }
}

TEST_CASE("The order in which graphs and pages are loaded makes no difference") {
    for (unsigned seed = 1; seed <= 15; ++seed) {
        RandomSources random(seed);
        std::vector<Given> sources;
        for (int day = 1; day <= 8; ++day) {
            sources.push_back(random.any(day));
        }
        std::map<std::string, std::vector<std::string>> first;
        for (int order = 0; order < 3; ++order) {
            TempLedger ledger;
            for (const Given& source : sources) {
                load(ledger, source, false);
            }
            auto views = ledger.views();
            views["node"] = ledger.rows(
                "SELECT hash, form, compiler_from, hash_state, hex(digest) FROM node "
                "JOIN spec USING (spec_id) ORDER BY 1");
            for (std::string& row : views["snapshots"]) {
                row = row.substr(0, row.find("/tmp/"));  // where pages lay
            }
            if (order == 0) {
                first = views;
            }
            INFO("seed " << seed << ", order " << order);
            for (const auto& [name, lines] : first) {
                INFO(name);
                REQUIRE(views.at(name) == lines);
            }
            REQUIRE(find_problems(ledger.database(), 10) == std::vector<std::string>{});
            std::shuffle(sources.begin(), sources.end(), random.random());
        }
    }
}
