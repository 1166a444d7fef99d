#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

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
