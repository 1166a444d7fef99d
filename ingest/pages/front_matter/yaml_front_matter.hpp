#pragma once

#include <string>

#include "ingest/pages/front_matter/front_matter.hpp"

namespace cacheledger {

/// Reads the lines of a front matter without `meta`, `spec_details` and the lists of specs, which
/// `page` has already. `yaml`: these lines, and a blank one for each other line. A key that pages
/// do not have becomes a finding. Throws Problem with the line.
void read_yaml_front_matter(const std::string& yaml, FrontMatter& page);

}  // namespace cacheledger
