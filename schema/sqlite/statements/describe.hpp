#pragma once

#include <SQLiteCpp/Exception.h>

#include <filesystem>
#include <string>

namespace cacheledger {

/// A message for the user: what SQLite's error says, and what to do about it.
std::string describe(const SQLite::Exception& error, const std::filesystem::path& file);

/// The process that now keeps others from writing to the database, or from compacting it, as text
/// for the user: "sqlite3, process 123". Returns "another process" if the system does not tell:
/// that process has just released the lock, or runs on another machine. Locks of this process are
/// left as they are.
std::string lock_holder(const std::filesystem::path& file);

}  // namespace cacheledger
