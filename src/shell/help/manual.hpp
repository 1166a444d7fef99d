#pragma once

#include <string>

namespace cacheledger {

/// The man page of the program, cacheledger(1), in the macros of man(7). It is made from the help
/// of the commands and from the topics.
std::string manual();

}  // namespace cacheledger
