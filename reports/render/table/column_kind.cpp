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

}  // namespace

bool is_key(std::string_view column) {
    return std::ranges::find(keys, column) != keys.end();
}

bool is_hash_list(std::string_view column) {
    return column.starts_with("hashes");
}

bool is_source(std::string_view column) {
    return column == "source";
}

}  // namespace cacheledger
