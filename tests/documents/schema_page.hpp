#pragma once

#include <string>
#include <string_view>

namespace cacheledger {

/// docs/schema.md: all tables and views of a ledger, with the texts of `sql --schema`.
std::string schema_page();

/// The words of a comment, without its marks: paragraphs, each in one line, with an empty line
/// between two. An indented list of terms stays in its lines.
std::string words_of_comment(std::string_view comment);

/// What the column means, or nothing: its text, or which table an id belongs to.
struct SchemaPart;
std::string column_text(const SchemaPart& part, const std::string& column);

}  // namespace cacheledger
