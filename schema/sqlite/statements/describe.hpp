#pragma once

#include <SQLiteCpp/Exception.h>

#include <filesystem>
#include <string>

namespace cacheledger {

/// A message for the user: what SQLite's error says, and what to do about it.
std::string describe(const SQLite::Exception& error, const std::filesystem::path& file);

}  // namespace cacheledger
