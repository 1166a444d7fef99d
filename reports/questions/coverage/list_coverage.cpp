#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reports/engine/catalog/former_specs.hpp"
#include "reports/questions/coverage/cached_builds.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/coverage/seen_before.hpp"
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

/// One of the caches that a list is asked of.
struct ListCache {
    ListCache(SQLite::Database& database, const Snapshot& snapshot, const SpecList& wanted)
        : share{snapshot.name}, lines(database, snapshot, wanted), nearest(database, snapshot) {}

    CacheShare share;
    JudgedLines lines;
    NearestOfList nearest;
};

/// What the caches have for a line: the builds of the first that has any, else what each may have.
struct FoundLine {
    bool is_open = false;
    std::vector<std::int64_t> specs, unknown;
    std::optional<Difference> nearest;  // of a line that is missing
};

std::optional<Difference> nearest_in(ListCache& cache, const WantedSpec& one,
                                     const JudgedLines::Judged& judged,
                                     const std::string& requirements) {
    WantedBuilds& builds = cache.lines.builds();
    auto near = judged.lacks == nullptr
                    ? cache.nearest.find(builds.nearest_query(one))
                    : cache.nearest.without(judged.lacks->first, judged.lacks->second);
    if (near && near->words.empty()) {
        near->words = words_of_required(one, requirements, builds.violated());
    }
    return near;
}

FoundLine find_line(std::deque<ListCache>& caches, const WantedSpec& one,
                    const std::string& requirements, Coverage& coverage) {
    FoundLine line;
    std::vector<JudgedLines::Judged> judged;
    judged.reserve(caches.size());
    for (ListCache& cache : caches) {
        const auto& [found, lacks, is_open] = judged.emplace_back(cache.lines.judge(one));
        line.is_open = line.is_open || is_open;
        line.unknown.insert(line.unknown.end(), found.unknown.begin(), found.unknown.end());
        if (found.specs.empty()) {
            continue;
        }
        ++cache.share.covered;
        if (line.specs.empty()) {
            ++cache.share.adds;
            line.specs = found.specs;
            if (caches.size() > 1) {
                coverage.there.rows.push_back(
                    {static_cast<std::int64_t>(one.line), one.text, cache.share.snapshot});
            }
        }
    }
    if (line.specs.empty() && line.unknown.empty()) {
        for (std::size_t i = 0; i < caches.size(); ++i) {
            auto near = nearest_in(caches[i], one, judged[i], requirements);
            if (near && (!line.nearest || *near < *line.nearest)) {
                line.nearest = std::move(near);
            }
        }
    }
    return line;
}

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
                    const SpecList& wanted, const std::vector<Snapshot>& then) {
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
    FormerSpecs former(database, snapshot.id);
    std::deque<ListCache> caches;
    caches.emplace_back(database, snapshot, wanted);
    for (const Snapshot& one : then) {
        caches.emplace_back(database, one, wanted);
    }
    WantedBuilds& builds = caches.front().lines.builds();
    coverage.there.columns = {"line", "spec", "snapshot"};
    coverage.external = wanted.external;
    std::int64_t not_judged = 0;
    std::set<std::string> why_not_known;
    for (const WantedSpec& one : wanted.specs) {
        const std::string requirements = words_of_requirements(one.conditions);
        const FoundLine found = find_line(caches, one, requirements, coverage);
        not_judged += found.specs.empty() && found.is_open ? 1 : 0;
        if (found.specs.empty() && !found.is_open) {
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
            auto& row = coverage.missing.rows.emplace_back(row_of(one, found.nearest));
            if (has_requirements) {
                row.push_back(requirements.empty() ? Value() : Value(requirements));
            }
            seen.add(row, one);
        }
    }
    seen.finish();
    add_left_out(coverage, wanted.left_out);
    for (ListCache& cache : caches) {
        if (!then.empty()) {
            coverage.caches.push_back(std::move(cache.share));
        }
    }
    coverage.remarks = remarks_on_mirrors(database, snapshot, then);
    seen.compare(wanted.specs);
    add_remarks(coverage, wanted, not_judged, why_not_known);
    coverage.snapshot = names_of_caches(snapshot, then);
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
