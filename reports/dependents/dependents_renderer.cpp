#include "reports/dependents/dependents_renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "reports/render/renderers.hpp"
#include "reports/table/text_width.hpp"
#include "schema/basics/counted.hpp"

namespace cacheledger {

namespace {

void render_first(const ResultTable& table, const char* title, const RenderOptions& options,
                  std::size_t most_rows, std::ostream& out) {
    ResultTable shown = table;
    keep_first(shown, most_rows);
    RenderOptions style = options;
    style.title = title;
    style.more = more_rows_hint;
    out << "\n";
    render(shown, Format::table, style, out);
}

}  // namespace

std::vector<std::string> remarks(const DependentSpecs& found) {
    std::vector<std::string> said;
    if (!found.absence.empty()) {
        said.push_back(found.absence);
    }
    if (found.undecided > 0) {
        said.push_back(fmt::format("{} match {}; what needs them is left out.",
                                   counted(found.undecided, "more spec may", "more specs may"),
                                   found.spec));
    }
    if (found.unknown > 0) {
        said.push_back(fmt::format("The dependencies of {} of {} are not known: {} need it, too.",
                                   counted(found.unknown, "spec"), found.snapshot,
                                   words_for(found.unknown, "it may", "they may")));
    }
    return said;
}

void render_dependents_text(const DependentSpecs& found, const RenderOptions& options,
                            std::size_t most_rows, std::ostream& out) {
    const std::string headline =
        fmt::format("{} at {}: {} it directly, {} in all, of {}", found.spec, found.snapshot,
                    counted(found.direct, "spec needs", "specs need"), grouped(found.all),
                    counted(static_cast<std::int64_t>(found.packages.rows.size()), "package"));
    out << paragraph(visible(headline), options.width);
    for (const std::string& remark : remarks(found)) {
        out << paragraph(visible(remark), options.width);
    }
    if (found.all > 0) {
        render_first(found.stacks, "By stack", options, most_rows, out);
        render_first(found.packages, "By package", options, most_rows, out);
    }
}

void render_dependents_json(const DependentSpecs& found, std::ostream& out) {
    std::string_view separator;
    std::ostringstream head;
    render_json_rows(
        {{"spec", "snapshot", "direct", "all", "packages", "unknown", "undecided", "present"},
         {{found.spec, found.snapshot, found.direct, found.all,
           static_cast<std::int64_t>(found.packages.rows.size()), found.unknown, found.undecided,
           found.present}}},
        separator, head);
    out << head.str().substr(0, head.str().size() - 1) << ",\n\"stacks\": ";
    render_json(found.stacks, out);
    out << ",\"dependents\": ";
    render_json(found.dependents, out);
    out << "}\n";
}

}  // namespace cacheledger
