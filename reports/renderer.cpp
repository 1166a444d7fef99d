#include "reports/renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/csv_renderer.hpp"
#include "reports/html_renderer.hpp"
#include "reports/json_renderer.hpp"
#include "reports/markdown_renderer.hpp"
#include "reports/table_renderer.hpp"
#include "schema/error.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 5> format_names = {"table", "csv", "json", "markdown",
                                                          "html"};

}  // namespace

Format parse_format(std::string_view name) {
    const auto found = std::ranges::find(format_names, name);
    if (found == format_names.end()) {
        throw UsageError(
            fmt::format("unknown format '{}'; choose table, csv, json, markdown or html", name));
    }
    return static_cast<Format>(found - format_names.begin());
}

void render(const ResultTable& table, Format format, const RenderOptions& options,
            std::ostream& out) {
    switch (format) {
        case Format::table:
            return render_table(table, options, out);
        case Format::csv:
            return render_csv(table, options, out);
        case Format::json:
            return render_json(table, out);
        case Format::markdown:
            return render_markdown(table, out);
        case Format::html:
            return render_html(table, options.title, out);
    }
}

}  // namespace cacheledger
