#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// Opens a database to read from it, while others may write to it. Leaves nothing behind that keeps
/// its owner from writing: where the log is missing and this user should not make it, what is
/// opened is a copy. Throws SQLite::Exception; DatabaseError, naming the file, where no copy can be
/// made.
SQLite::Database open_read_only(const std::filesystem::path& file);

}  // namespace cacheledger
