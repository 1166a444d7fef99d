#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// Opens a database for reading, while others may write to it. Leaves no file behind that would
/// keep the owner from writing: if the write-ahead log is missing and this user should not make it,
/// opens a private copy instead. Throws SQLite::Exception, and DatabaseError, which names the file,
/// if no copy can be made.
SQLite::Database open_read_only(const std::filesystem::path& file);

}  // namespace cacheledger
