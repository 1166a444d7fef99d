#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reports/questions/diff/diff.hpp"

/// The changes of a diff for people, those first that concern most specs.
namespace cacheledger {

/// The number of specs that a section is about: all that were added, removed or moved.
std::int64_t specs_of_section(const DiffSection& section);

/// The sections that have rows, those with most specs first.
std::vector<const DiffSection*> sections_by_impact(const Diff& diff);

/// The rows, those with most specs first; equal ones in the order of the report.
ResultTable rows_by_impact(const DiffSection& section);

/// The rows in groups, with the sums of their numbers of specs: by package, moves between stacks by
/// stack. Those with most specs come first. Columns: kind, if the section has several; package or
/// stack; how many versions or packages; how many rows; specs, or added and removed.
ResultTable groups_by_impact(const DiffSection& section);

}  // namespace cacheledger
