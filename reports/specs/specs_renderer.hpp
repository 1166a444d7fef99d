#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "reports/render/renderer.hpp"
#include "reports/specs/found_specs.hpp"

namespace cacheledger {

/// How many builds match, of what, and where: "3 builds match hdf5+mpi at develop-2025-03-30".
/// `shown`: how many of them are shown.
std::string headline(const FoundSpecs& found, std::size_t shown);

/// For people: a headline; in a line below it what is the same in all builds; a table of the rest,
/// at most `most_rows` rows. Of one build all that is known. Without builds those that come
/// nearest.
void render_specs_text(const FoundSpecs& found, const RenderOptions& options, std::size_t most_rows,
                       std::ostream& out);

}  // namespace cacheledger
