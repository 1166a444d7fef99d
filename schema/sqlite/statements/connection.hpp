#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// How long a connection waits for another process's lock, in milliseconds.
inline constexpr int busy_timeout_ms = 5000;

/// Opens a database file, whatever its name is (SQLite gives some names, such as ":memory:", a
/// meaning). `flags`: SQLITE_OPEN_... `timeout_ms`: how long to wait for locks, in milliseconds.
/// Throws SQLite::Exception.
SQLite::Database connect(const std::filesystem::path& file, int flags,
                         int timeout_ms = busy_timeout_ms);

/// Whether the connection may write. SQLite opens a file that is not writable as read-only, without
/// an error.
bool may_write(const SQLite::Database& database);

}  // namespace cacheledger
