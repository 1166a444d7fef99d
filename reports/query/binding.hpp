#pragma once

#include <string>

#include "reports/table/value.hpp"

struct sqlite3_stmt;

namespace cacheledger {

/// Binds a value to a parameter, and gives SQLite's code. The value must outlive the statement's
/// run.
int bind_value(sqlite3_stmt* statement, int index, const Value& value);

/// The statement's text with the values that are bound in the place of its parameters.
std::string text_with_values(sqlite3_stmt* statement);

}  // namespace cacheledger
