#include "schema/sqlite/statements/connection.hpp"

#include <sqlite3.h>

#include <string>

namespace cacheledger {

namespace {

// SQLite gives the names ":memory:" and "file:..." a meaning of their own.
std::string name_of_file(const std::filesystem::path& file) {
    const std::string name = file.string();
    return name.starts_with(':') || name.starts_with("file:") ? "./" + name : name;
}

}  // namespace

SQLite::Database connect(const std::filesystem::path& file, int flags, int timeout_ms) {
    // NOMUTEX: SQLite would otherwise lock a mutex for each value that is read or bound.
    return {name_of_file(file), flags | SQLITE_OPEN_NOMUTEX, timeout_ms};
}

bool may_write(const SQLite::Database& database) {
    return sqlite3_db_readonly(database.getHandle(), "main") == 0;
}

}  // namespace cacheledger
