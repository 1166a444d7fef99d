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

std::string shortened_list(const std::string& cell, std::size_t room) {
    if (display_width(cell) <= room || !has_mark(cell)) {
        return cell;
    }
    const Parts parts = parts_of_list(cell);
    Parts names;
    for (const std::string& part : parts) {
        names.push_back(part.substr(0, part.find(": ")));
    }
    const auto named = [&](std::size_t whole, std::size_t end) {
        const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
        return fmt::format("{}{}{}", fmt::join(parts.begin(), parts.begin() + at(whole), "; "),
                           whole > 0 && whole < end ? "; " : "",
                           fmt::join(names.begin() + at(whole), names.begin() + at(end), ", "));
    };
    for (std::size_t whole = parts.size(); whole-- > 0;) {
        if (std::string text = named(whole, parts.size()); display_width(text) <= room) {
            return text;
        }
    }
    std::size_t end = parts.size();
    std::string text;
    do {
        --end;
        text = fmt::format("{} and {} more", named(0, end), parts.size() - end);
    } while (end > 1 && display_width(text) > room);
    return end == 0 ? cell : text;
}

}  // namespace cacheledger
