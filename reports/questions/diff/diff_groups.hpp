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

/// The section of versions that were gained and lost; nullptr if there is none.
const DiffSection* section_of_versions(const Diff& diff);

/// The packages of which versions went and others came, a row each: package, before, after (from
/// old to new, separated by ", "), step, added, removed (builds). `step` tells which part of the
/// newest version changed first: "major", "minor", "patch", or "other" where that is no number.
/// Roots of lock files come first, then those with most builds.
ResultTable version_pairs(const Diff& diff);

/// The section of versions without those of packages that are among the pairs.
DiffSection without_pairs(const DiffSection& section, const ResultTable& pairs);

}  // namespace cacheledger
