#pragma once

#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"

/// The schemas of a published ledger: how they are made, granted and removed. All throw what
/// PostgresConnection throws, and none ends a transaction.
namespace cacheledger {

/// A digest of all statements that make the schemas. A ledger that was published with another one
/// is published anew.
std::string published_layout();

/// Makes the functions that queries use, or replaces those of another program version.
void make_functions(PostgresConnection& connection);

/// Waits until no other transaction changes what all ledgers share, and keeps others out until the
/// transaction ends.
void lock_shared_schema(PostgresConnection& connection);

/// Makes the schemas with empty tables, and the row of `published` without content. Tables have no
/// keys and indexes yet: rows are loaded in half the time without.
void make_tables(PostgresConnection& connection, const PublishedName& name);

/// Makes what readers and further publishes need: keys, indexes, views with comments, statistics.
void make_views_and_keys(PostgresConnection& connection, const PublishedName& name);

/// Gives the schemas the names of old ones, so that others can take theirs.
void move_aside(PostgresConnection& connection, const PublishedName& name);

/// Whether there are schemas that were moved aside.
bool has_old_schemas(PostgresConnection& connection, const PublishedName& name);

/// Removes what move_aside() moved. Waits for who reads it.
void remove_old_schemas(PostgresConnection& connection, const PublishedName& name);

/// The roles that may read the ledger, by their names: those that grant() was called for.
std::vector<std::string> granted_roles(PostgresConnection& connection, const PublishedName& name);

/// Lets a role read the views of the ledger, and no table. Also turns off that the server compiles
/// the queries of the role in this database: it takes longer than they do. Returns why it could not
/// turn that off, or an empty text. Throws UsageError if there is no such role.
std::string grant(PostgresConnection& connection, const PublishedName& name,
                  const std::string& role);

}  // namespace cacheledger
