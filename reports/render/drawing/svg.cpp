#include "reports/render/drawing/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/render/html/html_page.hpp"
#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

namespace {

constexpr double letter = 6.9;  // the mean width of a letter of 12 units, and a little more
constexpr double legend_step = 20;

/// The text in lines that are not wider than this.
std::vector<std::string> lines_in(std::string_view text, double width, double size) {
    return fold(visible(text), static_cast<std::size_t>(width / letter * 12 / size));
}

constexpr int value_ticks = 5;
constexpr int time_ticks = 5;
constexpr double widest_column = 40;

}  // namespace

std::string svg_text(double x, double y, std::string_view anchor, std::string_view text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, html_line(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, double opacity) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" "
        "stroke-opacity=\"{}\"/>\n",
        x1, y1, x2, y2, opacity);
}

std::string svg_rect(double x, double y, double width, double height, std::string_view colour) {
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
        width, height, colour);
}

std::string svg_dot(double x, double y, double radius, std::string_view colour) {
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x, y, radius,
                       colour);
}

double svg_width(std::string_view text) {
    return letter * static_cast<double>(display_width(visible(text)));
}

std::string chart_text(double value, std::string_view unit) {
    if (unit == "bytes") {
        constexpr std::array<std::string_view, 6> names = {"B", "kB", "MB", "GB", "TB", "PB"};
        std::size_t power = 0;
        double part = value;
        for (; std::abs(part) >= 1000 && power + 1 < names.size(); ++power) {
            part /= 1000;
        }
        const double rounded = std::round(part * 10) / 10;
        return fmt::format("{} {}", to_text(Value(rounded)), names.at(power));
    }
    const std::string sign = unit == "%" ? " %" : "";
    return (value == std::floor(value) && std::abs(value) < 1e15
                ? grouped(static_cast<std::int64_t>(value))
                : to_text(Value(std::round(value * 1e6) / 1e6))) +
           sign;
}

double chart_step(double range, int parts) {
    const double least = range / parts;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least) {
            return factor * power;
        }
    }
    return 10 * power;
}

PictureBlock text_block(std::string_view text, double size) {
    PictureBlock block;
    const auto lines = lines_in(text, picture_width - 32, size);
    block.svg = fmt::format("<g fill=\"currentColor\" font-size=\"{}\">\n", size);
    for (const std::string& line : lines) {
        block.height += size + 6;
        block.svg += svg_text(16, block.height - 2, "start", line);
    }
    block.svg += "</g>\n";
    block.height += 6;
    return block;
}

void add_left_out(std::vector<PictureBlock>& blocks, std::size_t panels, const std::string& each) {
    if (panels > most_panels_drawn) {
        blocks.push_back(text_block(
            fmt::format("{} more of '{}' are not drawn", panels - most_panels_drawn, each), 12));
    }
}

PictureBlock legend_block(const std::vector<LegendEntry>& entries) {
    constexpr double two_columns = 330;
    const bool is_narrow = std::ranges::all_of(
        entries, [](const LegendEntry& entry) { return svg_width(entry.text) < two_columns; });
    PictureBlock block{"<g fill=\"currentColor\" font-size=\"12\">\n", 0};
    double y = 16;
    for (std::size_t number = 0; number < entries.size(); ++number) {
        const LegendEntry& entry = entries[number];
        const double x = picture_left + (is_narrow && number % 2 == 1 ? 350 : 0);
        block.svg += svg_dot(x + 5, y - 4, 5, entry.colour);
        if (is_narrow) {
            block.svg += svg_text(x + 18, y, "start", entry.text);
            y += number % 2 == 1 || number + 1 == entries.size() ? legend_step : 0;
            continue;
        }
        for (const std::string& line : lines_in(entry.text, picture_right - x - 18, 12)) {
            block.svg += svg_text(x + 18, y, "start", line);
            y += legend_step;
        }
    }
    block.svg += "</g>\n";
    block.height = y;
    return block;
}

std::string picture_of(const std::vector<PictureBlock>& blocks, std::string_view title,
                       std::string_view description, bool is_alone) {
    double height = 12;
    double width = picture_width;
    std::string inner;
    for (const PictureBlock& block : blocks) {
        inner += fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", height, block.svg);
        height += block.height;
        width = std::max(width, block.width);
    }
    height += 4;
    std::string svg = fmt::format(
        "<svg {}viewBox=\"0 0 {:.1f} {:.1f}\" role=\"img\" aria-labelledby=\"chart-title "
        "chart-text\" "
        "font-family=\"system-ui, sans-serif\"{}>\n<title id=\"chart-title\">{}</title>\n"
        "<desc id=\"chart-text\">{}</desc>\n",
        is_alone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", width, height,
        is_alone ? " color=\"#18202c\"" : "", html_line(title), html_line(description));
    if (is_alone) {
        svg += svg_rect(0, 0, width, height, "#ffffff");
    }
    return svg + inner + "</svg>\n";
}

std::string moment_text(double moment, bool has_hour) {
    constexpr std::size_t date = 10;
    constexpr std::size_t minute = 16;
    std::string text = format_moment(static_cast<Moment>(std::llround(moment)));
    text.resize(has_hour ? minute : date);
    std::ranges::replace(text, 'T', ' ');
    return text;
}

PlotScale::PlotScale(const ChartPanel& panel, const StackedPlot* stacked, ChartKind kind)
    : kind_(kind) {
    std::set<double> moments;
    for (const ChartSeries& series : panel.series) {
        for (const ChartPoint& point : series.points) {
            moments.insert(point.x);
            if (stacked == nullptr) {
                lowest_ = std::min(lowest_, point.y);
                highest_ = moments.size() == 1 && highest_ == 1 ? std::max(1.0, point.y)
                                                                : std::max(highest_, point.y);
            }
        }
    }
    if (stacked != nullptr) {
        lowest_ = stacked->lowest;
        highest_ = std::max(1.0 + lowest_, stacked->highest);
    }
    first = kind == ChartKind::curve ? 0 : *moments.begin();
    newest_ = last = *moments.rbegin();
    least_gap_ = last - first;
    for (auto at = moments.begin(); std::next(at) != moments.end(); ++at) {
        least_gap_ = std::min(least_gap_, *std::next(at) - *at);
    }
    if (kind == ChartKind::curve) {
        highest_ = std::max(highest_, 100.0);
    } else if (kind == ChartKind::areas) {
        constexpr double hour = 3600;
        last += std::max((last - first) / 20, hour);
    }
    step_ = chart_step(highest_ - lowest_, value_ticks);
    lowest_ = std::floor(lowest_ / step_) * step_;
    highest_ = std::ceil(highest_ / step_) * step_;
}

double PlotScale::x(double at) const {
    const double room = kind_ == ChartKind::columns ? column_width() / 2 + 2 : 0;
    const double begin = picture_left + room;
    const double end = picture_right - room;
    return last > first ? begin + (end - begin) * (at - first) / (last - first) : (begin + end) / 2;
}

double PlotScale::y(double value) const {
    return plot_bottom - (plot_bottom - plot_top) * (value - lowest_) / (highest_ - lowest_);
}

double PlotScale::column_width() const {
    if (last <= first) {
        return widest_column;
    }
    const double gap = (picture_right - picture_left) * least_gap_ / (last - first);
    return std::clamp(gap * 0.8, 1.0, widest_column);
}

std::string PlotScale::across_axis(const std::string& across_unit) const {
    std::string svg;
    if (kind_ == ChartKind::curve) {
        const double step = chart_step(std::max(last, 1e-9), 8);
        for (int mark = 0; mark * step <= last; ++mark) {
            const double at = mark * step;
            svg +=
                svg_text(x(at), plot_bottom + 18, at == 0 ? "start" : "middle", chart_text(at, ""));
        }
        return svg + svg_text(picture_right, plot_bottom + 33, "end", across_unit);
    }
    constexpr double three_days = 3 * 86400.0;
    const int marks = newest_ > first ? time_ticks : 1;
    for (int mark = 0; mark < marks; ++mark) {
        const double moment = marks == 1 ? first : first + (newest_ - first) * mark / (marks - 1);
        const char* const anchor = marks == 1          ? "middle"
                                   : mark == 0         ? "start"
                                   : mark == marks - 1 ? "end"
                                                       : "middle";
        svg += svg_text(x(moment), plot_bottom + 20, anchor,
                        moment_text(moment, newest_ - first <= three_days));
    }
    return svg;
}

std::string PlotScale::axes(const std::string& unit, const std::string& across_unit) const {
    std::string svg = "<g fill=\"currentColor\" font-size=\"12\" stroke=\"none\">\n";
    const int ticks = static_cast<int>(std::lround((highest_ - lowest_) / step_));
    for (int tick = 0; tick <= ticks; ++tick) {
        const double value = lowest_ + tick * step_;
        // Below zero stands what was removed: how many were, not how many less than none.
        const double shown = kind_ == ChartKind::columns ? std::abs(value) : value;
        svg += svg_line(picture_left, y(value), picture_right, y(value), value == 0 ? 0.6 : 0.15) +
               svg_text(picture_left - 8, y(value) + 4, "end", chart_text(shown, unit));
    }
    return svg + across_axis(across_unit) + "</g>\n";
}

}  // namespace cacheledger
