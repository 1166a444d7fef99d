#include "reports/diff/diff_renderer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

#include "reports/diff/diff_groups.hpp"
#include "reports/html/html_page.hpp"
#include "reports/render/renderers.hpp"
#include "reports/run/totals.hpp"
#include "reports/table/text_width.hpp"

namespace cacheledger {

namespace {

std::string compared_names(const Diff& diff) {
    return fmt::format("{} -> {}", diff.from, diff.to);
}

// The causes that there are, those of most specs first.
ResultTable shown_causes(const Diff& diff) {
    ResultTable shown = diff.causes;
    const auto specs = [](const std::vector<Value>& row) {
        return std::get<std::int64_t>(row[1]) + std::get<std::int64_t>(row[2]);
    };
    std::erase_if(shown.rows, [&](const auto& row) { return specs(row) == 0; });
    std::ranges::stable_sort(shown.rows, std::ranges::greater(), specs);
    add_totals(shown, {"added", "removed"});
    return shown;
}

// How many rows and specs each kind has.
ResultTable shown_kinds(const Diff& diff) {
    ResultTable shown{{"kind", "rows", "specs"}, {}};
    for (const DiffSection* const section : sections_by_impact(diff)) {
        for (const std::string& kind : section->kinds) {
            DiffSection one = *section;
            std::erase_if(one.table.rows,
                          [&](const auto& row) { return std::get<std::string>(row[0]) != kind; });
            if (!one.table.rows.empty()) {
                shown.rows.push_back({kind, static_cast<std::int64_t>(one.table.rows.size()),
                                      specs_of_section(one)});
            }
        }
    }
    return shown;
}

// The columns to show to people: without `kind` if the heading says it, and without lists of
// hashes, which are too long for a screen.
ResultTable columns_of_diff(const ResultTable& table, bool says_kind) {
    std::vector<std::size_t> kept;
    for (std::size_t i = says_kind ? 0 : 1; i < table.columns.size(); ++i) {
        if (!table.columns[i].starts_with("hashes")) {
            kept.push_back(i);
        }
    }
    ResultTable shown;
    for (const std::size_t i : kept) {
        shown.columns.push_back(table.columns[i]);
    }
    for (const auto& row : table.rows) {
        auto& cells = shown.rows.emplace_back();
        for (const std::size_t i : kept) {
            cells.push_back(row[i]);
        }
    }
    return shown;
}

// Only by stack are there moves.
const char* title_of_by(const Diff& diff) {
    return std::ranges::find(diff.by.columns, "joined_stack") == diff.by.columns.end()
               ? "Specs added and removed, by cause"
               : "Specs added, removed and moved, by cause";
}

// Of the rows that are there: --kind leaves some out.
std::string counts_of_kinds(const DiffSection& section) {
    std::vector<std::string> counts;
    for (const std::string& kind : section.kinds) {
        const std::int64_t count = std::ranges::count_if(section.table.rows, [&](const auto& row) {
            return std::get<std::string>(row[0]) == kind;
        });
        if (count > 0) {
            counts.push_back(fmt::format("{} {}", grouped(count), kind));
        }
    }
    return fmt::format("{}", fmt::join(counts, ", "));
}

// A section that is too long is shown in groups, if they are clearly fewer than its rows.
void render_section(const DiffSection& section, RenderOptions style, std::size_t most_rows,
                    std::ostream& out) {
    const std::size_t rows = section.table.rows.size();
    const bool says_kind = section.kinds.size() > 1;
    ResultTable shown = columns_of_diff(rows_by_impact(section), says_kind);
    ResultTable groups;
    if (rows > most_rows) {
        groups = columns_of_diff(groups_by_impact(section), says_kind);
    }
    const bool is_grouped = rows > most_rows && groups.rows.size() * 4 <= rows * 3;
    if (is_grouped) {
        shown = std::move(groups);
    }
    const std::string all =
        fmt::format("(--all shows all {} rows)", grouped(static_cast<std::int64_t>(rows)));
    style.title = fmt::format("{}: {}", section.title, counts_of_kinds(section));
    if (is_grouped) {
        style.title += fmt::format(", by {}", shown.columns[says_kind ? 1 : 0]);
    }
    keep_first(shown, most_rows);
    style.more = is_grouped ? " " + all : more_rows_hint;
    out << "\n";
    render(shown, Format::table, style, out);
    if (is_grouped && shown.rows_left_out == 0) {
        out << all << "\n";
    }
}

struct DiffPart {
    std::string title;
    ResultTable table;
};

// The tables of a document, with all rows.
std::vector<DiffPart> parts_of(const Diff& diff, const DiffView& view) {
    if (diff.is_empty()) {
        return {};
    }
    if (!diff.by.columns.empty()) {
        return {{title_of_by(diff), diff.by}};
    }
    std::vector<DiffPart> parts = {{"Specs added and removed, by cause", diff.causes}};
    if (view.is_summary) {
        parts.push_back({"Changes, by kind", shown_kinds(diff)});
        return parts;
    }
    for (const DiffSection* const section : sections_by_impact(diff)) {
        parts.push_back({section->title, rows_by_impact(*section)});
    }
    return parts;
}

}  // namespace

void render_diff_text(const Diff& diff, const RenderOptions& options, const DiffView& view,
                      std::ostream& out) {
    std::vector<std::string> lines = {compared_names(diff), diff.sentence};
    std::ranges::move(remarks(diff), std::back_inserter(lines));
    for (const std::string& line : lines) {
        out << paragraph(visible(line), options.width);
    }
    if (diff.is_empty()) {
        return;
    }
    if (!diff.by.columns.empty()) {
        ResultTable by = diff.by;
        by.is_matrix = true;  // zeros show as dots, and a narrow screen has groups of columns
        render_part(std::move(by), title_of_by(diff), options, view.most_rows, out);
        return;
    }
    if (ResultTable causes = shown_causes(diff); !causes.rows.empty()) {
        render_part(std::move(causes), "Specs added and removed, by cause", options, all_rows, out);
    }
    if (view.is_summary) {
        render_part(shown_kinds(diff), "Changes, by kind", options, all_rows, out);
        return;
    }
    for (const DiffSection* const section : sections_by_impact(diff)) {
        render_section(*section, options, view.most_rows, out);
    }
}

void render_diff_markdown(const Diff& diff, const DiffView& view, std::ostream& out) {
    out << markdown_text(compared_names(diff)) << "\n\n" << markdown_text(diff.sentence) << "\n";
    for (const std::string& remark : remarks(diff)) {
        out << "\n" << markdown_text(remark) << "\n";
    }
    for (const DiffPart& part : parts_of(diff, view)) {
        out << "\n## " << part.title << "\n\n";
        render(part.table, Format::markdown, {}, out);
    }
}

void render_diff_html(const Diff& diff, const DiffView& view, std::ostream& out) {
    HtmlPage page{
        .title = compared_names(diff), .summary = diff.sentence, .remarks = remarks(diff)};
    const auto parts = parts_of(diff, view);
    for (const DiffPart& part : parts) {
        page.sections.push_back({part.title, part.table});
    }
    write_html_page(page, out);
}

}  // namespace cacheledger
