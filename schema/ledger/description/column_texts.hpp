#pragma once

#include <map>
#include <string>
#include <string_view>

namespace cacheledger {

/// What columns mean, by their names.
using ColumnTexts = std::map<std::string, std::string, std::less<>>;

/// The comments behind the columns in a statement CREATE TABLE or CREATE VIEW: of a view, those
/// behind the columns of its first SELECT. A column without a comment on its line is not there.
ColumnTexts column_texts(std::string_view create_statement);

}  // namespace cacheledger
