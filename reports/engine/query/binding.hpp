#pragma once

#include <string>

#include "reports/render/table/value.hpp"

struct sqlite3_stmt;

namespace cacheledger {

/// Binds a value to a parameter and returns SQLite's result code. The value must outlive the run of
/// the statement.
int bind_value(sqlite3_stmt* statement, int index, const Value& value);

/// The text of the statement with the bound values in place of the parameters.
std::string text_with_values(sqlite3_stmt* statement);

}  // namespace cacheledger
