#pragma once

#include <span>
#include <string>
#include <vector>

#include "schema/text/embedded_text.hpp"

/// What a published ledger has beside its tables.
namespace cacheledger {

/// reports/postgresql/views/*.sql, compiled in.
extern const std::span<const EmbeddedText> published_texts;

/// A view of the ledger, as PostgreSQL has it.
struct PublishedView {
    std::string name;
    std::string query;  ///< without a semicolon
    std::vector<std::string> columns{};
    bool is_public = false;
};

/// The statements that make the functions of SQLite that queries use, or replace them. Run again,
/// they change nothing. `schema`: where they are made, in quotes.
std::string compatible_functions(const std::string& schema);

/// The views for reports, and the public ones, each below those that it uses. PostgreSQL finds the
/// tables and functions when it makes them: the search_path must have the schemas of the ledger.
const std::vector<PublishedView>& published_views();

/// The statements that make the indexes, beside the keys, of the ledger's schema.
std::string published_indexes();

}  // namespace cacheledger
