#include "ingest/rows/earlier/checked_series.hpp"

#include <SQLiteCpp/Statement.h>

#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

void record_check(WriteTransaction& transaction, SQLite::Database& database,
                  const std::set<std::string>& tags, Moment at) {
    transaction.write_aside([&] {
        SQLite::Statement update(database,
                                 "UPDATE series SET checked_at = ?1 WHERE name = ?2 AND "
                                 "(checked_at IS NULL OR checked_at < ?1)");
        for (const std::string& tag : tags) {
            run(update, at, series_of_tag(tag));
        }
    });
}

}  // namespace cacheledger
