#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cacheledger {

/// What all cells with a list have in common.
struct SharedParts {
    std::vector<std::string> parts;  ///< in the order of the first list
    std::size_t other_cells = 0;     ///< those without a list
};

/// Takes the parts that are in every list out of the cells. A list has parts such as "os: a -> b"
/// or "recipe", with "; " between them. A cell that is one part of another list is a list, too; any
/// other text is none. A cell of which nothing is left is empty. Takes nothing if fewer than two
/// cells have a list.
SharedParts take_shared_parts(std::vector<std::string>& cells);

}  // namespace cacheledger
