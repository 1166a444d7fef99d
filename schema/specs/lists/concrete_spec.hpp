#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Makes a query of the text of a spec that exists: versions and the values of variants are these
/// and no others, and what it shares with its dependencies is said of each of them.
void make_concrete(SpecQuery& query);

/// The hash at the end of "zlib-1.3.1-<hash>", or of a path that ends so.
std::optional<std::string> hash_at_end(std::string_view text);

}  // namespace cacheledger
