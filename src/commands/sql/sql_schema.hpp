#pragma once

#include <optional>
#include <string>

#include "src/terminal/output/output.hpp"

namespace cacheledger {

/// Prints what `sql` can ask: every view and table with its columns, the public views first; or
/// with a name, the SQL of that one. As a table of rows, if the format is for rows. Throws
/// UsageError, with the nearest names, for an unknown name.
void print_schema(const std::optional<std::string>& name, const Output& output);

}  // namespace cacheledger
