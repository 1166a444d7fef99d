#include "reports/render/table/column_kind.hpp"

#include <algorithm>
#include <array>

namespace cacheledger {

namespace {

constexpr auto keys = std::to_array<std::string_view>({
    "build_hash", "cause",   "compiler", "dependency", "dependency_hash",
    "from",       "hash",    "kind",     "name",       "nearest",
    "newest",     "package", "report",   "root",       "series",
    "snapshot",   "spec",    "stack",    "tag",        "target",
    "to",         "version",
});

constexpr auto columns_of_changes = std::to_array<std::string_view>({"change", "event", "kind"});

constexpr auto words_for_added =
    std::to_array<std::string_view>({"added", "appeared", "came", "gained", "joined", "new"});

constexpr auto words_for_removed = std::to_array<std::string_view>(
    {"disappeared", "gone", "left", "lost", "removed", "vanished", "went"});

bool is_one_of(const auto& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

Tone tone_of_word(std::string_view word) {
    return is_one_of(words_for_added, word)     ? Tone::added
           : is_one_of(words_for_removed, word) ? Tone::removed
                                                : Tone::plain;
}

}  // namespace

bool is_key(std::string_view column) {
    return std::ranges::find(keys, column) != keys.end();
}

bool is_hash_list(std::string_view column) {
    return column.starts_with("hashes");
}

bool is_difference_list(std::string_view column) {
    return column == "differs";
}

bool is_source(std::string_view column) {
    return column == "source";
}

std::string_view leading_column(std::string_view column) {
    return column == "platform" ? "os" : "";
}

Tone tone_of(std::string_view column, std::string_view cell) {
    if (is_one_of(columns_of_changes, column)) {  // "package-added"
        return tone_of_word(cell.substr(cell.rfind('-') + 1));
    }
    return cell == "0" || cell == "-" || cell == "·" ? Tone::plain : tone_of_word(column);
}

}  // namespace cacheledger
