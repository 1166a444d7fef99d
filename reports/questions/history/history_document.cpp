#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>

#include "reports/questions/history/history.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_names_of_event = 5;
constexpr std::size_t length_of_date = 10;    // "2025-03-30"
constexpr std::size_t length_of_minute = 16;  // "2025-03-30T06:00"

// Dates, or with the time if a date has several events of a series.
std::size_t length_of_moments(const SpecHistory& history) {
    std::map<std::string, int> dates;
    for (const HistoryEvent& event : history.events) {
        if (event.kind != HistoryEvent::Kind::recipe &&
            ++dates[event.package + event.series + event.taken_at.substr(0, length_of_date)] > 1) {
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

std::string headline_of_history(const SpecHistory& history) {
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

// "116 builds in the newest snapshot; first seen 2025-02-10."
std::string seen_words(const SeenBuilds& seen) {
    if (seen.newest > 0) {
        return fmt::format("{} in the newest snapshot; first seen {}.",
                           counted(seen.newest, "build"), format_day(seen.first));
    }
    return fmt::format("None in the newest snapshot; first seen {}, last seen {}.",
                       format_day(seen.first), format_day(seen.last));
}

// "2025-03-30", and of builds of any packages how many there are, in a column as wide as the
// widest.
std::string label_of(const HistoryEvent& event, std::size_t length, std::size_t width) {
    const std::string date = event.taken_at.substr(0, length);
    return event.package.empty()
               ? fmt::format("{}  {:>{}} ", date, counted(event.builds, "build ", "builds"), width)
               : date + " ";
}

// A line for each event, below its package and series if there are several.
std::vector<DocumentPart> parts_of_history(const SpecHistory& history) {
    const std::size_t length = length_of_moments(history);
    const bool has_headings = has_several_places(history);
    std::size_t width = 0;
    for (const HistoryEvent& event : history.events) {
        width = std::max(width, counted(event.builds, "build ", "builds").size());
    }
    std::vector<DocumentPart> parts;
    std::string place;
    for (const HistoryEvent& event : history.events) {
        if (const std::string here = fmt::format("{} in {}", event.package, event.series);
            here != place) {
            DocumentPart& part = parts.emplace_back();
            part.title = has_headings ? here : "";
            part.is_apart = has_headings;
            place = here;
        }
        const std::string words = visible(event_words(event, most_names_of_event));
        parts.back().lines.push_back({label_of(event, length, width), split(words, ' ')});
    }
    return parts;
}

std::vector<std::string> names_of(const std::map<std::string, std::int64_t>& stacks) {
    std::vector<std::string> names;
    names.reserve(stacks.size());
    for (const auto& [stack, specs] : stacks) {
        names.push_back(stack);
    }
    return names;
}

/// What they say of a snapshot or of commits, in the columns of to_table(). Of commits, nothing of
/// builds is known.
std::vector<Value> row_of(const HistoryEvent& event) {
    const auto joined = [](const auto& names, const char* separator) {
        return names.empty() ? Value() : Value(fmt::format("{}", fmt::join(names, separator)));
    };
    const auto changed = [](const BeforeAndAfter& names) {
        const std::string words = arrow(names, all_rows);
        return words.empty() ? Value() : Value(words);
    };
    const bool is_recipe = event.kind == HistoryEvent::recipe;
    std::vector<Value> row = {event.taken_at, is_recipe ? Value() : Value(event.snapshot),
                              event.series, event.package.empty() ? Value() : Value(event.package),
                              event_words(event, all_rows)};
    if (!is_recipe) {
        row.insert(row.end(),
                   {event.builds, event.added, event.removed,
                    event.package.empty() ? Value() : Value(event.rebuilt), changed(event.version),
                    changed(event.target), changed(event.compiler), joined(event.options, "; "),
                    joined(names_of(event.joined), ","), joined(names_of(event.left), ",")});
    }
    return row;
}

}  // namespace

ResultTable to_table(const SpecHistory& history) {
    ResultTable table{
        {"taken_at", "snapshot", "series", "package", "event", "builds", "added", "removed",
         "rebuilt", "versions", "targets", "compilers", "variants", "stacks_joined", "stacks_left"},
        {}};
    const std::size_t columns = table.columns.size();
    if (history.has_commits) {
        table.columns.insert(table.columns.end(), {"kind", "commits"});
    }
    for (const HistoryEvent& event : history.events) {
        std::vector<Value>& row = table.rows.emplace_back(row_of(event));
        row.resize(columns);
        if (history.has_commits) {
            const bool is_recipe = event.kind == HistoryEvent::recipe;
            row.emplace_back(is_recipe ? "recipe" : "builds");
            std::vector<std::string> ids;
            std::ranges::transform(event.commits, std::back_inserter(ids),
                                   &RecipeCommit::commit_id);
            row.push_back(ids.empty() ? Value() : Value(fmt::format("{}", fmt::join(ids, ","))));
        }
    }
    return table;
}

Document document_of(const SpecHistory& history) {
    Document document;
    document.title = headline_of_history(history);
    document.lines.push_back(document.title);
    if (history.seen) {
        document.lines.push_back(seen_words(*history.seen));
    }
    std::ranges::copy(history.remarks, std::back_inserter(document.lines));
    document.notes = history.remarks;
    document.parts = [&history] { return parts_of_history(history); };
    document.rows = [&history] { return to_table(history); };
    return document;
}

Feed feed_of(const SpecHistory& history) {
    Feed feed{fmt::format("history\n{}\n{}", history.asked, history.place),
              history.spec.value_or(history.asked),
              {}};
    for (const HistoryEvent& event : history.events) {
        if (event.kind == HistoryEvent::Kind::still) {
            continue;
        }
        const bool is_recipe = event.kind == HistoryEvent::Kind::recipe;
        const std::string& what = is_recipe ? event.commits.back().commit_id : event.snapshot;
        FeedEntry& entry = feed.entries.emplace_back(FeedEntry{
            fmt::format("{}\n{}\n{}\n{}", history.asked, event.series, event.package, what),
            fmt::format("{} in {}: {}", event.package.empty() ? history.asked : event.package,
                        event.series, event_words(event, most_names_of_event)),
            event.taken_at,
            {event_words(event, all_rows)},
            {{"series", event.series}}});
        if (!is_recipe) {
            entry.paragraphs.push_back(fmt::format("The snapshot {} has {}.", event.snapshot,
                                                   counted(event.builds, "build")));
        }
        if (!event.package.empty()) {
            entry.categories.emplace("package", event.package);
        }
        constexpr std::size_t most_packages = 100;  // those with most builds come first
        for (const PackageCounts& one :
             std::span(event.packages).first(std::min(event.packages.size(), most_packages))) {
            entry.categories.emplace("package", one.package);
        }
        for (const auto* const stacks : {&event.joined, &event.left}) {
            for (const auto& [stack, specs] : *stacks) {
                entry.categories.emplace("stack", stack);
            }
        }
    }
    return feed;
}

}  // namespace cacheledger
