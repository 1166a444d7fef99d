#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// A spec with its text, which parse_spec() reads as the query.
struct JoinedSpec {
    std::string text;
    SpecQuery query;
};

/// The texts with single blanks between their words.
std::string joined_text(const std::vector<std::string>& parts);

/// The spec that several texts ask for together. Each is about the spec itself, whatever stands
/// before it: "hdf5 ^zlib" and "+mpi" are hdf5+mpi ^zlib. Throws std::invalid_argument if a text is
/// no spec, they contradict each other, or are longer than 16 KiB together.
JoinedSpec joined_spec(const std::vector<std::string>& parts);

}  // namespace cacheledger
