#include "reports/questions/coverage/cached_builds.hpp"

#include <algorithm>
#include <utility>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

constexpr auto cached_with_hash = R"(
    SELECT 1
    FROM spec x
    CROSS JOIN look l USING (look_id)
    CROSS JOIN present_specs p
      ON p.package_id = l.package_id
     AND p.look_id = x.look_id
     AND p.spec_id = x.spec_id
    WHERE p.snapshot_id = ? AND x.hash = ?)";

// SQLite takes spec_id from the row that has the smallest hash.
constexpr auto cached_of_package = R"(
    SELECT x.spec_id, min(x.hash)
    FROM present_specs p
    CROSS JOIN spec x USING (spec_id)
    LEFT JOIN node n ON n.spec_id = x.spec_id
    WHERE p.snapshot_id = ? AND p.package = ?
    GROUP BY x.look_id, n.recipe_id, n.build_hash)";

constexpr auto cached_forms =
    "SELECT DISTINCT n.form FROM present_specs p CROSS JOIN node n USING (spec_id) "
    "WHERE p.snapshot_id = ?";

// Of a mirror whose index lists what it has no file of, all files are known: a dependency that is
// not there and not only unlisted has none.
constexpr auto not_installable = R"(
    WITH RECURSIVE
    kind (edge_kind_id) AS MATERIALIZED (SELECT edge_kind_id FROM edge_kind WHERE is_link OR is_run),
    present (spec_id) AS MATERIALIZED (
      SELECT spec_id FROM present_specs
      WHERE snapshot_id = ?1
        AND EXISTS (SELECT 1 FROM finding WHERE snapshot_id = ?1 AND kind = 'binary-missing')),
    unlisted (hash) AS MATERIALIZED (
      SELECT substr(detail, -32) FROM finding WHERE snapshot_id = ?1 AND kind = 'binary-unlisted'),
    missing (spec_id) AS MATERIALIZED (
      SELECT DISTINCT x.spec_id
      FROM present p
      CROSS JOIN dependency d ON d.spec_id = p.spec_id
      CROSS JOIN kind USING (edge_kind_id)
      CROSS JOIN spec x ON x.spec_id = d.dependency_id
      LEFT JOIN node n ON n.spec_id = x.spec_id
      LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
      WHERE x.spec_id NOT IN (SELECT spec_id FROM present)
        AND x.hash NOT IN (SELECT hash FROM unlisted)
        AND r.external IS NOT 1
        AND NOT EXISTS (  -- a spliced one is there if the spec that was built is
          SELECT 1 FROM spec b
          WHERE b.hash = n.build_hash
            AND (b.spec_id IN (SELECT spec_id FROM present) OR b.hash IN (SELECT hash FROM unlisted)))),
    above (missing_id, spec_id) AS (
      SELECT spec_id, spec_id FROM missing
      UNION
      SELECT a.missing_id, d.spec_id
      FROM above a
      CROSS JOIN dependency d ON d.dependency_id = a.spec_id
      CROSS JOIN kind USING (edge_kind_id))
    SELECT a.spec_id, min(k.name || ifnull('@' || v.version, ''))
    FROM above a
    CROSS JOIN spec x ON x.spec_id = a.missing_id
    CROSS JOIN look l ON l.look_id = x.look_id
    CROSS JOIN package k ON k.package_id = l.package_id
    LEFT JOIN version v ON v.version_id = l.version_id
    GROUP BY a.spec_id)";

}  // namespace

CachedBuilds::CachedBuilds(SQLite::Database& database, const Snapshot& snapshot)
    : database_(database),
      snapshot_id_(snapshot.id),
      has_(database, cached_with_hash),
      builds_(database, cached_of_package),
      form_(database, "SELECT form FROM node JOIN spec USING (spec_id) WHERE hash = ?"),
      dependencies_(database,
                    "SELECT y.hash, k.name, e.since FROM spec x "
                    "CROSS JOIN dependency d ON d.spec_id = x.spec_id "
                    "CROSS JOIN edge_kinds e USING (edge_kind_id) "
                    "CROSS JOIN spec y ON y.spec_id = d.dependency_id "
                    "CROSS JOIN look l ON l.look_id = y.look_id "
                    "CROSS JOIN package k USING (package_id) WHERE x.hash = ?"),
      words_(database) {}

bool CachedBuilds::has(const std::string& hash) {
    rebind(has_, snapshot_id_, hash);
    return has_.executeStep();
}

std::optional<Difference> CachedBuilds::nearest(const SpecWords& wanted) {
    if (package_ != wanted.package) {
        read(wanted.package);
    }
    std::optional<Difference> nearest;
    for (const SpecWords& build : of_package_) {
        Difference one = difference(wanted, build);
        if (!nearest || one < *nearest) {
            nearest = std::move(one);
        }
    }
    return nearest;
}

std::optional<CachedDependencies> CachedBuilds::dependencies(const std::string& hash) {
    rebind(form_, hash);
    if (!form_.executeStep()) {
        return std::nullopt;
    }
    CachedDependencies found;
    found.form = form_.getColumn(0).getInt();
    rebind(dependencies_, hash);
    while (dependencies_.executeStep()) {
        const int since = dependencies_.getColumn(2).getInt();
        auto& one =
            found.by_hash
                .try_emplace(dependencies_.getColumn(0).getString(),
                             CachedDependencies::One{dependencies_.getColumn(1).getString(), since})
                .first->second;
        one.since = std::min(one.since, since);
    }
    return found;
}

std::set<int> CachedBuilds::forms() {
    SQLite::Statement select(database_, cached_forms);
    rebind(select, snapshot_id_);
    std::set<int> forms;
    while (select.executeStep()) {
        forms.insert(select.getColumn(0).getInt());
    }
    return forms;
}

void CachedBuilds::read(const std::string& package) {
    package_ = package;
    of_package_.clear();
    rebind(builds_, snapshot_id_, package);
    while (builds_.executeStep()) {
        of_package_.push_back(words_.read(builds_.getColumn(0).getInt64()));
    }
}

std::map<std::int64_t, std::string> builds_that_lack_something(SQLite::Database& database,
                                                               const Snapshot& snapshot) {
    SQLite::Statement select(database, not_installable);
    rebind(select, snapshot.id);
    std::map<std::int64_t, std::string> builds;
    while (select.executeStep()) {
        builds.emplace(select.getColumn(0).getInt64(), select.getColumn(1).getString());
    }
    return builds;
}

std::vector<std::string> remarks_on_mirrors(SQLite::Database& database, const Snapshot& snapshot) {
    SQLite::Statement select(
        database,
        "SELECT CASE WHEN min(path) OVER () = max(path) OVER () THEN '' ELSE path || ': ' END || "
        "detail || '.' FROM finding WHERE snapshot_id = ? AND kind = 'index-stale' "
        "ORDER BY path, detail");
    rebind(select, snapshot.id);
    std::vector<std::string> remarks;
    while (select.executeStep()) {
        remarks.push_back(select.getColumn(0).getString());
    }
    return remarks;
}

}  // namespace cacheledger
