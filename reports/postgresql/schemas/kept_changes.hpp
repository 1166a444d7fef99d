#pragma once

#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/table_difference.hpp"
#include "reports/postgresql/schemas/published_name.hpp"

/// What the last publishes of a ledger changed. The server keeps it, so that a copy of an earlier
/// state can fetch that and no more. Two tables of "NAME tables":
///
/// - publication: a row for each publish that made a new state, for ever. `rows`: how many it
///   changed; NULL if that is not kept, or not any more. With numbers up to 0, states that
///   the ledger was in before.
/// - publication_change: the changes of one publication and one table, as lines of COPY. old_keys:
///   of the rows that were deleted or replaced; new_rows: those that were inserted or replace
///   others. Large ones have several parts, to be applied in their order: all keys come first.
///
/// All throw what PostgresConnection throws.
namespace cacheledger {

/// CREATE TABLE for both, if they are not there.
std::string kept_changes_statements(const PublishedName& name);

/// Notes that the ledger is now in the state `token`, and what changed. `rows_of_ledger`: in all
/// tables; changes of more than a tenth of it are forgotten, the oldest first.
void keep_changes(PostgresConnection& connection, const PublishedName& name,
                  const std::string& token, const std::vector<TableDifference>& differences,
                  std::int64_t rows_of_ledger);

/// Notes that the ledger is now in the state `token`, which no changes lead to: it was published
/// whole.
void keep_no_changes(PostgresConnection& connection, const PublishedName& name,
                     const std::string& token);

/// Notes that the ledger was in these states, so that a file in one of them is told from one that
/// its user wrote to. What changed since is not known.
void keep_earlier_states(PostgresConnection& connection, const PublishedName& name,
                         const std::vector<std::string>& tokens);

}  // namespace cacheledger
