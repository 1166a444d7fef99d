#pragma once

#include <string>
#include <string_view>

#include "reports/engine/server/connection.hpp"

/// Whoever reads a view runs the functions in it, with the rights of who reads. So what another
/// role made is read only if it can't run any.
namespace cacheledger {

/// A condition of SQL: the role with this oid may run functions as the current one. That are itself
/// and the superusers; not the members of one role, who need not trust each other.
std::string is_trusted(std::string_view oid);

/// Locks the table until the end of the transaction, so that it stays as it is, and throws
/// DatabaseError if it is a view or a foreign table, or if another role's function can run when it
/// is read: of a rule, a policy, or of an index, which the planner may call. `table`: with its
/// schema, in quotes. Throws what PostgresConnection throws.
void require_plain_table(PostgresConnection& connection, const std::string& table);

}  // namespace cacheledger
