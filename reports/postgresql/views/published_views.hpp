#pragma once

#include <span>
#include <string>

#include "schema/text/embedded_text.hpp"

/// What a published ledger has beside its tables.
namespace cacheledger {

/// reports/postgresql/views/*.sql, compiled in.
extern const std::span<const EmbeddedText> published_texts;

/// The statements that make the schema `cacheledger` with the functions of SQLite that queries use,
/// or replace them. Run again, they change nothing.
std::string compatible_functions();

/// The statements that make the views for reports, and the public ones, each below those that it
/// uses. PostgreSQL finds the tables and functions when it makes them: the search_path must have
/// the ledger's schema, where they are made, and behind it `cacheledger`.
std::string published_views();

/// The statements that make the indexes, beside the keys, of the ledger's schema.
std::string published_indexes();

}  // namespace cacheledger
