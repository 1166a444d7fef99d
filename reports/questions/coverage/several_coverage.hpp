#pragma once

#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/render/document/document.hpp"

namespace cacheledger {

/// How much of each of several things that are wanted a snapshot has, and of all together.
struct SeveralCoverage {
    std::vector<Coverage> each;  ///< as they were asked
    Coverage
        total;  ///< a spec that several graphs want counts once, each line of a list for itself
};

/// `total`: of what the graphs among `each` want together; with `earlier` as each has it.
SeveralCoverage several_coverage(std::vector<Coverage> each, Coverage total);

/// The document. A condition is a gate for each of `each`. JSON: the object of one coverage, which
/// is about the total, with `wanted` NULL, and before `missing` also "files": [{"wanted",
/// "percent", "percent_all", "specs", "covered", "specs_all", "covered_all", "external",
/// "to_build"; with Coverage::earlier also "percent_since", "covered_since"}]. The rows of other
/// formats are those, and a last one for the total. In "undecided" and "missing" the specs of a
/// list also have "wanted".
Document document_of(const SeveralCoverage& coverage, const CoverageConditions& conditions);

}  // namespace cacheledger
