#pragma once

#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"

namespace cacheledger {

/// Begins the transaction of a publish, with settings that end it if this program or its machine
/// ends, and takes the lock of the ledger's name. Throws UsageError if the database has texts in
/// another encoding than UTF-8, and DatabaseError if another publish has the lock for a minute.
void begin_publish(PostgresConnection& connection, const PublishedName& name);

/// Begins a transaction that sees one state and writes nothing.
void begin_check(PostgresConnection& connection);

/// Removes the schemas that were moved aside, in a transaction of its own: it has to wait for who
/// reads them, and nobody finds them any more. If they are still read, notes that the next publish
/// removes them.
void remove_leftovers(PostgresConnection& connection, const PublishedName& name,
                      std::vector<std::string>& notes);

}  // namespace cacheledger
