#include "reports/engine/query/query_guard.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace cacheledger {

namespace {

/// Functions that reach beyond the database, or only wait. SQLite itself has the first two. The
/// others are in its shell and its extensions, which may be compiled in.
constexpr std::array refused_functions = {
    "load_extension", "fts3_tokenizer", "readfile",    "writefile",  "edit",
    "lsmode",         "zipfile",        "zipfile_cds", "sha3_query", "usleep",
};

/// Virtual tables that read files.
constexpr std::array refused_tables = {"fsdir", "zipfile"};

/// Pragmas that only report on the database. Other pragmas act, some even without an argument.
constexpr std::array pragmas = {
    "application_id", "auto_vacuum",  "collation_list", "compile_options", "data_version",
    "encoding",       "foreign_keys", "freelist_count", "function_list",   "journal_mode",
    "module_list",    "page_count",   "page_size",      "pragma_list",     "query_only",
    "schema_version", "user_version",
};

/// Pragmas whose argument says what to report on. It is not a new value.
constexpr std::array asking_pragmas = {
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check",   "quick_check",      "table_info", "table_list", "table_xinfo",
};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
    const auto same = [](unsigned char a, unsigned char b) {
        return std::tolower(a) == std::tolower(b);
    };
    return std::ranges::any_of(
        names, [&](std::string_view one) { return std::ranges::equal(one, name, same); });
}

bool is_schema_table(std::string_view name) {
    return name == "sqlite_master" || name == "sqlite_temp_master";
}

/// SQL's name for an action that writes or reaches out. `first` is the first argument of the action
/// (sqlite.org/c3ref/c_alter_table.html).
std::string name_of(int action, std::string_view first) {
    static constexpr std::array<std::pair<int, std::string_view>, 27> names = {{
        {SQLITE_CREATE_INDEX, "CREATE INDEX"},
        {SQLITE_CREATE_TABLE, "CREATE TABLE"},
        {SQLITE_CREATE_TEMP_INDEX, "CREATE INDEX"},
        {SQLITE_CREATE_TEMP_TABLE, "CREATE TEMP TABLE"},
        {SQLITE_CREATE_TEMP_TRIGGER, "CREATE TEMP TRIGGER"},
        {SQLITE_CREATE_TEMP_VIEW, "CREATE TEMP VIEW"},
        {SQLITE_CREATE_TRIGGER, "CREATE TRIGGER"},
        {SQLITE_CREATE_VIEW, "CREATE VIEW"},
        {SQLITE_CREATE_VTABLE, "CREATE VIRTUAL TABLE"},
        {SQLITE_DROP_INDEX, "DROP INDEX"},
        {SQLITE_DROP_TABLE, "DROP TABLE"},
        {SQLITE_DROP_TEMP_INDEX, "DROP INDEX"},
        {SQLITE_DROP_TEMP_TABLE, "DROP TABLE"},
        {SQLITE_DROP_TEMP_TRIGGER, "DROP TRIGGER"},
        {SQLITE_DROP_TEMP_VIEW, "DROP VIEW"},
        {SQLITE_DROP_TRIGGER, "DROP TRIGGER"},
        {SQLITE_DROP_VIEW, "DROP VIEW"},
        {SQLITE_DROP_VTABLE, "DROP TABLE"},
        {SQLITE_ALTER_TABLE, "ALTER TABLE"},
        {SQLITE_REINDEX, "REINDEX"},
        {SQLITE_ANALYZE, "ANALYZE"},
        {SQLITE_ATTACH, "ATTACH"},
        {SQLITE_DETACH, "DETACH"},
        {SQLITE_SAVEPOINT, "SAVEPOINT"},
        {SQLITE_INSERT, "INSERT into"},
        {SQLITE_UPDATE, "UPDATE of"},
        {SQLITE_DELETE, "DELETE from"},
    }};
    if (action == SQLITE_TRANSACTION) {
        return std::string(first);  // BEGIN, ...
    }
    const auto* const found =
        std::ranges::find(names, action, &std::pair<int, std::string_view>::first);
    if (found == names.end()) {
        return fmt::format("SQLite's action {}", action);
    }
    if (action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE) {
        // CREATE and DROP ask for the schema table first.
        return is_schema_table(first) ? "a change of the schema"
                                      : fmt::format("{} {}", found->second, first);
    }
    return std::string(found->second);
}

/// The reason to refuse an action; empty if it is allowed.
std::string find_reason(int action, std::string_view first, std::string_view second,
                        bool has_second) {
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_RECURSIVE:
            return "";
        case SQLITE_READ:
            return contains(refused_tables, first) ? fmt::format("the table {}", first) : "";
        case SQLITE_FUNCTION:
            return contains(refused_functions, second) ? fmt::format("the function {}()", second)
                                                       : "";
        case SQLITE_PRAGMA:
            if (contains(asking_pragmas, first) || (contains(pragmas, first) && !has_second)) {
                return "";
            }
            return fmt::format("PRAGMA {}{}", first,
                               contains(pragmas, first) ? " with a value" : "");
        case SQLITE_UPDATE:
            // Table-valued functions such as json_each() declare themselves by this action. A query
            // that changes the schema table itself does not get here: SQLite refuses it without
            // writable_schema.
            return is_schema_table(first) ? "" : name_of(action, first);
        default:
            return name_of(action, first);
    }
}

}  // namespace

thread_local QueryGuard* QueryGuard::innermost_ = nullptr;

QueryGuard::QueryGuard(const SQLite::Database& database)
    : outer_(innermost_),
      handle_(database.getHandle()),
      value_bytes_before_(sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, most_value_bytes)),
      pattern_bytes_before_(
          sqlite3_limit(handle_, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, most_pattern_bytes)),
      query_bytes_before_(sqlite3_hard_heap_limit64(most_query_bytes)) {
    sqlite3_set_authorizer(handle_, authorize, this);
    innermost_ = this;
}

QueryGuard::~QueryGuard() {
    innermost_ = outer_;
    QueryGuard* before = outer_;
    while (before != nullptr && before->handle_ != handle_) {
        before = before->outer_;
    }
    sqlite3_set_authorizer(handle_, before == nullptr ? nullptr : authorize, before);
    sqlite3_hard_heap_limit64(query_bytes_before_);
    sqlite3_limit(handle_, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, pattern_bytes_before_);
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, value_bytes_before_);
}

int QueryGuard::authorize(void* guard, int action, const char* first, const char* second,
                          const char* /*database*/, const char* /*view*/) {
    const auto text = [](const char* words) { return std::string_view(words ? words : ""); };
    const std::string reason = find_reason(action, text(first), text(second), second != nullptr);
    if (reason.empty()) {
        return SQLITE_OK;
    }
    std::string& refused = static_cast<QueryGuard*>(guard)->refused_;
    if (refused.empty()) {
        refused = reason;
    }
    return SQLITE_DENY;
}

}  // namespace cacheledger
