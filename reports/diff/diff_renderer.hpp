#pragma once

#include <cstddef>
#include <iosfwd>

#include "reports/diff/diff.hpp"
#include "reports/render/renderer.hpp"

namespace cacheledger {

/// The same with every row, as Markdown.
void render_diff_markdown(const Diff& diff, std::ostream& out);

/// For people: a headline, remarks, the causes, then the changes by kind, each list cut after
/// `most_rows` with a count of what was left out.
void render_diff_text(const Diff& diff, const RenderOptions& options, std::size_t most_rows,
                      std::ostream& out);

/// {"from", "to", "summary": [{"kind", "count"}], "causes": [{"cause", "added", "removed"}],
/// "unobserved": [{"kind", "package", "specs"}], "remarks": [{"remark"}], "changes": [{"kind",
/// "package", ...}]}
void render_diff_json(const Diff& diff, std::ostream& out);

}  // namespace cacheledger
