#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

/// What a mirror says of its binaries, beside its index.
namespace cacheledger {

/// Takes the size of a spec's binary, in bytes.
using TakeSize = std::function<void(const DagHash& hash, std::uint64_t size)>;

/// Reads them from the spec manifests of a mirror of layout 3 on this machine. Gives what is wrong
/// with each that can't be read. A mirror without any gives nothing.
std::vector<Problem> read_binary_sizes(const std::string& mirror, const TakeSize& take);

}  // namespace cacheledger
