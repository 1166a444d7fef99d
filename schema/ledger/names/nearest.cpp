#include "schema/ledger/names/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

using Names = std::vector<std::string>;

constexpr std::size_t most_near = 3;

std::string lower(std::string_view text) {
    std::string all(text);
    std::ranges::transform(all, all.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return all;
}

/// The number of characters to add, remove or replace, or of neighbours to swap, to turn `a` into
/// `b`. Returns `most` + 1 early if the lengths differ by more than `most`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) {
        return most + 1;
    }
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::vector<std::size_t> next(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        next[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = row[j] + (a[i] == b[j] ? 0 : 1);
            next[j + 1] = std::min({replaced, row[j + 1] + 1, next[j] + 1});
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
                next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
            }
        }
        std::swap(before, row);
        std::swap(row, next);
    }
    return row.back();
}

/// How many changes turn what is typed into the word. More than `most` if it is another word: two
/// changes turn a short word into any other, unless both begin alike.
std::size_t distance_of_word(std::string_view typed, std::string_view word, std::size_t most) {
    constexpr std::size_t short_word = 6;
    const std::size_t distance = edit_distance(typed, word, most);
    const bool is_other = distance > 1 && typed.size() <= short_word && typed[0] != word.front();
    return is_other ? most + 1 : distance;
}

/// Whether the name, or one of its words, begins with what is typed: also as the pattern "ml-*".
bool begins_with(std::string_view name, std::string_view typed) {
    typed.remove_suffix(typed.ends_with('*') ? 1 : 0);
    for (auto at = name.find(typed); at != std::string_view::npos; at = name.find(typed, at + 1)) {
        if (at == 0 || std::string_view("/-_").find(name[at - 1]) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

std::size_t distance_of_words(std::string_view typed, std::string_view name, std::size_t most) {
    std::size_t nearest = most + 1;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of("/-_"), name.size());
        if (end > 0) {
            nearest = std::min(nearest, distance_of_word(typed, name.substr(0, end), most));
        }
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return nearest;
}

constexpr std::string_view first_day = "0000-01-01";

/// "2025-04" and "2025" are the first day of that month or year.
std::optional<Moment> begin_of(std::string_view when) {
    if (when.size() < 4 || when.size() > first_day.size()) {
        return parse_moment(when);
    }
    return parse_moment(std::string(when) + std::string(first_day.substr(when.size())));
}

/// The snapshots of the series before and after the moment.
Names neighbours(SQLite::Database& database, const std::string& series, Moment moment) {
    Names names;
    const std::string of_series = "WHERE series_id = (SELECT series_id FROM series WHERE name = ?)";
    for (const char* const side :
         {" AND taken_at < ? ORDER BY taken_at DESC", " AND taken_at >= ? ORDER BY taken_at"}) {
        for (const Snapshot& snapshot :
             select_snapshots(database, of_series + side + " LIMIT 1", series, moment)) {
            names.push_back(snapshot.name);
        }
    }
    return names;
}

Names at_other_moments(SQLite::Database& database, std::string_view typed) {
    for (const char end_of_tag : {'@', '-'}) {
        for (auto at = typed.find(end_of_tag); at != std::string_view::npos;
             at = typed.find(end_of_tag, at + 1)) {
            const auto moment = begin_of(typed.substr(at + 1));
            const std::string tag(typed.substr(0, at));
            for (const std::string& series : {tag, tag + "-*"}) {
                if (auto names = moment ? neighbours(database, series, *moment) : Names();
                    !names.empty()) {
                    return names;
                }
            }
        }
    }
    return {};
}

/// Of dated tags their series is enough, unless a date is typed.
Names known_names(SQLite::Database& database, bool with_moments) {
    Names names{std::string(latest)};
    for (const auto& [name] : rows<std::string>(
             database,
             with_moments
                 ? "SELECT name FROM snapshot UNION SELECT tag FROM snapshot"
                 : "SELECT name FROM series UNION SELECT tag FROM snapshot WHERE tag <> name")) {
        names.push_back(name);
    }
    return names;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view typed,
                                       const std::vector<std::string>& names) {
    if (typed.size() < 2) {
        return {};
    }
    const std::string low = lower(typed);
    // At least one character must match: every name is near if all characters may be replaced.
    const std::size_t most = std::min(std::max<std::size_t>(2, typed.size() / 3), typed.size() - 1);
    // The distance, whether it is that of a word only, and the name.
    std::vector<std::tuple<std::size_t, bool, std::string>> near;
    for (const std::string& name : names) {
        const std::string low_name = lower(name);
        const std::size_t whole =
            low_name.empty() ? most + 1 : distance_of_word(low, low_name, most);
        const std::size_t nearest = std::min(whole, distance_of_words(low, low_name, most));
        if (nearest <= most) {
            near.emplace_back(nearest, whole > nearest, name);
        } else if (begins_with(low_name, low)) {
            near.emplace_back(most + 1, !low_name.starts_with(low), name);
        }
    }
    std::ranges::sort(near);
    std::vector<std::string> found;
    for (const auto& [distance, is_word, name] : near) {
        if (distance == std::get<0>(near.front()) && found.size() < most_near) {
            found.push_back(name);
        }
    }
    return found;
}

Names suggest_snapshots(SQLite::Database& database, std::string_view typed) {
    typed = typed.substr(0, typed.find("@{"));  // what stands there is a moment, and not at fault
    if (auto names = at_other_moments(database, typed); !names.empty()) {
        return names;
    }
    const bool has_moment = typed.find_first_of("0123456789") != std::string_view::npos;
    if (auto near = nearest_names(typed, known_names(database, has_moment)); !near.empty()) {
        return near;
    }
    return nearest_names(typed.substr(0, typed.find('@')), known_names(database, false));
}

std::string text_of_unknown(std::string_view what, std::string_view typed,
                            const std::vector<std::string>& names, std::string_view otherwise) {
    const auto near = nearest_names(typed, names);
    return near.empty() ? fmt::format("no {} '{}'; {}", what, typed, otherwise)
                        : fmt::format("no {} '{}'; did you mean '{}'?", what, typed,
                                      fmt::join(near, "', '"));
}

void refuse_unknown(std::string_view what, std::string_view typed,
                    const std::vector<std::string>& names, std::string_view otherwise) {
    throw UsageError(text_of_unknown(what, typed, names, otherwise));
}

}  // namespace cacheledger
