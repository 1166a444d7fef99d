#pragma once

#include <string>

namespace cacheledger {

/// The program's name and version, which CMakeLists.txt sets: "cacheledger 0.1.0".
std::string program_version();

/// What --version prints, in lines: the program, the schema of the ledgers that it writes, and its
/// libraries. A library that tells its version is named with that of the one loaded; the others
/// with that of the build.
std::string all_versions();

}  // namespace cacheledger
