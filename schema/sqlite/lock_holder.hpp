#pragma once

#include <filesystem>
#include <string>

namespace cacheledger {

/// Who keeps others from writing to a database at this moment, for people: "sqlite3, process 123".
/// "another process" where the system does not tell: it has just let go, or is on another machine.
/// To be asked by a process that has no lock on the file itself: its own would be lost.
std::string lock_holder(const std::filesystem::path& file);

}  // namespace cacheledger
