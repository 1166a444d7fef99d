#include "schema/names/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_near = 3;

std::string lower(std::string_view text) {
    std::string all(text);
    std::ranges::transform(all, all.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return all;
}

/// The number of characters to add, remove or replace to turn `a` into `b`. Returns `most` + 1
/// early if the lengths differ by more than `most`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) {
        return most + 1;
    }
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::size_t distance_of_words(std::string_view typed, std::string_view name, std::size_t most) {
    std::size_t nearest = most + 1;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of("/-_"), name.size());
        nearest = std::min(nearest, edit_distance(typed, name.substr(0, end), most));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return nearest;
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
    std::vector<std::tuple<std::size_t, bool, std::string>> near;  // distance, of a word only, name
    for (const std::string& name : names) {
        const std::string low_name = lower(name);
        const std::size_t whole = edit_distance(low, low_name, most);
        const std::size_t nearest = std::min(whole, distance_of_words(low, low_name, most));
        if (nearest <= most) {
            near.emplace_back(nearest, whole > nearest, name);
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

void refuse_unknown(std::string_view what, std::string_view typed,
                    const std::vector<std::string>& names, std::string_view otherwise) {
    const auto near = nearest_names(typed, names);
    throw UsageError(near.empty() ? fmt::format("no {} '{}'; {}", what, typed, otherwise)
                                  : fmt::format("no {} '{}'; did you mean '{}'?", what, typed,
                                                fmt::join(near, "', '")));
}

}  // namespace cacheledger
