#pragma once

#include "schema/specs/constraints/answer.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Whether everything that matches `query` also matches `asked`, as Spack's `satisfies` has it of
/// two abstract specs: what a query does not mention is not asked by it. Unknown for ranges that
/// would have to be compared in parts, and for virtual packages.
Answer satisfies(const SpecQuery& query, const SpecQuery& asked);

}  // namespace cacheledger
