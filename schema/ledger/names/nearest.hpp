#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// The names that the user most likely meant by `typed`: at most three, which differ from it by the
/// fewest added, removed, replaced or swapped characters; if all differ too much, those that begin
/// with it. Empty if there is none. A name is compared as a whole and by each of its words: "numpi"
/// is near to "py-numpy", and "stack" to "coverage/stacks". Upper and lower case are equal.
std::vector<std::string> nearest_names(std::string_view typed,
                                       const std::vector<std::string>& names);

/// The names that the user most likely meant by `typed`, which is no snapshot: for a known tag or
/// series with another moment ("develop-2025-04-01", "develop@2025-04"), the snapshots before and
/// after that moment; else the tags, series and snapshots that are spelled alike. Empty if none is
/// near.
std::vector<std::string> suggest_snapshots(SQLite::Database& database, std::string_view typed);

/// The text of the error of refuse_unknown().
std::string text_of_unknown(std::string_view what, std::string_view typed,
                            const std::vector<std::string>& names, std::string_view otherwise);

/// Throws UsageError: "no package 'kokos'; did you mean 'kokkos', 'kokkos-kernels'?". If no name is
/// near, the text after the semicolon is `otherwise`. `what` says what the names are: "package".
[[noreturn]] void refuse_unknown(std::string_view what, std::string_view typed,
                                 const std::vector<std::string>& names, std::string_view otherwise);

}  // namespace cacheledger
