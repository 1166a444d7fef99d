#pragma once

#include <cstddef>
#include <iosfwd>

#include "reports/diff/diff.hpp"
#include "reports/render/renderer.hpp"

namespace cacheledger {

/// Writes the diff with all rows as Markdown: a headline, remarks, the causes, then the changes by
/// kind.
void render_diff_markdown(const Diff& diff, std::ostream& out);

/// Writes the diff for people: a headline, remarks, the causes, then the changes by kind. Each list
/// of changes ends after `most_rows` rows, with the number of rows that are left out.
void render_diff_text(const Diff& diff, const RenderOptions& options, std::size_t most_rows,
                      std::ostream& out);

/// Writes the diff with all rows as JSON: {"from", "to", "summary": [{"kind", "count"}], "causes":
/// [{"cause", "added", "removed"}], "unobserved": [{"kind", "package", "specs"}], "remarks":
/// [{"remark"}], "changes": [{"kind", "package", ...}]}
void render_diff_json(const Diff& diff, std::ostream& out);

}  // namespace cacheledger
