#include "ingest/meta.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ingest/compiler.hpp"
#include "ingest/json.hpp"

namespace cacheledger {

namespace {

using Texts = std::set<std::string>;

constexpr std::size_t longest_list = 20;

struct Recount {
    Texts versions, compilers, oss, platforms, targets, stacks;
    std::map<std::string, std::int64_t> num_specs_by_stack;
    bool stacks_known = true;
};

// Entries share their values, so that counting by address first leaves little to compare as text,
// which had been an eighth of the time of an ingest.
template <typename Value>
using CountByAddress = std::unordered_map<const Value*, std::int64_t>;

Recount recount(const Page& page) {
    std::unordered_set<std::string_view> versions;
    CountByAddress<Compiler> compilers;
    CountByAddress<Arch> archs;
    CountByAddress<StackSet> stack_sets;
    for (const SpecEntry& spec : page.specs) {
        versions.insert(spec.version);
        ++compilers[spec.compiler.get()];
        ++archs[spec.arch.get()];
        ++stack_sets[spec.stacks.get()];
    }
    Recount count;
    count.versions.insert(versions.begin(), versions.end());
    for (const auto& [compiler, specs] : compilers) {
        count.compilers.insert(compiler != nullptr ? compiler->spec : "none");
    }
    for (const auto& [arch, specs] : archs) {
        count.oss.insert(arch->os);
        count.platforms.insert(arch->platform);
        count.targets.insert(arch->target);
    }
    for (const auto& [set, specs] : stack_sets) {
        if (set == nullptr) {
            count.stacks_known = false;
            continue;
        }
        for (const std::string& stack : set->stacks) {
            count.stacks.insert(stack);
            count.num_specs_by_stack[stack] += specs;
        }
    }
    return count;
}

std::string compiler_spec(std::string_view printed) {
    const auto compiler = parse_compiler(printed);
    return compiler ? compiler->spec : "none";
}

Texts without(const Texts& all, const Texts& others) {
    Texts rest;
    for (const std::string& text : all) {
        if (!others.contains(text) && rest.size() < longest_list) {
            rest.insert(text);
        }
    }
    return rest;
}

void report(Page& page, std::string_view key, std::string_view difference) {
    page.findings.push_back({"meta-mismatch", fmt::format("{}: {}", key, difference)});
}

void compare(Page& page, std::string_view key, const Texts& said, const Texts& counted) {
    const Texts extra = without(said, counted);
    const Texts missing = without(counted, said);
    if (!extra.empty()) {
        report(page, key, fmt::format("meta has {}, no spec does", fmt::join(extra, ", ")));
    }
    if (!missing.empty()) {
        report(page, key, fmt::format("specs have {}, meta does not", fmt::join(missing, ", ")));
    }
}

void compare_count(Page& page, std::string_view key, std::int64_t said, std::int64_t counted) {
    if (said != counted) {
        report(page, key, fmt::format("meta says {}, spec_details has {}", said, counted));
    }
}

std::int64_t number(const json::element& value, const std::string& where) {
    std::int64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS) {
        json::refuse(where, "a whole number", value);
    }
    return number;
}

void compare_stack_counts(Page& page, const json::element& value, const Recount& count) {
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) {
        json::refuse("meta.num_specs_by_stack", "an object", value);
    }
    Texts said;
    for (const auto [stack, specs] : object) {
        said.emplace(stack);
        const auto counted = count.num_specs_by_stack.find(std::string(stack));
        compare_count(page, fmt::format("num_specs_by_stack.{}", stack),
                      number(specs, "meta.num_specs_by_stack"),
                      counted == count.num_specs_by_stack.end() ? 0 : counted->second);
    }
    for (const auto& [stack, specs] : count.num_specs_by_stack) {
        if (!said.contains(stack)) {
            report(page, fmt::format("num_specs_by_stack.{}", stack),
                   fmt::format("not in meta, spec_details has {}", specs));
        }
    }
}

}  // namespace

struct MetaReader::State {
    simdjson::dom::parser parser;
    std::vector<std::string_view> texts;  // kept for its memory
};

MetaReader::MetaReader() : state_(std::make_unique<State>()) {}
MetaReader::~MetaReader() = default;

void MetaReader::check(std::string_view json, Page& page) {
    const json::element root = json::parse(state_->parser, json);
    simdjson::dom::object meta;
    if (root.get(meta) != simdjson::SUCCESS) {
        json::refuse("meta", "an object", root);
    }
    const Recount count = recount(page);
    const std::map<std::string_view, const Texts*> lists = {
        {"versions", &count.versions}, {"compilers", &count.compilers},
        {"oss", &count.oss},           {"platforms", &count.platforms},
        {"targets", &count.targets},   {"stacks", &count.stacks}};
    for (const auto [key, value] : meta) {
        const std::string where = fmt::format("meta.{}", key);
        if (!count.stacks_known && (key == "stacks" || key == "num_specs_by_stack")) {
            continue;  // nothing to compare them with
        }
        if (const auto list = lists.find(key); list != lists.end()) {
            json::texts(value, where, state_->texts);
            Texts said;
            for (const std::string_view text : state_->texts) {
                said.insert(key == "compilers" ? compiler_spec(text) : std::string(text));
            }
            if (key == "compilers") {
                // "none" is no compiler, and generations differ in whether they list it.
                said.erase("none");
                Texts compilers = count.compilers;
                compilers.erase("none");
                compare(page, key, said, compilers);
            } else {
                compare(page, key, said, *list->second);
            }
        } else if (key == "num_specs") {
            compare_count(page, key, number(value, where),
                          static_cast<std::int64_t>(page.specs.size()));
        } else if (key == "num_specs_by_stack") {
            compare_stack_counts(page, value, count);
        } else {
            page.findings.push_back({"unknown-field", where + " is not known and not stored"});
        }
    }
}

}  // namespace cacheledger
