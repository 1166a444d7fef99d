#include "ingest/pages/reader/page_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/front_matter/front_matter.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

using Texts = std::vector<std::string_view>;                            // sorted, each once
using Counts = std::vector<std::pair<std::string_view, std::int64_t>>;  // sorted by text

constexpr std::size_t longest_list = 20;

void sort_out(Texts& texts) {
    std::ranges::sort(texts);
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

// Adds up what is counted for the same text.
void sort_out(Counts& counts) {
    std::ranges::sort(counts);
    Counts sums;
    for (const auto& [text, count] : counts) {
        if (sums.empty() || sums.back().first != text) {
            sums.emplace_back(text, 0);
        }
        sums.back().second += count;
    }
    counts = std::move(sums);
}

struct Recount {
    Texts versions, compilers, oss, platforms, targets, stacks;
    Counts num_specs_by_stack;
    bool stacks_known = true;
};

// Counts the entries of a page by a value that they share, by its number. Counting by text took an
// eighth of the time of an ingest.
class Counter {
  public:
    // Calls `use` with each value and the number of entries that have it; with nullptr for entries
    // that have none.
    template <typename Value, typename Use>
    void count(const std::vector<SpecEntry>& specs, const Shared<Value>* SpecEntry::*member,
               Use use) {
        std::int64_t without = 0;
        std::vector<const Shared<Value>*> values;
        for (const SpecEntry& spec : specs) {
            const Shared<Value>* const value = spec.*member;
            if (value == nullptr) {
                ++without;
                continue;
            }
            if (value->number >= counts_.size()) {
                counts_.resize(value->number + 1);
            }
            if (counts_[value->number]++ == 0) {
                values.push_back(value);
            }
        }
        for (const Shared<Value>* const value : values) {
            use(value, std::exchange(counts_[value->number], 0));
        }
        if (without > 0) {
            use(nullptr, without);
        }
    }

  private:
    std::vector<std::int64_t> counts_;  // all zero between two calls
};

Recount recount(const std::vector<SpecEntry>& specs, Counter& counter) {
    Recount count;
    counter.count(specs, &SpecEntry::version, [&](const Text* version, std::int64_t) {
        count.versions.push_back(version->text);
    });
    counter.count(specs, &SpecEntry::compiler, [&](const Compiler* compiler, std::int64_t) {
        if (compiler != nullptr) {
            count.compilers.push_back(compiler->spec);
        }
    });
    counter.count(specs, &SpecEntry::arch, [&](const Arch* arch, std::int64_t) {
        count.oss.push_back(arch->os);
        count.platforms.push_back(arch->platform);
        count.targets.push_back(arch->target);
    });
    counter.count(specs, &SpecEntry::stacks, [&](const StackSet* set, std::int64_t number) {
        if (set == nullptr) {
            count.stacks_known = false;
            return;
        }
        for (const std::string& stack : set->stacks) {
            count.stacks.push_back(stack);
            count.num_specs_by_stack.emplace_back(stack, number);
        }
    });
    for (Texts* texts : {&count.versions, &count.compilers, &count.oss, &count.platforms,
                         &count.targets, &count.stacks}) {
        sort_out(*texts);
    }
    sort_out(count.num_specs_by_stack);
    return count;
}

Texts without(const Texts& all, const Texts& others) {
    Texts rest;
    std::set_difference(all.begin(), all.end(), others.begin(), others.end(),
                        std::back_inserter(rest));
    rest.resize(std::min(rest.size(), longest_list));
    return rest;
}

void report(Findings& findings, std::string_view key, std::string difference) {
    findings.add("meta-mismatch", std::string(key), std::move(difference));
}

void compare(Findings& findings, std::string_view key, const Texts& said, const Texts& counted) {
    const Texts extra = without(said, counted);
    const Texts missing = without(counted, said);
    if (!extra.empty()) {
        report(findings, key, fmt::format("meta has {}, no spec does", fmt::join(extra, ", ")));
    }
    if (!missing.empty()) {
        report(findings, key,
               fmt::format("specs have {}, meta does not", fmt::join(missing, ", ")));
    }
}

void compare_count(Findings& findings, std::string_view key, std::int64_t said,
                   std::int64_t counted) {
    if (said != counted) {
        report(findings, key, fmt::format("meta says {}, spec_details has {}", said, counted));
    }
}

std::int64_t number(const json::element& value, const std::string& where) {
    return json::as<std::int64_t>(value, where, "a whole number");
}

void compare_stack_counts(Findings& findings, const json::element& value, const Recount& count) {
    Texts said;
    for (const auto [stack, specs] :
         json::as<json::object>(value, "meta.num_specs_by_stack", "an object")) {
        said.push_back(stack);
        const auto counted = std::ranges::find_if(
            count.num_specs_by_stack,
            [stack = stack](const auto& known) { return known.first == stack; });
        const std::int64_t found = counted == count.num_specs_by_stack.end() ? 0 : counted->second;
        const std::int64_t told = number(specs, "meta.num_specs_by_stack");
        if (told != found) {
            compare_count(findings, fmt::format("num_specs_by_stack.{}", stack), told, found);
        }
    }
    sort_out(said);
    for (const auto& [stack, specs] : count.num_specs_by_stack) {
        if (!std::ranges::binary_search(said, stack)) {
            report(findings, fmt::format("num_specs_by_stack.{}", stack),
                   fmt::format("not in meta, spec_details has {}", specs));
        }
    }
}

struct List {
    std::string_view key, where;
    Texts Recount::*counted;
};

constexpr std::array<List, 6> lists = {{{"versions", "meta.versions", &Recount::versions},
                                        {"compilers", "meta.compilers", &Recount::compilers},
                                        {"oss", "meta.oss", &Recount::oss},
                                        {"platforms", "meta.platforms", &Recount::platforms},
                                        {"targets", "meta.targets", &Recount::targets},
                                        {"stacks", "meta.stacks", &Recount::stacks}}};

// Whether the text looks like a page, damaged or not.
bool looks_like_page(std::string_view text) {
    const auto has_line = [&](std::string_view start) {
        return text.starts_with(start.substr(1)) || text.find(start) != std::string_view::npos;
    };
    return opens_with_front_matter(text) || has_line("\nspec_details:") ||
           has_line("\nspec_files:");
}

// In bytes. A problem quotes the page, which can have megabytes.
constexpr std::size_t longest_problem = 400;

Problem shortened_problem(const Problem& problem) {
    Problem result = problem;
    const std::size_t before_text = problem.in_place().size() - problem.text.size();
    if (before_text < longest_problem) {
        result.text = shortened(problem.text, longest_problem - before_text);
    } else {
        result.place.clear();
        result.text = shortened(problem.in_place(), longest_problem);
    }
    return result;
}

void refuse_other_than_text(std::string_view text) {
    if (!simdjson::validate_utf8(text.data(), text.size())) {
        throw Problem("expected UTF-8 text");
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        const auto lines =
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
        throw Problem("expected text without NUL characters", static_cast<int>(lines) + 1);
    }
}

std::string package_of(const FrontMatter& front) {
    if (!front.title || front.title->empty()) {
        throw Problem("expected a 'title', the name of the package");
    }
    if (front.title->find('\0') != std::string::npos) {
        throw Problem("expected a title without NUL characters");
    }
    return *front.title;
}

void refuse_bad_tag(const FrontMatter& front) {
    if (const auto problem = tag_problem(front.tag.value_or(std::string(untagged)))) {
        throw Problem(fmt::format("{}: '{}'", *problem, *front.tag));
    }
}

BadPage bad_page(const PageText& text, const FrontMatter& front, const Problem& problem) {
    BadPage bad{shortened_problem(problem)};
    bad.problem.file = text.name;
    bad.package = front.title;
    bad.tag = front.before_tags ? std::string(untagged) : front.tag;
    if (bad.tag && tag_problem(*bad.tag)) {
        bad.tag.reset();
    }
    return bad;
}

}  // namespace

struct MetaReader::State {
    simdjson::dom::parser parser;
    SharedValues values;
    Counter counter;
    Texts texts;  // kept for its memory

    // The canonical spellings, without "none": that is no compiler, and generations differ in
    // whether they list it.
    void spell_compilers() {
        Texts spelled;
        for (const std::string_view text : texts) {
            if (const Compiler* const compiler = values.compiler(text)) {
                spelled.push_back(compiler->spec);
            }
        }
        texts = std::move(spelled);
    }
};

MetaReader::MetaReader() : state_(std::make_unique<State>()) {}
MetaReader::~MetaReader() = default;

Findings MetaReader::check(std::string_view json, const std::vector<SpecEntry>& specs) {
    Findings findings;
    const auto meta =
        json::as<json::object>(json::parse(state_->parser, json), "meta", "an object");
    const Recount count = recount(specs, state_->counter);
    Texts& texts = state_->texts;
    for (const auto [key, value] : meta) {
        if (!count.stacks_known && (key == "stacks" || key == "num_specs_by_stack")) {
            continue;  // nothing to compare them with
        }
        const auto* const list = std::ranges::find_if(
            lists, [key = key](const List& known) { return known.key == key; });
        if (list != lists.end()) {
            json::texts(value, list->where, texts);
            if (key == "compilers") {
                state_->spell_compilers();
            }
            sort_out(texts);
            compare(findings, key, texts, count.*(list->counted));
        } else if (key == "num_specs") {
            compare_count(findings, key, number(value, "meta.num_specs"),
                          static_cast<std::int64_t>(specs.size()));
        } else if (key == "num_specs_by_stack") {
            compare_stack_counts(findings, value, count);
        } else {
            findings.add("unknown-field", "",
                         fmt::format("meta.{} is not known and not stored", key));
        }
    }
    return findings;
}

Content PageReader::read(const PageText& text) {
    if (!text.must_be_page && !looks_like_page(text.text)) {
        return NoPage{};
    }
    FrontMatter front;
    try {
        refuse_other_than_text(text.text);
        front = read_front_matter(text.text);
        if (front.is_page) {
            return read_page(front, text);
        }
    } catch (const Problem& problem) {
        return bad_page(text, front, problem);
    }
    if (text.must_be_page) {
        return bad_page(text, {}, Problem("expected a package page, with 'spec_details'"));
    }
    return NoPage{};
}

Page PageReader::read_page(const FrontMatter& front, const PageText& text) {
    const std::string package = package_of(front);
    refuse_bad_tag(front);
    Findings findings;
    for (const PageFinding& finding : front.findings) {
        findings.add(finding);
    }
    Digest digest = text.digest;
    PageSpecs specs;
    // If a page has both, spec_details has more: the stacks.
    if (front.spec_details) {
        specs = at_line(front.spec_details->line,
                        [&] { return spec_details_.read(front.spec_details->text, package); });
        check_lists(front, package, specs);
    } else if (front.spec_files) {
        auto read = spec_files_.read(front, package, text.read_beside);
        read.files.push_back({std::filesystem::path(text.name).filename().string(), text.digest});
        digest = tree_id(std::move(read.files));
        specs = std::move(read.specs);
    } else {
        throw Problem("expected 'spec_details' or 'spec_files'");
    }
    findings.add(std::move(specs.findings));
    if (front.meta) {
        findings.add(at_line(front.meta->line,
                             [&] { return meta_.check(front.meta->text, specs.entries); }));
    } else {
        findings.add("meta-missing", "", "the page has no 'meta'");
    }
    if (!front.tag && !front.before_tags) {
        throw Problem("expected 'categories: [package, TAG]'");
    }
    const std::size_t num_specs = specs.entries.size();
    return {{digest, package, front.tag, num_specs},
            std::move(specs.entries),
            findings.all(),
            std::move(specs.values)};
}

}  // namespace cacheledger
