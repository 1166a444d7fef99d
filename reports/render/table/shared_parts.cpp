#include "reports/render/table/shared_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

using Parts = std::vector<std::string>;

constexpr std::string_view between_parts = "; ";

Parts parts_of_list(std::string_view cell) {
    Parts parts;
    for (auto end = cell.find(between_parts); end != std::string_view::npos;
         end = cell.find(between_parts)) {
        parts.emplace_back(cell.substr(0, end));
        cell.remove_prefix(end + between_parts.size());
    }
    parts.emplace_back(cell);
    return parts;
}

bool has_mark(const std::string& cell) {
    return cell.find(": ") != std::string::npos || cell.find(between_parts) != std::string::npos;
}

/// Whether each cell has a mark of a list, or is a part of one that has.
bool are_all_lists(const std::vector<std::string>& cells) {
    std::set<std::string> parts;
    for (const std::string& cell : cells) {
        if (has_mark(cell)) {
            std::ranges::move(parts_of_list(cell), std::inserter(parts, parts.end()));
        }
    }
    return std::ranges::all_of(
        cells, [&](const auto& cell) { return has_mark(cell) || parts.contains(cell); });
}

bool has_part(const Parts& parts, const std::string& part) {
    return std::ranges::find(parts, part) != parts.end();
}

}  // namespace

std::vector<std::string> take_shared_parts(std::vector<std::string>& cells) {
    if (cells.size() < 2 || !are_all_lists(cells)) {
        return {};
    }
    Parts shared = parts_of_list(cells.front());
    for (std::size_t i = 1; i < cells.size() && !shared.empty(); ++i) {
        const Parts parts = parts_of_list(cells[i]);
        std::erase_if(shared, [&](const auto& part) { return !has_part(parts, part); });
    }
    for (std::size_t i = 0; i < cells.size() && !shared.empty(); ++i) {
        Parts left = parts_of_list(cells[i]);
        std::erase_if(left, [&](const auto& part) { return has_part(shared, part); });
        cells[i] = fmt::format("{}", fmt::join(left, between_parts));
    }
    return shared;
}

std::string list_in_room(const std::string& cell, std::size_t room) {
    if (display_width(cell) <= room || !has_mark(cell)) {
        return cell;
    }
    const Parts parts = parts_of_list(cell);
    Parts names;
    for (const std::string& part : parts) {
        names.push_back(part.substr(0, part.find(": ")));
    }
    std::string text;
    for (std::size_t whole = parts.size(); whole-- > 0;) {
        const auto at = static_cast<std::ptrdiff_t>(whole);
        text = fmt::format("{}{}{}", fmt::join(parts.begin(), parts.begin() + at, between_parts),
                           whole > 0 ? between_parts : "",
                           fmt::join(names.begin() + at, names.end(), ", "));
        if (display_width(text) <= room) {
            break;
        }
    }
    return text;
}

}  // namespace cacheledger
