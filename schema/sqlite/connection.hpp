#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// How long a connection waits for a lock that another process has.
inline constexpr int busy_timeout_ms = 5000;

/// Opens a file with SQLite, whatever its name is. `flags`: those of SQLite (SQLITE_OPEN_...).
/// Throws SQLite::Exception.
SQLite::Database connect(const std::filesystem::path& file, int flags,
                         int timeout_ms = busy_timeout_ms);

/// Whether the connection may write to the file: SQLite opens it to read from it where it may not.
bool may_write(const SQLite::Database& database);

}  // namespace cacheledger
