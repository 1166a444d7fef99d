#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/text/progress.hpp"

/// Makes the file of a ledger from what was published of it, and brings it up to date later, as
/// `git clone` and `git fetch` do. Everything is read in one transaction of the server, which only
/// reads tables that publish --grant lets a role read, and no view, which would run functions of
/// its owner: a standby will do. All throw what PostgresConnection and require_plain_table() throw,
/// and SQLite::Exception.
namespace cacheledger {

struct PullResult {
    enum class Way {
        nothing,   ///< the file has all that the server has
        whole,     ///< all rows, into a new file
        changes,   ///< what the server kept of each publish since
        compared,  ///< the rows that differ, after all were compared
    };

    Way way = Way::nothing;
    std::int64_t rows = 0;  ///< that were written or removed
};

/// Begins the transaction, and says what is published. Throws UsageError if there is no such
/// ledger, and DatabaseError if it has another schema version than this program's.
PublishedRow begin_pull(PostgresConnection& connection, const PublishedName& name);

/// Fills a new file. It is not safe against a crash until it is whole.
PullResult pull_whole(PostgresConnection& connection, const PublishedName& name,
                      const PublishedRow& published, const std::filesystem::path& file,
                      const Progress& progress = no_progress);

/// Whether the file has all that is published. It only reads, and little: most questions find that
/// nothing changed.
bool is_up_to_date(PostgresConnection& connection, const PublishedName& name,
                   const PublishedRow& published, SQLite::Database& file);

enum class FileOwner {
    user,     ///< who may have written to it
    program,  ///< a copy, which becomes whatever is published
};

/// Brings the file to the published state, in one transaction. Throws DatabaseError if a user's
/// file is another ledger, or is in a state that was never published: it was written to since.
PullResult pull_changes(PostgresConnection& connection, const PublishedName& name,
                        const PublishedRow& published, SQLite::Database& file, FileOwner owner,
                        const Progress& progress = no_progress);

}  // namespace cacheledger
