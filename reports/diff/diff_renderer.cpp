#include "reports/diff/diff_renderer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "reports/render/renderers.hpp"
#include "reports/table/text_width.hpp"

namespace cacheledger {

namespace {

std::int64_t count_of(const Diff& diff, std::string_view kind) {
    const auto found = std::find_if(diff.summary.begin(), diff.summary.end(),
                                    [&](const KindCount& count) { return count.kind == kind; });
    return found == diff.summary.end() ? 0 : found->count;
}

std::string counted(std::int64_t number, std::string_view one) {
    return fmt::format("{} {}{}", grouped(number), one, number == 1 ? "" : "s");
}

std::string headline(const Diff& diff) {
    if (diff.is_empty()) {
        return fmt::format("{} -> {}: no change", diff.from, diff.to);
    }
    std::string line = fmt::format("{} -> {}: {} gained, {} lost; {} added, {} removed", diff.from,
                                   diff.to, counted(count_of(diff, "package-added"), "package"),
                                   grouped(count_of(diff, "package-removed")),
                                   counted(count_of(diff, "spec-added"), "spec"),
                                   grouped(count_of(diff, "spec-removed")));
    std::vector<std::string> causes;
    for (const auto& row : diff.causes.rows) {
        const auto added = std::get<std::int64_t>(row[1]);
        const auto removed = std::get<std::int64_t>(row[2]);
        const auto& cause = std::get<std::string>(row[0]);
        if (cause == "rebuilt" && added > 0 && added == removed) {
            causes.push_back(fmt::format("{} rebuilt", grouped(added)));
        } else if (added > 0 || removed > 0) {
            causes.push_back(fmt::format("{} +{} -{}", cause, grouped(added), grouped(removed)));
        }
    }
    if (!causes.empty()) {
        line += fmt::format(": {}", fmt::join(causes, ", "));
    }
    return line;
}

// The rows to show to people: without the column `kind` if the heading says it, and without lists
// of hashes, which are too long for a screen.
ResultTable shown_rows(const DiffSection& section, std::size_t most_rows) {
    std::vector<std::size_t> kept;
    for (std::size_t i = section.kinds.size() == 1 ? 1 : 0; i < section.table.columns.size(); ++i) {
        if (!section.table.columns[i].starts_with("hashes")) {
            kept.push_back(i);
        }
    }
    ResultTable shown;
    for (const std::size_t i : kept) {
        shown.columns.push_back(section.table.columns[i]);
    }
    for (std::size_t row = 0; row < std::min(most_rows, section.table.rows.size()); ++row) {
        auto& cells = shown.rows.emplace_back();
        for (const std::size_t i : kept) {
            cells.push_back(section.table.rows[row][i]);
        }
    }
    shown.rows_left_out = section.table.rows.size() - shown.rows.size();
    return shown;
}

}  // namespace

void render_diff_text(const Diff& diff, const RenderOptions& options, std::size_t most_rows,
                      std::ostream& out) {
    out << visible(headline(diff)) << "\n";
    for (const std::string& remark : remarks(diff)) {
        out << visible(remark) << "\n";
    }
    if (diff.is_empty()) {
        return;
    }
    RenderOptions style = options;
    style.more = more_rows_hint;
    style.title = "Specs added and removed, by cause";
    out << "\n";
    render(diff.causes, Format::table, style, out);
    for (const DiffSection& section : diff.sections) {
        const std::size_t rows = section.table.rows.size();
        if (rows == 0) {
            continue;
        }
        std::vector<std::string> counts;
        for (const std::string& kind : section.kinds) {
            counts.push_back(fmt::format("{} {}", grouped(count_of(diff, kind)), kind));
        }
        style.title = fmt::format("{}: {}", section.title, fmt::join(counts, ", "));
        out << "\n";
        render(shown_rows(section, most_rows), Format::table, style, out);
    }
}

void render_diff_markdown(const Diff& diff, std::ostream& out) {
    out << markdown_text(headline(diff)) << "\n";
    for (const std::string& remark : remarks(diff)) {
        out << "\n" << markdown_text(remark) << "\n";
    }
    if (diff.is_empty()) {
        return;
    }
    out << "\n## Specs added and removed, by cause\n\n";
    render(diff.causes, Format::markdown, {}, out);
    for (const DiffSection& section : diff.sections) {
        if (!section.table.rows.empty()) {
            out << "\n## " << section.title << "\n\n";
            render(section.table, Format::markdown, {}, out);
        }
    }
}

}  // namespace cacheledger
