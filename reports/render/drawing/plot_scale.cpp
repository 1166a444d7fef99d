#include "reports/render/drawing/plot_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/render/drawing/svg.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

namespace {

constexpr int value_ticks = 5;
constexpr int time_ticks = 5;
constexpr double widest_column = 40;

}  // namespace

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
