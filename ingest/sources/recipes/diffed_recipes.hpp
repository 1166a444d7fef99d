#pragma once

#include <map>
#include <string>
#include <string_view>

namespace cacheledger {

/// The packages of a package repository whose folders a diff touches, as `git diff` prints it; of
/// each, whether the diff only adds versions to its recipe. `name`: what messages call the diff.
/// Throws InputError if it is no diff.
std::map<std::string, bool> recipes_of_diff(std::string_view diff, const std::string& name);

}  // namespace cacheledger
