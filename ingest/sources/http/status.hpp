#pragma once

#include <string>

namespace cacheledger {

/// "403 (forbidden)"; only the number where it is a rare one.
std::string text_of_status(int status);

/// "the server says 403 (forbidden): it denies access, ..."
std::string problem_of_status(int status);

}  // namespace cacheledger
