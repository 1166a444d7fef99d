#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "reports/questions/coverage/cached_builds.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "schema/ledger/nearest/dependency_words.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/statement.hpp"
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
        rebind(with_hash_, hash);
        with_hash_.executeStep();
        const auto spec_id = optional_int(with_hash_, 0);
        return spec_id ? std::optional(words_.read(*spec_id)) : std::nullopt;
    }

    SQLite::Database& database_;
    std::int64_t snapshot_id_;
    CachedBuilds cache_;
    SpecReader words_;
    SQLite::Statement with_hash_;
};

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

}  // namespace

Coverage cover_list(SQLite::Database& database, const Snapshot& snapshot, const std::string& name,
                    const SpecList& wanted) {
    Coverage coverage;
    coverage.wanted = name;
    coverage.snapshot = snapshot.name;
    coverage.missing.columns = {"package",    "hash",    "version", "runtime", "frontier",
                                "dependents", "nearest", "differs", "line",    "spec"};
    coverage.undecided.columns = {"line", "spec", "builds"};
    NearestOfList nearest(database, snapshot);
    WantedBuilds builds(database, snapshot.id);
    coverage.external = wanted.external;
    for (const WantedSpec& one : wanted.specs) {
        const MatchingSpecs found = builds.find(one);
        ++coverage.runtime.specs;
        if (!found.specs.empty()) {
            ++coverage.runtime.covered;
        } else if (!found.unknown.empty()) {
            coverage.undecided.rows.push_back({static_cast<std::int64_t>(one.line), one.text,
                                               static_cast<std::int64_t>(found.unknown.size())});
        } else {
            auto near = nearest.find(builds.nearest_query(one));
            if (near && near->words.empty() && !one.conditions.empty()) {
                near->words.push_back("required: " + conditions_text(one.conditions));
            }
            coverage.missing.rows.push_back(row_of(one, near));
        }
    }
    if (auto remark = remark_on_external(coverage)) {
        coverage.remarks.push_back(*std::move(remark));
    }
    if (!coverage.undecided.rows.empty()) {
        coverage.remarks.push_back(
            fmt::format("{} there: pages do not list dependencies, flags and patches.",
                        counted(static_cast<std::int64_t>(coverage.undecided.rows.size()),
                                "line may be", "lines may be")));
    }
    return coverage;
}

}  // namespace cacheledger
