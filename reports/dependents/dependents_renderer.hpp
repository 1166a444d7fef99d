#pragma once

#include <cstddef>
#include <iosfwd>

#include "reports/dependents/dependents.hpp"
#include "reports/render/renderer.hpp"

namespace cacheledger {

/// For people: one line, then tables by stack and by package, at most `most_rows` rows each.
void render_dependents_text(const DependentSpecs& found, const RenderOptions& options,
                            std::size_t most_rows, std::ostream& out);

/// {"spec", "snapshot", "direct", "all", "packages", "unknown", "undecided", "present",
/// "stacks": [...], "dependents": [...]}. `packages` is a number, and so is `present`: the builds
/// of `spec` that the snapshot has.
void render_dependents_json(const DependentSpecs& found, std::ostream& out);

/// Sentences about what the answer leaves out.
std::vector<std::string> remarks(const DependentSpecs& found);

}  // namespace cacheledger
