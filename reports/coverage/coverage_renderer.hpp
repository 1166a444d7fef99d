#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "reports/coverage/coverage.hpp"
#include "reports/render/renderer.hpp"

namespace cacheledger {

/// "96.6 %". Cut, not rounded: only what is complete is 100.0 %.
std::string percent_text(double percent);

/// What is covered: "spack.lock at develop@2025-03-30".
std::string subject(const Coverage& coverage);

/// How much of it is there.
std::string sentence(const Coverage& coverage);

/// Both, in one line.
std::string headline(const Coverage& coverage);

/// For people: the headline, the remarks, and tables of what is missing, at most `most_rows` rows
/// each.
void render_coverage_text(const Coverage& coverage, const RenderOptions& options,
                          std::size_t most_rows, std::ostream& out);

/// {"wanted", "percent", "percent_all", "snapshot", "specs", "covered", "specs_all", "covered_all",
/// "external", "remarks": [...], "undecided": [...], "gates" (if there are any: the rows of
/// reports/gates/gate.hpp), "missing": [...]}. NULL for a list, whose
/// specs have no dependencies: percent_all and those that belong to it.
void render_coverage_json(const Coverage& coverage, const ResultTable& gates, std::ostream& out);

}  // namespace cacheledger
