#include "ingest/graph_snapshots/build_hashes.hpp"

#include <SQLiteCpp/Statement.h>

#include <string>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

bool write_build_hashes(SQLite::Database& database, const GraphInput& input,
                        const std::vector<KnownSpec>& specs) {
    SQLite::Statement insert(database,
                             "INSERT INTO spec_build_hash (build_hash, spec_id) VALUES (?, ?) "
                             "ON CONFLICT DO NOTHING");
    bool has_new = false;
    for (const GraphSource& source : input.files) {
        for (const BuildHash& one : source.file.build_hashes) {
            const std::int64_t spec_id = specs[one.node].spec_id;
            if (spec_id != 0) {
                run(insert, std::string(text_of(one.hash)), spec_id);
                has_new = has_new || database.getChanges() > 0;
            }
        }
    }
    return has_new;
}

}  // namespace cacheledger
