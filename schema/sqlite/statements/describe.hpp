#pragma once

#include <SQLiteCpp/Exception.h>

#include <filesystem>
#include <string>

namespace cacheledger {

/// A message for the user: what SQLite's error says, and what to do about it. Call it for an error
/// on `file` after the connection is closed; schema/sqlite/statements/lock_holder.hpp says why.
std::string describe(const SQLite::Exception& error, const std::filesystem::path& file);

}  // namespace cacheledger
