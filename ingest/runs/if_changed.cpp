#include "ingest/runs/if_changed.hpp"

#include <SQLiteCpp/Statement.h>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

std::optional<std::int64_t> same_snapshot_before(SQLite::Database& database,
                                                 std::int64_t snapshot_id) {
    SQLite::Statement select(
        database,
        "SELECT o.snapshot_id FROM snapshot s JOIN snapshot o USING (series_id) "
        "WHERE s.snapshot_id = ?1 AND o.tag = s.tag AND o.observes_all = s.observes_all AND o.kind "
        "= s.kind "
        "AND o.taken_at = (SELECT max(b.taken_at) FROM snapshot b "
        "                  WHERE b.series_id = s.series_id AND b.taken_at < s.taken_at) "
        "AND NOT EXISTS (SELECT 1 FROM page_presence g WHERE g.series_id = s.series_id "
        "                AND s.taken_at IN (g.valid_from, g.valid_to)) "
        "AND NOT EXISTS (SELECT 1 FROM presence p WHERE p.series_id = s.series_id "
        "                AND s.taken_at IN (p.valid_from, p.valid_to)) "
        "AND NOT EXISTS (SELECT 1 FROM finding f "
        "                WHERE f.snapshot_id IN (s.snapshot_id, o.snapshot_id)) "
        "AND NOT EXISTS (SELECT 1 FROM observation_exception e "
        "                WHERE e.snapshot_id IN (s.snapshot_id, o.snapshot_id) "
        "                GROUP BY e.package_id HAVING count(*) = 1)");
    rebind(select, snapshot_id);
    return select.executeStep() ? std::optional(select.getColumn(0).getInt64()) : std::nullopt;
}

}  // namespace cacheledger
