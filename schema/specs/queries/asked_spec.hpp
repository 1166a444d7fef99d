#pragma once

#include <string>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Reads the spec that a user asks a command for: a whole hash, or anything that parse_spec()
/// (schema/specs/queries/spec_parser.hpp) reads, such as "hdf5@1.14: +mpi" and "/abc1234". Throws
/// UsageError if it is not a spec.
SpecQuery read_asked_spec(const std::string& text);

/// Throws UsageError if a range of targets in it ends at one that neither the program nor the
/// ledger knows.
void refuse_unknown_targets(const SpecQuery& query);

/// Whether the query asks for a hash, or the beginning of one, and nothing else.
bool asks_only_hash(const SpecQuery& query);

}  // namespace cacheledger
