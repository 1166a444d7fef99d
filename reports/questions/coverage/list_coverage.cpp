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

#include "reports/engine/catalog/known_names.hpp"
#include "reports/questions/coverage/cached_builds.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

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
    return {or_null(query.package),
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

/// One of the caches that a list is asked of.
class ListCache {
  public:
    ListCache(SQLite::Database& database, const Snapshot& snapshot, const SpecList& wanted)
        : share{snapshot.name},
          builds(database, snapshot.id),
          database_(database),
          snapshot_id_(snapshot.id),
          cached_(database, snapshot),
          words_(database),
          with_hash_(database, "SELECT min(spec_id) FROM hash_names WHERE name = ?"),
          lacking_(builds_that_lack_something(database, snapshot)),
          is_all_read_(wanted.not_read.empty()) {}

    CacheShare share;
    WantedBuilds builds;

    using Lacking = std::map<std::int64_t, std::string>;
    struct Judged {
        MatchingSpecs found;
        const Lacking::value_type* lacks = nullptr;  // a build that is else as wanted, if any lacks
        bool is_open = false;  // the builds are as wanted, as far as was read: they are unknown
    };

    /// The builds that are as a line wants, and lack nothing.
    Judged judge(const WantedSpec& one) {
        Judged judged{.found = builds.find(one)};
        MatchingSpecs& found = judged.found;
        for (std::vector<std::int64_t>* const specs : {&found.unknown, &found.specs}) {
            std::erase_if(*specs, [&](std::int64_t spec_id) {
                const auto lacks = lacking_.find(spec_id);
                judged.lacks = lacks == lacking_.end() ? judged.lacks : &*lacks;
                return lacks != lacking_.end();
            });
        }
        judged.is_open = !found.specs.empty() && one.is_wish && !is_all_read_;
        if (judged.is_open) {
            found.unknown.insert(found.unknown.end(), found.specs.begin(), found.specs.end());
            found.specs.clear();
        }
        return judged;
    }

    /// The build that comes nearest to a line that has none.
    std::optional<Difference> nearest(const WantedSpec& one, const Judged& judged,
                                      const std::string& requirements) {
        auto near =
            judged.lacks == nullptr ? nearest(builds.nearest_query(one)) : without(*judged.lacks);
        if (near && near->words.empty()) {
            near->words = words_of_required(one, requirements, builds.violated());
        }
        return near;
    }

  private:
    // It is all that is wanted, but lacks a dependency.
    std::optional<Difference> without(const Lacking::value_type& lacks) {
        return Difference{
            {}, words_.read(lacks.first).hash, {fmt::format("no {} to link or run", lacks.second)}};
    }

    std::optional<Difference> nearest(const SpecQuery& query) {
        if (query.package) {
            auto near = nearest_specs(database_, snapshot_id_, query, 1);
            return near.empty() ? std::nullopt : std::optional(std::move(near[0].difference));
        }
        // Of a spec of which only the hash is asked the ledger may know more.
        const auto spec_id = is_dag_hash(query.hash) ? with_hash_(query.hash).only() : std::nullopt;
        if (!spec_id) {
            return std::nullopt;
        }
        const SpecWords known = words_.read(*spec_id);
        auto near = cached_.nearest(known);
        if (near && near->words.empty()) {
            const auto words = words_of_other_builds(database_, known.hash, near->hash);
            if (!words.empty()) {
                near->words.push_back(words);
            }
        }
        return near;
    }

    SQLite::Database& database_;
    std::int64_t snapshot_id_;
    CachedBuilds cached_;
    SpecReader words_;
    Select<std::optional<std::int64_t>> with_hash_;
    Lacking lacking_;
    bool is_all_read_;
};

/// What the caches have for a line: the builds of the first that has any, else what each may have.
struct FoundLine {
    bool is_open = false;
    std::vector<std::int64_t> specs, unknown;
    std::optional<Difference> nearest;  // of a line that is missing
};

FoundLine find_line(std::deque<ListCache>& caches, const WantedSpec& one,
                    const std::string& requirements, Coverage& coverage) {
    FoundLine line;
    std::vector<ListCache::Judged> judged;
    judged.reserve(caches.size());
    for (ListCache& cache : caches) {
        const auto& [found, lacks, is_open] = judged.emplace_back(cache.judge(one));
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
            auto near = caches[i].nearest(one, judged[i], requirements);
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
    WantedBuilds& builds = caches.front().builds;
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
            coverage.undecided.rows.push_back(
                {static_cast<std::int64_t>(one.line), one.text, std::ssize(found.unknown)});
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
    ListCache cache(database, snapshot, wanted);
    const auto covered = std::ranges::count_if(
        wanted.specs, [&](const WantedSpec& one) { return !cache.judge(one).found.specs.empty(); });
    return {std::ssize(wanted.specs) + std::ssize(wanted.left_out), covered};
}

}  // namespace cacheledger
