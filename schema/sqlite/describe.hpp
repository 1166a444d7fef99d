#pragma once

#include <SQLiteCpp/Exception.h>

#include <filesystem>
#include <string>

namespace cacheledger {

/// What SQLite's error says, with what a user can do about it; for use where a statement failed on
/// `file`, after the connection is closed (schema/sqlite/lock_holder.hpp says why).
std::string describe(const SQLite::Exception& error, const std::filesystem::path& file);

}  // namespace cacheledger
