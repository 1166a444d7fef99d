#pragma once

#include <cstddef>
#include <iosfwd>

#include "reports/diff/diff.hpp"
#include "reports/render/renderer.hpp"

namespace cacheledger {

/// How much of a diff people are shown.
struct DiffView {
    std::size_t most_rows = all_rows;  ///< of each table
    bool is_summary = false;           ///< only counts, no lists of changes
    ResultTable gates{};               ///< for JSON (reports/gates/gate.hpp), if any are asked
};

/// Writes the diff with all rows as Markdown: what is compared, a sentence, remarks, the causes,
/// then the changes by kind, or diff.by instead of both.
void render_diff_markdown(const Diff& diff, const DiffView& view, std::ostream& out);

/// Writes the same as a page (reports/html/html_page.hpp), what concerns most specs first.
void render_diff_html(const Diff& diff, const DiffView& view, std::ostream& out);

/// Writes the same for people. What concerns most specs comes first. A list of changes with more
/// than view.most_rows rows is shown by package, moves between stacks by stack; the list ends after
/// so many rows, with the number of rows that are left out.
void render_diff_text(const Diff& diff, const RenderOptions& options, const DiffView& view,
                      std::ostream& out);

/// Writes the diff with all rows as JSON: {"from", "to", "sentence", "from_specs", "to_specs" (the
/// numbers of specs that are asked), "summary": [{"kind", "count"}], "causes": [{"cause", "added",
/// "removed"}], "unobserved": [{"kind", "package", "specs"}], "remarks": [{"remark"}], "by" (if it
/// is asked: the rows of diff.by), "gates" (if some are), "changes": [{"kind", "package", ...}]
/// (none in a summary)}
void render_diff_json(const Diff& diff, const DiffView& view, std::ostream& out);

}  // namespace cacheledger
