#include "reports/history/history_renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

#include "reports/history/event_words.hpp"
#include "reports/table/alike_columns.hpp"
#include "reports/table/text_width.hpp"
#include "schema/basics/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_names_of_event = 5;
constexpr std::size_t length_of_date = 10;    // "2025-03-30"
constexpr std::size_t length_of_minute = 16;  // "2025-03-30T06:00"

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

std::string place_of(const HistoryEvent& event) {
    return fmt::format("{} in {}", event.package, event.series);
}

// Dates, or with the time if a date has several events of a series.
std::size_t length_of_moments(const SpecHistory& history) {
    std::map<std::string, int> dates;
    for (const HistoryEvent& event : history.events) {
        if (++dates[event.package + event.series + event.taken_at.substr(0, length_of_date)] > 1) {
            return length_of_minute;
        }
    }
    return length_of_date;
}

bool has_several_places(const SpecHistory& history) {
    return std::ranges::any_of(history.events,
                               [&](const HistoryEvent& event) {
                                   return event.series != history.events.front().series ||
                                          event.package != history.events.front().package;
                               }) ||
           history.events.empty();
}

}  // namespace

std::string headline(const SpecHistory& history) {
    std::string line = history.spec.value_or(history.asked);
    if (history.events.empty() && history.left_out == 0) {
        return line + ": no events";
    }
    if (!has_several_places(history)) {
        line += fmt::format(" in {}", history.events.front().series);
    }
    if (history.left_out > 0) {
        const auto all = static_cast<std::int64_t>(history.events.size() + history.left_out);
        line += fmt::format(": the newest {} of {}", history.events.size(), counted(all, "event"));
    }
    return line;
}

void render_history_text(const SpecHistory& history, const RenderOptions& options,
                         std::ostream& out) {
    out << paragraph(visible(headline(history)), options.width);
    for (const std::string& remark : history.remarks) {
        out << paragraph(visible(remark), options.width);
    }
    const std::size_t length = length_of_moments(history);
    std::string place = has_several_places(history) ? "" : place_of(history.events.front());
    for (const HistoryEvent& event : history.events) {
        const std::string here = place_of(event);
        if (here != place) {
            out << "\n" << paragraph(visible(here), options.width);
            place = here;
        }
        out << alike_line(event.taken_at.substr(0, length) + " ",
                          words_of(visible(event_words(event, most_names_of_event))),
                          options.width);
    }
}

}  // namespace cacheledger
