#pragma once

#include <string>
#include <vector>

namespace cacheledger {

/// One build option in Spack's spelling: "+mpi" and "~ipo" for {"true"} and {"false"}, else
/// "fabrics=sockets,tcp", with quotes where Spack sets them. `values` are sorted.
std::string variant_text(const std::string& name, const std::vector<std::string>& values);

}  // namespace cacheledger
