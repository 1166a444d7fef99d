#include "reports/engine/catalog/known_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/errors/finding_kind.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

struct Kind {
    std::string_view word;  ///< in a report's header
    std::string_view what;  ///< in messages
    const char* names;      ///< a query for the names in the ledger; nullptr: there is none
    const char* where;      ///< the report that lists those of a snapshot, or the command that
                            ///< lists all; nullptr: the message lists them
};

// In the order of NameKind.
constexpr std::array<Kind, 9> kinds = {{
    {"package", "package", "SELECT name FROM package", "coverage/packages"},
    {"stack", "stack", "SELECT name FROM stack UNION ALL SELECT '(no stack)'", "coverage/stacks"},
    {"series", "series", "SELECT name FROM series", "snapshots"},
    {"cause", "cause", nullptr, nullptr},
    {"kind", "kind of finding", "SELECT DISTINCT kind FROM finding", nullptr},
    {"target", "target", "SELECT target FROM arch WHERE target IS NOT NULL", nullptr},
    {"system", "system", "SELECT platform || '-' || os FROM arch WHERE platform || os IS NOT NULL",
     nullptr},
    {"compiler", "compiler", "SELECT spec FROM compiler UNION ALL SELECT '(no compiler)'", nullptr},
    {"version", "version", "SELECT version FROM version", "coverage/versions"},
}};

std::string where_listed(std::string_view where) {
    return where.find('/') == std::string_view::npos
               ? "to see all: " + command_hint({std::string(where)})
               : "to see those of a snapshot: " + command_hint({"report", std::string(where)});
}

const Kind& about(NameKind kind) {
    return kinds.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::vector<std::string> known_names(SQLite::Database& database, NameKind kind) {
    std::vector<std::string> names;
    if (kind == NameKind::cause) {
        names.assign(cause_words.begin(), cause_words.end());
    } else if (kind == NameKind::finding) {  // the query adds kinds that other versions wrote
        names.assign(finding_kinds.begin(), finding_kinds.end());
    }
    if (const char* const sql = about(kind).names) {
        for (const auto& [name] : rows<std::string>(database, sql)) {
            names.push_back(name);
        }
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
    }
    return names;
}

std::optional<NameKind> find_name_kind(std::string_view word) {
    const auto* const found = std::ranges::find(kinds, word, &Kind::word);
    return found == kinds.end() ? std::nullopt
                                : std::optional(static_cast<NameKind>(found - kinds.begin()));
}

std::string_view word_of(NameKind kind) {
    return about(kind).word;
}

void refuse_unknown_name(SQLite::Database& database, NameKind kind, const std::string& name) {
    const auto names = known_names(database, kind);
    if (std::ranges::find(names, name) == names.end()) {
        const auto& [word, what, sql, where] = about(kind);
        refuse_unknown(what, name, names,
                       where == nullptr ? fmt::format("there are: {}", fmt::join(names, ", "))
                                        : where_listed(where));
    }
}

std::optional<std::string> check_pattern(SQLite::Database& database, NameKind kind,
                                         const std::string& pattern) {
    if (pattern.find_first_of("*?[") == std::string::npos) {
        refuse_unknown_name(database, kind, pattern);
        return std::nullopt;
    }
    const bool fits =
        std::ranges::any_of(known_names(database, kind), [&](const std::string& name) {
            return name == pattern || sqlite3_strglob(pattern.c_str(), name.c_str()) == 0;
        });
    return fits ? std::nullopt
                : std::optional(fmt::format("no {} is like '{}'", about(kind).what, pattern));
}

void refuse_unknown_pattern(SQLite::Database& database, NameKind kind, const std::string& pattern) {
    if (auto note = check_pattern(database, kind, pattern)) {
        throw UsageError(*note);
    }
}

}  // namespace cacheledger
