#pragma once

#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"

/// Who may read a published ledger. All throw what PostgresConnection throws.
namespace cacheledger {

/// The roles that may read the ledger, by their names: those that grant() was called for.
std::vector<std::string> granted_roles(PostgresConnection& connection, const PublishedName& name);

/// Lets a role read the views and tables of the ledger. Throws UsageError if there is
/// no such role.
void grant(PostgresConnection& connection, const PublishedName& name, const std::string& role);

}  // namespace cacheledger
