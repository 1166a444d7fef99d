#include "schema/ledger/nearest/nearest_specs.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "schema/ledger/nearest/query_difference.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// The builds of the package, the nearest first. `measure` says how far one is.
template <typename Measure>
std::vector<NearSpec> in_order(SQLite::Database& database, std::int64_t snapshot_id,
                               const std::string& package, const Measure& measure) {
    SpecReader reader(database);
    std::vector<NearSpec> near;
    for (const auto& [spec_id] : rows<std::int64_t>(
             database, "SELECT spec_id FROM present_specs WHERE snapshot_id = ? AND package = ?",
             snapshot_id, package)) {
        SpecWords spec = reader.read(spec_id);
        Difference from_wanted = measure(spec_id, spec);
        near.push_back({spec_id, std::move(spec), std::move(from_wanted)});
    }
    std::ranges::sort(near, {}, &NearSpec::difference);
    return near;
}

}  // namespace

SpecReader::SpecReader(SQLite::Database& database)
    : select_(database, R"(
        SELECT l.package, l.version, l.platform, l.os, l.target, l.compiler, l.variants, x.hash,
               r.namespace, r.package_hash, r.flags, r.patches,
               CASE r.external
                 WHEN 0 THEN 'no'
                 WHEN 1 THEN coalesce(r.external_path, r.external_modules, 'yes')
               END,
               CASE WHEN n.spec_id IS NOT NULL THEN ifnull(n.build_hash, 'no') END
        FROM spec x
        CROSS JOIN looks l USING (look_id)
        LEFT JOIN node n ON n.spec_id = x.spec_id
        LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
        WHERE x.spec_id = ?)") {}

SpecWords SpecReader::read(std::int64_t spec_id) {
    return std::apply([](auto&&... words) { return SpecWords{std::move(words)...}; },
                      select_(spec_id).only());
}

std::vector<NearSpec> nearest_specs(SQLite::Database& database, std::int64_t snapshot_id,
                                    const SpecQuery& wanted, std::size_t most) {
    if (!wanted.package) {
        return {};
    }
    QueryDifference from_query(database, wanted);
    auto near = in_order(database, snapshot_id, *wanted.package,
                         [&](std::int64_t spec_id, const SpecWords& spec) {
                             return from_query.measure(spec_id, spec);
                         });
    near.resize(std::min(near.size(), most));
    for (NearSpec& one : near) {
        one.difference = from_query.explain(one.spec_id, one.spec);
    }
    return near;
}

std::vector<NearSpec> nearest_specs(SQLite::Database& database, std::int64_t snapshot_id,
                                    const SpecWords& wanted, std::size_t most) {
    auto near =
        in_order(database, snapshot_id, wanted.package,
                 [&](std::int64_t, const SpecWords& spec) { return difference(wanted, spec); });
    std::erase_if(near, [&](const NearSpec& one) { return one.spec.hash == wanted.hash; });
    near.resize(std::min(near.size(), most));
    return near;
}

}  // namespace cacheledger
