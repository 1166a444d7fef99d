#include "ingest/rows/nodes/target_parents.hpp"

#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

bool write_target_parents(SQLite::Database& database,
                          const std::map<std::string, std::set<std::string>>& parents) {
    bool has_new = false;
    const Write insert(
        database,
        "INSERT INTO target_parent (target, parent) VALUES (?, ?) ON CONFLICT DO NOTHING");
    for (const auto& [target, below] : parents) {
        if (is_of_archspec(target)) {
            continue;
        }
        for (const std::string& parent : below) {
            insert(target, parent);
            has_new = has_new || database.getChanges() > 0;
        }
    }
    if (has_new) {  // what met a wish may be another build now
        database.exec("UPDATE wish_judgement SET nodes = -1 WHERE wish_id > 0");
    }
    return has_new;
}

}  // namespace cacheledger
