#pragma once

#include <string>
#include <string_view>

#include "ingest/pages/front_matter/front_matter.hpp"
#include "ingest/pages/page/page.hpp"

namespace cacheledger {

/// Compares the printed name of a spec with its entry, and adds a finding "spec-name-mismatch" if
/// they differ. Parts that the name lacks are not compared. Exception: a name with variants or with
/// an architecture is Spack's long form, which has all variants. `package`: that of the page.
/// `source`: where the entry was read, for the finding.
void check_spec_name(std::string_view printed, std::string_view source, const SpecEntry& entry,
                     const std::string& package, Findings& findings);

/// For a page that has `spec_details` and lists of specs as well (G1b in docs/formats.md, "Page
/// generations"). Compares `spec_names` with the specs, one by one in their order. `spec_files` are
/// not read, which is a finding. Adds the findings to `specs`.
void check_lists(const FrontMatter& front, const std::string& package, PageSpecs& specs);

}  // namespace cacheledger
