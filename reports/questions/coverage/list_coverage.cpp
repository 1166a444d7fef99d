#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reports/engine/catalog/former_specs.hpp"
#include "reports/questions/coverage/cached_builds.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/coverage/seen_before.hpp"
#include "schema/ledger/nearest/dependency_words.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

/// Finds the nearest builds of what a list asks for.
class NearestOfList {
  public:
    NearestOfList(SQLite::Database& database, const Snapshot& snapshot)
        : database_(database),
          snapshot_id_(snapshot.id),
          cache_(database, snapshot),
          words_(database),
          with_hash_(database, "SELECT min(spec_id) FROM hash_names WHERE name = ?") {}

    std::optional<Difference> find(const SpecQuery& query) {
        if (!query.package) {
            const auto known = words_of_hash(query.hash);
            return known ? nearest_of_known(*known) : std::nullopt;
        }
        auto near = nearest_specs(database_, snapshot_id_, query, 1);
        return near.empty() ? std::nullopt : std::optional(std::move(near[0].difference));
    }

    /// A build that is all that is wanted, but lacks a dependency.
    Difference without(std::int64_t spec_id, const std::string& dependency) {
        return {{}, words_.read(spec_id).hash, {fmt::format("no {} to link or run", dependency)}};
    }

  private:
    std::optional<Difference> nearest_of_known(const SpecWords& known) {
        auto nearest = cache_.nearest(known);
        if (nearest && nearest->words.empty()) {
            const auto words = words_of_other_builds(database_, known.hash, nearest->hash);
            if (!words.empty()) {
                nearest->words.push_back(words);
            }
        }
        return nearest;
    }

    // What the ledger knows of a spec of which only the hash is asked.
    std::optional<SpecWords> words_of_hash(const std::string& hash) {
        if (!is_dag_hash(hash)) {
            return std::nullopt;
        }
        const auto spec_id = with_hash_(hash).only();
        return spec_id ? std::optional(words_.read(*spec_id)) : std::nullopt;
    }

    SQLite::Database& database_;
    std::int64_t snapshot_id_;
    CachedBuilds cache_;
    SpecReader words_;
    Select<std::optional<std::int64_t>> with_hash_;
};

bool requires_something(const WantedSpec& one) {
    return std::ranges::any_of(
        one.conditions, [](const WishCondition& condition) { return !condition.is_preference; });
}

// Of a build that is all that the spec says, and not what `packages` requires.
std::vector<std::string> words_of_required(const WantedSpec& one, const std::string& requirements,
                                           const std::set<std::string>& violated) {
    std::vector<std::string> words;
    words.reserve(violated.size());
    for (const std::string& name : violated) {
        words.push_back(fmt::format("required of {}: {}", name,
                                    words_of_requirements(one.of_dependencies->at(name))));
    }
    if (words.empty() && !requirements.empty()) {
        words.push_back("required: " + requirements);
    }
    return words;
}

std::vector<Value> row_of(const WantedSpec& one, const std::optional<Difference>& nearest) {
    const SpecQuery& query = one.query;
    return {query.package ? Value(*query.package) : Value(),
            query.hash.empty() ? Value() : Value(query.hash),
            query.version.allows_all() ? Value() : Value(query.version.text()),
            Value(),
            Value(),
            Value(),
            nearest ? Value(nearest->hash) : Value(),
            nearest ? Value(fmt::format("{}", fmt::join(nearest->words, "; "))) : Value(),
            static_cast<std::int64_t>(one.line),
            one.text};
}

using Lacking = std::map<std::int64_t, std::string>;

// Takes out the builds that lack something. Gives one that is else as wanted.
Lacking::const_iterator take_out(MatchingSpecs& found, const Lacking& lacking) {
    auto one = lacking.end();
    for (std::vector<std::int64_t>* const specs : {&found.unknown, &found.specs}) {
        std::erase_if(*specs, [&](std::int64_t spec_id) {
            const auto lacks = lacking.find(spec_id);
            one = lacks == lacking.end() ? one : lacks;
            return lacks != lacking.end();
        });
    }
    return one;
}

/// Finds the builds of a snapshot that are as a line wants, and lack nothing.
class JudgedLines {
  public:
    JudgedLines(SQLite::Database& database, const Snapshot& snapshot, const SpecList& wanted)
        : builds_(database, snapshot.id),
          lacking_(builds_that_lack_something(database, snapshot)),
          is_all_read_(wanted.not_read.empty()) {}

    struct Judged {
        MatchingSpecs found;
        const Lacking::value_type* lacks = nullptr;  // a build that is else as wanted, if any lacks
        bool is_open = false;  // the builds are as wanted, as far as was read: they are unknown
    };
    Judged judge(const WantedSpec& one) {
        Judged judged{.found = builds_.find(one)};
        MatchingSpecs& found = judged.found;
        const auto lacks = take_out(found, lacking_);
        judged.lacks = lacks == lacking_.end() ? nullptr : &*lacks;
        judged.is_open = !found.specs.empty() && one.is_wish && !is_all_read_;
        if (judged.is_open) {
            found.unknown.insert(found.unknown.end(), found.specs.begin(), found.specs.end());
            found.specs.clear();
        }
        return judged;
    }

    WantedBuilds& builds() { return builds_; }

  private:
    WantedBuilds builds_;
    Lacking lacking_;
    bool is_all_read_;
};

// What can't be read is wanted, too: a gate must not pass because of it.
void add_left_out(Coverage& coverage, const std::vector<WishFinding>& left_out) {
    for (const WishFinding& entry : left_out) {
        ++coverage.runtime.specs;
        coverage.undecided.rows.push_back(
            {static_cast<std::int64_t>(entry.line), entry.detail, Value()});
    }
}

// `not_judged`: the builds of so many are as wanted, as far as was read.
void add_remarks(Coverage& coverage, const SpecList& wanted, std::int64_t not_judged,
                 const std::set<std::string>& why_not_known) {
    if (auto remark = remark_on_external(coverage.external)) {
        coverage.remarks.push_back(*std::move(remark));
    }
    const auto may_be_there =
        std::ssize(coverage.undecided.rows) - std::ssize(wanted.left_out) - not_judged;
    coverage.not_read = wanted.not_read;
    if (not_judged > 0) {
        coverage.not_read += " It may require more, so that no spec is surely there.";
    }
    if (!coverage.not_read.empty()) {
        coverage.remarks.push_back(coverage.not_read);
    }
    if (may_be_there > 0) {
        coverage.remarks.push_back(fmt::format("{} there: {}.",
                                               counted(may_be_there, "line may be", "lines may be"),
                                               fmt::join(why_not_known, "; ")));
    }
    const std::string left_out = wanted.words_of_left_out();
    if (!left_out.empty() && left_out != wanted.not_read) {
        coverage.remarks.push_back(left_out);
    }
}

}  // namespace

Coverage cover_list(SQLite::Database& database, const Snapshot& snapshot, const std::string& name,
                    const SpecList& wanted) {
    Coverage coverage;
    coverage.wanted = name;
    coverage.snapshot = snapshot.name;
    coverage.missing.columns = {"package",    "hash",    "version", "runtime", "frontier",
                                "dependents", "nearest", "differs", "line",    "spec"};
    const bool has_requirements = std::ranges::any_of(wanted.specs, requires_something);
    if (has_requirements) {
        coverage.missing.columns.emplace_back("requires");
    }
    coverage.undecided.columns = {"line", "spec", "builds"};
    SeenBefore seen(database, coverage);
    NearestOfList nearest(database, snapshot);
    FormerSpecs former(database, snapshot.id);
    JudgedLines lines(database, snapshot, wanted);
    WantedBuilds& builds = lines.builds();
    coverage.external = wanted.external;
    std::int64_t not_judged = 0;
    std::set<std::string> why_not_known;
    for (const WantedSpec& one : wanted.specs) {
        const auto [found, lacks, is_open] = lines.judge(one);
        not_judged += is_open ? 1 : 0;
        if (found.specs.empty() && !is_open) {
            why_not_known.merge(why_unknown(database, builds.nearest_query(one), found.unknown));
        }
        ++coverage.runtime.specs;
        if (!found.specs.empty()) {
            ++coverage.runtime.covered;
        } else if (!found.unknown.empty()) {
            coverage.undecided.rows.push_back({static_cast<std::int64_t>(one.line), one.text,
                                               static_cast<std::int64_t>(found.unknown.size())});
        } else {
            former.ask(one.text, one.query, fmt::format("'{}'", one.text));
            auto near = lacks == nullptr ? nearest.find(builds.nearest_query(one))
                                         : nearest.without(lacks->first, lacks->second);
            const std::string requirements = words_of_requirements(one.conditions);
            if (near && near->words.empty()) {
                near->words = words_of_required(one, requirements, builds.violated());
            }
            auto& row = coverage.missing.rows.emplace_back(row_of(one, near));
            if (has_requirements) {
                row.push_back(requirements.empty() ? Value() : Value(requirements));
            }
            seen.add(row, one);
        }
    }
    seen.finish();
    add_left_out(coverage, wanted.left_out);
    coverage.remarks = remarks_on_mirrors(database, snapshot);
    seen.compare(wanted.specs);
    add_remarks(coverage, wanted, not_judged, why_not_known);
    coverage.former = former.remark();
    if (coverage.former) {
        coverage.remarks.push_back(*coverage.former);
    }
    return coverage;
}

CoverageCount count_list(SQLite::Database& database, const Snapshot& snapshot,
                         const SpecList& wanted) {
    JudgedLines lines(database, snapshot, wanted);
    const auto covered = std::ranges::count_if(
        wanted.specs, [&](const WantedSpec& one) { return !lines.judge(one).found.specs.empty(); });
    return {std::ssize(wanted.specs) + std::ssize(wanted.left_out), covered};
}

}  // namespace cacheledger
