#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cacheledger {

/// Takes the parts that are in every cell out of the cells, and returns them in the order of the
/// first cell. A cell is a list of parts such as "os: a -> b" or "recipe", with "; " between them,
/// or one part of another such list. If any cell is no list, or there are fewer than two, nothing
/// is taken. A cell of which nothing is left is empty.
std::vector<std::string> take_shared_parts(std::vector<std::string>& cells);

/// The list in `room` columns of a terminal, if its names fit: its first parts, and of the others
/// only the names, as in "os: a -> b; target, recipe". Any other text stays as it is. The cell must
/// come from visible().
std::string list_in_room(const std::string& cell, std::size_t room);

}  // namespace cacheledger
