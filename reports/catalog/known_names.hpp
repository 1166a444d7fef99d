#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cacheledger {

/// The causes of drift, in the order in which they are asked (schema/views/stack_drift.sql).
inline constexpr std::array<std::string_view, 7> cause_words = {
    "package", "version", "target", "compiler", "variants", "rebuilt", "copies"};

/// What a name can be the name of.
enum class NameKind : std::uint8_t { package, stack, series, cause, finding };

/// The kind that a word of a report's header means ("package"; reports/catalog/report.hpp), or
/// nothing.
std::optional<NameKind> find_name_kind(std::string_view word);

/// Throws UsageError, with the nearest names, where there is no such name: its rows would be none,
/// whatever the question. There are the names that the ledger holds, of any moment, the causes of
/// drift, and the kinds of findings that the program writes.
void refuse_unknown_name(SQLite::Database& database, NameKind kind, const std::string& name);

/// The same for what GLOB is to match. Where it holds * ? or [ it may match none; what is to be
/// said of that, or nothing.
std::optional<std::string> check_pattern(SQLite::Database& database, NameKind kind,
                                         const std::string& pattern);

}  // namespace cacheledger
