#pragma once

#include <string_view>

#include "ingest/basics/problem.hpp"
#include "ingest/front_matter/front_matter.hpp"
#include "ingest/page/page.hpp"

namespace cacheledger {

/// Notes "spec-name-mismatch" where a page prints the spec as `printed` and says otherwise in
/// `source`, of which `entry` was read. What `printed` leaves out is no difference, but for
/// variants where it has some, or has an architecture: Spack's long form has them all.
void check_spec_name(std::string_view printed, std::string_view source, const SpecEntry& entry,
                     Page& page);

/// Compares the lists of a page that has `spec_details` as well, whose specs were read (G1b in
/// docs/formats.md, "Page generations"): its `spec_names` with the specs, one by one in their
/// order. Its `spec_files` are not read, which is a finding.
void check_lists(const FrontMatter& front, Page& page);

}  // namespace cacheledger
