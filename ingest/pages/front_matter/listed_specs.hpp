#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingest/pages/front_matter/front_matter.hpp"

namespace cacheledger {

/// A spec in the lists of a page of 2022. Its attributes are in a file beside the page.
struct ListedSpec {
    std::string file;                 ///< beside the page: "spec-0.json"
    std::optional<std::string> name;  ///< as Spack prints the spec, dependencies included
    int line = 0;                     ///< of the page, counted from 1
};

/// Reads the lists `spec_files` and `spec_names` (docs/formats.md, "Lists of spec files"): the
/// first pages have lines '- "NAME": FILE', later ones '- FILE' and a second list with '- NAME'.
/// Throws Problem with the line. `front.spec_files` must be set.
std::vector<ListedSpec> read_listed_specs(const FrontMatter& front);

/// Reads one line of `spec_names`. Throws Problem with the line.
std::string read_spec_name(const FrontMatter::Raw& item);

}  // namespace cacheledger
