#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/text/embedded_text.hpp"

/// Who may read a published ledger. All throw what PostgresConnection throws.
namespace cacheledger {

/// dependent_objects.sql, compiled in.
extern const std::span<const EmbeddedText> dependent_texts;

/// What goes with the ledger when it is dropped: objects of users in its schemas, views, tables,
/// columns and functions that depend on it, and what depends on those; publications that have its
/// tables; the views over all ledgers, if they still have it. In words, "the view public.dash",
/// sorted. Throws what PostgresConnection throws.
std::vector<std::string> dependent_objects(PostgresConnection& connection,
                                           const PublishedName& name);

/// Throws UsageError if one of the schemas of the ledger, a function there, or something that has
/// the name of a part of the ledger belongs to a role that is_trusted() does not name: a publish
/// would run its triggers, rules and functions. Throws what PostgresConnection throws.
void refuse_parts_of_others(PostgresConnection& connection, const PublishedName& name);

/// The roles that may read the ledger, by their names: those that grant() was called for.
std::vector<std::string> granted_roles(PostgresConnection& connection, const PublishedName& name);

/// Lets a role read the views and tables of the ledger. Throws UsageError if there is
/// no such role.
void grant(PostgresConnection& connection, const PublishedName& name, const std::string& role);

}  // namespace cacheledger
