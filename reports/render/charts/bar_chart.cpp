#include "reports/render/charts/draw_chart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/render/drawing/chart.hpp"
#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

using Row = std::vector<Value>;

constexpr std::size_t most_bars = 24;
constexpr double bar_height = 16;
constexpr double bar_step = 24;
constexpr double widest_label = 320;  // a wider one stands above its bar

struct Bar {
    std::string label;
    std::vector<std::optional<double>> values{};  ///< in the order of Chart::numbers

    double size() const {
        double sum = 0;
        for (const auto& value : values) {
            sum += value ? std::abs(*value) : 0;
        }
        return sum;
    }
};

Bar bar_of(const ResultTable& table, const Chart& chart, const Row& row) {
    Bar bar{chart_label(table, row, chart.across)};
    for (const ChartNumber& number : chart.numbers) {
        const Value& value = row[chart_place(table, number.column)];
        bar.values.push_back(is_null(value)
                                 ? std::nullopt
                                 : std::optional((number.is_below ? -1 : 1) * chart_number(value)));
    }
    return bar;
}

/// How far all bars of a panel reach.
struct Reach {
    double below = 0;
    double above = 0;

    explicit Reach(const std::vector<Bar>& bars) {
        for (const Bar& bar : bars) {
            double down = 0;
            double up = 0;
            for (const auto& value : bar.values) {
                (value.value_or(0) < 0 ? down : up) += value.value_or(0);
            }
            below = std::min(below, down);
            above = std::max(above, up);
        }
    }
};

/// The numbers of a bar: "+223, −51".
std::string numbers_of(const Bar& bar, const Chart& chart, const std::string& unit) {
    const bool is_signed =
        std::ranges::any_of(chart.numbers, [](const ChartNumber& one) { return one.is_below; });
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < bar.values.size(); ++i) {
        if (bar.values[i] && (*bar.values[i] != 0 || bar.values.size() == 1)) {
            const bool is_below = chart.numbers[i].is_below;
            texts.push_back(fmt::format("{}{}",
                                        !is_signed ? ""
                                        : is_below ? "−"
                                                   : "+",
                                        chart_text(std::abs(*bar.values[i]), unit)));
        }
    }
    const bool is_known =
        std::ranges::any_of(bar.values, [](const auto& one) { return one.has_value(); });
    return !is_known       ? "not known"
           : texts.empty() ? "0"
                           : fmt::format("{}", fmt::join(texts, is_signed ? " " : " + "));
}

PictureBlock bars_block(const std::vector<Bar>& bars, const Chart& chart, const std::string& unit) {
    double labels = 0;
    double numbers = 0;
    for (const Bar& bar : bars) {
        labels = std::max(labels, svg_width(bar.label));
        numbers = std::max(numbers, svg_width(numbers_of(bar, chart, unit)));
    }
    const bool is_above = labels > widest_label || labels + numbers > 560;
    const double left = is_above ? 16 : 16 + labels + 10;
    const double right = std::max(picture_right - numbers - 8, left + 60);
    const Reach reach(bars);
    const double scale = (right - left) / std::max(reach.above - reach.below, 1e-9);
    const double zero = left - reach.below * scale;
    PictureBlock block{"<g fill=\"currentColor\" font-size=\"12\">\n", 0};
    double y = 0;
    for (const Bar& bar : bars) {
        if (is_above) {
            for (const std::string& line :
                 fold(visible(bar.label), static_cast<std::size_t>(picture_width / 7.5))) {
                y += 16;
                block.svg += svg_text(left, y - 4, "start", line);
            }
        } else {
            block.svg += svg_text(left - 10, y + 13, "end", bar.label);
        }
        double below = zero;
        double above = zero;
        for (std::size_t i = 0; i < bar.values.size(); ++i) {
            const double width = std::abs(bar.values[i].value_or(0)) * scale;
            if (width > 0) {
                const bool is_below = *bar.values[i] < 0;
                below -= is_below ? width : 0;
                block.svg += svg_rect(is_below ? below : above, y + 1, std::max(width, 0.5),
                                      bar_height, chart_colours.at(i % chart_colours.size()));
                above += is_below ? 0 : width;
            }
        }
        block.svg += svg_text(right + 8, y + 13, "start", numbers_of(bar, chart, unit));
        y += bar_step;
    }
    if (reach.below < 0) {
        block.svg += svg_line(zero, 0, zero, y, 0.6);
    }
    block.svg += "</g>\n";
    block.height = y + 4;
    return block;
}

}  // namespace

BarChart bar_chart(const ResultTable& table, const Chart& chart, const Units& units) {
    const std::string unit = unit_of(units, chart.numbers.at(0).column);
    BarChart made;
    if (chart.numbers.size() > 1) {
        std::vector<LegendEntry> entries;
        for (std::size_t i = 0; i < chart.numbers.size(); ++i) {
            std::string text = chart.numbers[i].column;
            std::ranges::replace(text, '_', ' ');
            entries.push_back({std::move(text), chart_colours.at(i % chart_colours.size())});
        }
        made.blocks.push_back(legend_block(entries));
    }
    auto groups = chart_groups(table, chart);
    const std::size_t panels = groups.size();
    groups.resize(std::min(panels, most_panels_drawn));
    for (const auto& [name, rows] : groups) {
        std::vector<Bar> bars;
        for (const Row* const row : rows) {
            bars.push_back(bar_of(table, chart, *row));
        }
        const std::size_t all = bars.size();
        if (all > most_bars) {
            std::ranges::stable_sort(bars, std::ranges::greater(), &Bar::size);
            bars.resize(most_bars);
        }
        const std::string heading =
            fmt::format("{}{}{}", name, name.empty() || unit.empty() ? "" : ": ", unit);
        if (!heading.empty()) {
            made.blocks.push_back(text_block(heading, 13));
        }
        made.blocks.push_back(bars_block(bars, chart, unit));
        if (all > bars.size()) {
            made.blocks.push_back(text_block(
                fmt::format("{} more are not drawn; these are the greatest", all - bars.size()),
                12));
        }
        made.words += name.empty() ? "" : name + ": ";
        for (const Bar& bar : bars) {
            made.words += fmt::format("{}: {}. ", bar.label, numbers_of(bar, chart, unit));
        }
    }
    add_left_out(made.blocks, panels, chart.each);
    if (table.rows.empty()) {
        made.blocks.push_back(text_block("no rows", 13));
        made.words = "no rows";
    }
    return made;
}

}  // namespace cacheledger
