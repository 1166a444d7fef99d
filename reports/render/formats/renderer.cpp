#include "reports/render/formats/renderer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "reports/render/formats/renderers.hpp"
#include "reports/render/html/html_page.hpp"
#include "schema/ledger/names/nearest.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 5> all_formats = {"table", "csv", "json", "markdown",
                                                         "html"};

}  // namespace

std::span<const std::string_view> format_names() {
    return all_formats;
}

Format parse_format(std::string_view name) {
    const auto* const found = std::ranges::find(all_formats, name);
    if (found == all_formats.end()) {
        refuse_unknown("format", name, {all_formats.begin(), all_formats.end()},
                       fmt::format("there are: {}", fmt::join(all_formats, ", ")));
    }
    return static_cast<Format>(found - all_formats.begin());
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
            return write_html_page({.title = options.title,
                                    .description = options.description,
                                    .remarks = options.remarks,
                                    .chart = options.chart,
                                    .sections = {{"", table}}},
                                   out);
    }
}

}  // namespace cacheledger
