#include "reports/render/table/shared_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

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

/// Which cells are lists: those with a mark of one, and those that are a part of such a list.
std::vector<bool> find_lists(const std::vector<std::string>& cells) {
    std::set<std::string> parts;
    std::vector<bool> are_lists;
    for (const std::string& cell : cells) {
        const bool has_mark =
            cell.find(": ") != std::string::npos || cell.find(between_parts) != std::string::npos;
        are_lists.push_back(has_mark);
        if (has_mark) {
            std::ranges::move(parts_of_list(cell), std::inserter(parts, parts.end()));
        }
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        are_lists[i] = are_lists[i] || parts.contains(cells[i]);
    }
    return are_lists;
}

bool has_part(const Parts& parts, const std::string& part) {
    return std::ranges::find(parts, part) != parts.end();
}

}  // namespace

SharedParts take_shared_parts(std::vector<std::string>& cells) {
    const std::vector<bool> are_lists = find_lists(cells);
    const auto lists = std::ranges::count(are_lists, true);
    if (lists < 2) {
        return {};
    }
    const auto first = std::ranges::find(are_lists, true) - are_lists.begin();
    SharedParts shared{parts_of_list(cells[static_cast<std::size_t>(first)]),
                       cells.size() - static_cast<std::size_t>(lists)};
    for (std::size_t i = 0; i < cells.size() && !shared.parts.empty(); ++i) {
        if (are_lists[i]) {
            const Parts parts = parts_of_list(cells[i]);
            std::erase_if(shared.parts, [&](const auto& part) { return !has_part(parts, part); });
        }
    }
    for (std::size_t i = 0; i < cells.size() && !shared.parts.empty(); ++i) {
        if (are_lists[i]) {
            Parts left = parts_of_list(cells[i]);
            std::erase_if(left, [&](const auto& part) { return has_part(shared.parts, part); });
            cells[i] = fmt::format("{}", fmt::join(left, between_parts));
        }
    }
    return shared;
}

}  // namespace cacheledger
