#include "schema/ledger/search/build_hash.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include "schema/ledger/search/look_answers.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

std::vector<std::string> about_build_hash(SQLite::Database& database, const SpecQuery& query) {
    std::vector<std::string> lines;
    if (query.hash.empty()) {
        return lines;
    }
    constexpr int most = 5;
    SQLite::Statement select(database,
                             "SELECT DISTINCT b.build_hash, x.hash FROM spec_build_hash b "
                             "CROSS JOIN spec x USING (spec_id) "
                             "WHERE b.build_hash >= ? AND b.build_hash < ? ORDER BY 1, 2 LIMIT ?");
    rebind(select, query.hash, end_of_hashes(query.hash), most);
    while (select.executeStep()) {
        lines.push_back(
            fmt::format("/{} is a build hash of a lock file; the DAG hash of this spec is /{}.",
                        select.getColumn(0).getString(), select.getColumn(1).getString()));
    }
    return lines;
}

}  // namespace cacheledger
