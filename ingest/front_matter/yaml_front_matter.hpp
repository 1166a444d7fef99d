#pragma once

#include <string>

#include "ingest/front_matter/front_matter.hpp"

namespace cacheledger {

/// Reads what stands beside `meta`, `spec_details` and the lists of specs, which `page` has
/// already, as the YAML that it is. What is not known of pages becomes a finding. Throws
/// Problem.
void read_yaml_front_matter(const std::string& yaml, FrontMatter& page);

}  // namespace cacheledger
