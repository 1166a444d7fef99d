#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// The names that are likely meant by what was typed: those that take the fewest changes of a
/// character, three at most; none where it takes too many. The words of a name count as well as the
/// whole: "numpi" is as near to "py-numpy" as "stack" is to "coverage/stacks". Case does not count.
std::vector<std::string> nearest_names(std::string_view typed,
                                       const std::vector<std::string>& names);

/// Throws UsageError: "no package 'kokos'; did you mean 'kokkos', 'kokkos-kernels'?", and with
/// `otherwise` behind the semicolon where no name is near. `what`: "package".
[[noreturn]] void refuse_unknown(std::string_view what, std::string_view typed,
                                 const std::vector<std::string>& names, std::string_view otherwise);

}  // namespace cacheledger
