#pragma once

#include <string>
#include <vector>

namespace cacheledger {

/// One variant in Spack's spelling: "+mpi" for {"true"}, "~mpi" for {"false"}, else
/// "fabrics=sockets,tcp", with quotes where Spack writes them. `values` must be sorted.
std::string variant_text(const std::string& name, const std::vector<std::string>& values);

}  // namespace cacheledger
