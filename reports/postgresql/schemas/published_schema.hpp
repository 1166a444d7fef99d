#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/ledger_tables.hpp"
#include "reports/postgresql/schemas/published_name.hpp"

/// The schemas of a published ledger: how they are made, and brought up to date. What is there is
/// never replaced, because the views and publications of users hang on it. All throw what
/// PostgresConnection throws, and none ends a transaction.
namespace cacheledger {

/// A digest of all statements that make the schemas, and of what readers may read. A ledger that
/// was published with another one is brought up to date.
std::string published_layout();

/// Makes the schemas with empty tables, and the row of `published` without content. Tables have no
/// keys and indexes yet: rows are loaded in half the time without.
void make_tables(PostgresConnection& connection, const PublishedName& name);

/// Makes what readers and further publishes need, after the rows are there: keys, indexes,
/// statistics.
void make_keys(PostgresConnection& connection, const PublishedName& name);

/// The published tables that lack a column of the ledger's, or are not there.
std::vector<LedgerTable> incomplete_tables(PostgresConnection& connection,
                                           const PublishedName& name);

/// Gives the server the tables and columns that it lacks. Who reads such a table is waited for.
void complete_tables(PostgresConnection& connection, const PublishedName& name);

/// Says that the columns of complete_tables() have a value in all rows, now that they have.
void require_values(PostgresConnection& connection, const PublishedName& name);

/// Makes the functions, indexes and views with their comments. A view that is there keeps its
/// columns and their order, and gets those that it lacks.
void make_views(PostgresConnection& connection, const PublishedName& name);

}  // namespace cacheledger
