#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// The causes of drift, in the order in which they are tried (schema/sql/views/stack_drift.sql).
inline constexpr std::array<std::string_view, 7> cause_words = {
    "package", "version", "target", "compiler", "variants", "rebuilt", "copies"};

/// The kinds of names that a report can ask for.
enum class NameKind : std::uint8_t {
    package,
    stack,
    series,
    cause,
    finding,
    target,
    system,
    compiler,
    version
};

/// The kind that a word in a report's header means ("package"; reports/engine/catalog/report.hpp),
/// or nullopt.
std::optional<NameKind> find_name_kind(std::string_view word);

/// That word.
std::string_view word_of(NameKind kind);

/// All names of this kind that are known, sorted: those in any snapshot of the ledger, the causes
/// of drift, and the kinds of findings that the program writes.
std::vector<std::string> known_names(SQLite::Database& database, NameKind kind);

/// Throws UsageError, with the nearest names, if no such name is known: the answer would always be
/// empty.
void refuse_unknown_name(SQLite::Database& database, NameKind kind, const std::string& name);

/// Checks a pattern for GLOB. A pattern without * ? or [ is a name, and is checked like one.
/// Returns a note for the user if the pattern matches no known name, else nullopt.
std::optional<std::string> check_pattern(SQLite::Database& database, NameKind kind,
                                         const std::string& pattern);

/// Throws UsageError if no known name matches the pattern: nothing would be asked.
void refuse_unknown_pattern(SQLite::Database& database, NameKind kind, const std::string& pattern);

}  // namespace cacheledger
