#include "reports/render/html/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "reports/render/html/html_text.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

namespace {

// The picture, in its own units.
constexpr double width = 760;
constexpr double left = 64;
constexpr double right = 744;
constexpr double top = 40;
constexpr double bottom = 280;
constexpr double legend_top = 326;
constexpr double legend_row = 20;
constexpr std::size_t legend_columns = 2;
constexpr double legend_column = 350;

constexpr std::size_t most_lines_drawn = 8;
constexpr std::size_t longest_name = 40;  // characters of a name in the legend
constexpr int value_ticks = 5;
constexpr int time_ticks = 5;

// They keep apart on a light and on a dark background.
constexpr std::array<std::string_view, most_lines_drawn> colours = {
    "#4a7fdc", "#d98a12", "#c9503a", "#1f8f82", "#8a55c8", "#74839a", "#5d8c1f", "#c2528b"};

struct Point {
    Moment moment = 0;
    double value = 0;
};

struct Line {
    std::string name;
    std::vector<Point> points;
};

std::size_t place_of(const ResultTable& table, const std::string& column) {
    const auto found = std::ranges::find(table.columns, column);
    if (found == table.columns.end()) {
        throw std::invalid_argument(fmt::format("the chart needs a column '{}'", column));
    }
    return static_cast<std::size_t>(found - table.columns.begin());
}

double number_of(const Value& value) {
    if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*integer);
    }
    const auto* const real = std::get_if<double>(&value);
    if (real == nullptr || !std::isfinite(*real)) {
        throw std::invalid_argument(
            fmt::format("the chart needs numbers, not '{}'", to_text(value)));
    }
    return *real;
}

Moment moment_of(const Value& value) {
    const auto moment = parse_moment(to_text(value));
    if (!moment) {
        throw std::invalid_argument(
            fmt::format("the chart needs moments, not '{}'", to_text(value)));
    }
    return *moment;
}

/// The columns that name the lines, without those that are alike in all rows. At least one stays.
std::vector<std::size_t> naming(const ResultTable& table, const std::vector<std::string>& columns) {
    std::vector<std::size_t> places(columns.size());
    std::ranges::transform(columns, places.begin(),
                           [&](const std::string& column) { return place_of(table, column); });
    const std::size_t last = places.back();
    std::erase_if(places, [&](std::size_t place) {
        return place != last && std::ranges::all_of(table.rows, [&](const auto& row) {
                   return row[place] == table.rows.front()[place];
               });
    });
    return places;
}

/// The lines by their names. A row without a value is no point.
std::vector<Line> lines_of(const ResultTable& table, const ChartColumns& columns) {
    const std::size_t time = place_of(table, columns.time);
    const std::size_t value = place_of(table, columns.value);
    const auto names = naming(table, columns.lines);
    std::map<std::string, std::vector<Point>> by_name;
    for (const auto& row : table.rows) {
        std::string name;
        for (const std::size_t column : names) {
            name += (name.empty() ? "" : ", ") + to_text(row[column]);
        }
        auto& points = by_name[name];
        if (!is_null(row[value])) {
            points.push_back({moment_of(row[time]), number_of(row[value])});
        }
    }
    std::vector<Line> lines;
    for (auto& [name, points] : by_name) {
        std::ranges::stable_sort(points, {}, &Point::moment);
        if (!points.empty()) {
            lines.push_back({name, std::move(points)});
        }
    }
    std::ranges::stable_sort(lines, std::ranges::greater(),
                             [](const Line& line) { return line.points.back().value; });
    return lines;
}

/// 1, 2 or 5 times a power of ten, at least a part of `range`.
double step_of(double range) {
    const double least = range / value_ticks;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least) {
            return factor * power;
        }
    }
    return 10 * power;
}

/// Where moments and values are in the picture.
struct Scale {
    Moment first = 0;
    Moment last = 0;
    double lowest = 0;
    double highest = 1;
    double step = 1;

    explicit Scale(const std::vector<Line>& lines) {
        std::optional<Point> some;
        for (const Line& line : lines) {
            for (const Point& point : line.points) {
                first = some ? std::min(first, point.moment) : point.moment;
                last = some ? std::max(last, point.moment) : point.moment;
                lowest = std::min(lowest, point.value);
                highest = some ? std::max(highest, point.value) : std::max(1.0, point.value);
                some = point;
            }
        }
        step = step_of(highest - lowest);
        lowest = std::floor(lowest / step) * step;
        highest = std::ceil(highest / step) * step;
    }

    double x(Moment moment) const {
        const auto range = static_cast<double>(last - first);
        const auto done = static_cast<double>(moment - first);
        return range > 0 ? left + (right - left) * done / range : (left + right) / 2;
    }
    double y(double value) const {
        return bottom - (bottom - top) * (value - lowest) / (highest - lowest);
    }
};

std::string number_text(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15
               ? grouped(static_cast<std::int64_t>(value))
               : to_text(Value(value));
}

/// The date, or in a short time the hour, too.
std::string moment_text(Moment moment, const Scale& scale) {
    constexpr Moment days = Moment{3} * 86400;
    constexpr std::size_t date = 10;
    constexpr std::size_t minute = 16;
    std::string text = format_moment(moment);
    text.resize(scale.last - scale.first > days ? date : minute);
    std::ranges::replace(text, 'T', ' ');
    return text;
}

std::string text_element(double x, double y, std::string_view anchor, std::string_view text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, html_line(text));
}

std::string axes(const Scale& scale) {
    std::string svg = "<g fill=\"currentColor\" font-size=\"12\" stroke=\"none\">\n";
    const int ticks = static_cast<int>(std::lround((scale.highest - scale.lowest) / scale.step));
    for (int tick = 0; tick <= ticks; ++tick) {
        const double value = scale.lowest + tick * scale.step;
        svg += fmt::format(
            "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
            "stroke=\"currentColor\" stroke-opacity=\"{}\"/>\n",
            left, scale.y(value), right, scale.y(value), value == 0 ? "0.6" : "0.15");
        svg += text_element(left - 8, scale.y(value) + 4, "end", number_text(value));
    }
    const int marks = scale.last > scale.first ? time_ticks : 1;
    for (int mark = 0; mark < marks; ++mark) {
        const Moment moment = marks == 1
                                  ? scale.first
                                  : scale.first + (scale.last - scale.first) * mark / (marks - 1);
        const char* const anchor = marks == 1          ? "middle"
                                   : mark == 0         ? "start"
                                   : mark == marks - 1 ? "end"
                                                       : "middle";
        svg += text_element(scale.x(moment), bottom + 20, anchor, moment_text(moment, scale));
    }
    return svg + "</g>\n";
}

/// A step to each point, and from the last one to the end of the picture.
std::string path_of(const Line& line, const Scale& scale) {
    std::string path;
    for (const Point& point : line.points) {
        path += path.empty()
                    ? fmt::format("M{:.1f} {:.1f}", scale.x(point.moment), scale.y(point.value))
                    : fmt::format("H{:.1f}V{:.1f}", scale.x(point.moment), scale.y(point.value));
    }
    return path + fmt::format("H{:.1f}", scale.x(scale.last));
}

std::string drawn(const Line& line, std::string_view colour, const Scale& scale) {
    const Point& end = line.points.back();
    return fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
        "\n<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n",
        path_of(line, scale), colour, scale.x(end.moment), scale.y(end.value), colour);
}

/// The beginning of a long name. UTF-8 is cut between characters.
std::string shortened(const std::string& name) {
    std::size_t characters = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const bool is_first_byte = (static_cast<unsigned char>(name[at]) & 0xc0U) != 0x80U;
        characters += is_first_byte ? 1 : 0;
        if (characters > longest_name) {
            return name.substr(0, at) + "…";
        }
    }
    return name;
}

std::string legend_entry(const Line& line, std::size_t number) {
    const double x = left + static_cast<double>(number % legend_columns) * legend_column;
    const std::size_t row = number / legend_columns;
    const double y = legend_top + static_cast<double>(row) * legend_row;
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", x + 5, y - 4,
                       colours.at(number)) +
           text_element(
               x + 18, y, "start",
               fmt::format("{} {}", shortened(line.name), number_text(line.points.back().value)));
}

std::string description(const std::vector<Line>& lines, std::size_t drawn_lines,
                        const Scale& scale) {
    std::string text;
    for (std::size_t number = 0; number < drawn_lines; ++number) {
        const Line& line = lines[number];
        text += fmt::format(
            "{}: {} at {}, {} at {}. ", line.name, number_text(line.points.front().value),
            moment_text(line.points.front().moment, scale), number_text(line.points.back().value),
            moment_text(line.points.back().moment, scale));
    }
    return text;
}

}  // namespace

std::string line_chart(const ResultTable& table, const ChartColumns& columns,
                       const std::string& title, bool is_alone) {
    const std::vector<Line> lines = lines_of(table, columns);
    const std::size_t count = std::min(lines.size(), most_lines_drawn);
    const Scale scale(lines);
    const std::size_t legend_rows = (count + legend_columns - 1) / legend_columns + 1;
    const double height = legend_top + static_cast<double>(legend_rows) * legend_row - 10;

    std::string svg = fmt::format(
        "<svg {}viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"chart-title chart-text\" "
        "font-family=\"system-ui, sans-serif\"{}>\n<title id=\"chart-title\">{}</title>\n"
        "<desc id=\"chart-text\">{}</desc>\n",
        is_alone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", width, height,
        is_alone ? " color=\"#18202c\"" : "", html_line(title),
        html_line(lines.empty() ? "no points" : description(lines, count, scale)));
    if (is_alone) {
        svg += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", width, height);
    }
    svg += "<g fill=\"currentColor\" font-size=\"13\">\n" +
           text_element(left, top - 18, "start",
                        lines.empty() ? columns.value + ": no points" : columns.value) +
           "</g>\n";
    if (!lines.empty()) {
        svg += axes(scale);
    }
    for (std::size_t number = count; number-- > 0;) {  // the greatest above the others
        svg += drawn(lines[number], colours.at(number), scale);
    }
    svg += "<g fill=\"currentColor\" font-size=\"12\">\n";
    for (std::size_t number = 0; number < count; ++number) {
        svg += legend_entry(lines[number], number);
    }
    if (lines.size() > count) {
        svg += text_element(left, height - 6, "start",
                            fmt::format("{} more are not drawn", lines.size() - count));
    }
    return svg + "</g>\n</svg>\n";
}

}  // namespace cacheledger
