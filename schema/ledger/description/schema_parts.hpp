#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// What columns mean, by their names.
using ColumnTexts = std::map<std::string, std::string, std::less<>>;

/// The comments behind the columns in a statement CREATE TABLE or CREATE VIEW: of a view, those
/// behind the columns of its first SELECT. A column without a comment on its line is not there.
ColumnTexts column_texts(std::string_view create_statement);

/// A table or a view of a ledger.
struct SchemaPart {
    std::string name;
    std::string type;  ///< "view" or "table"
    std::vector<std::string> columns;
    std::string comment;  ///< what a row is: lines that begin with "--", each with its end
    std::string sql;  ///< the statements that make it and its indexes, without the last line end
    bool is_public = false;  ///< a view that users rely on
    ColumnTexts texts{};     ///< of the columns that have one
};

/// The text of a comment in one line, without the marks of a comment.
std::string comment_words(std::string_view comment);

/// All tables and views of a ledger that this program makes: the public views, the tables in the
/// order of the migrations, the views for the reports. No ledger is needed.
///
/// A column of a public view that has no text of its own has that of the first public view with a
/// column of this name.
std::vector<SchemaPart> schema_parts();

}  // namespace cacheledger
