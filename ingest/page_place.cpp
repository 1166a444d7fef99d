#include "ingest/page_place.hpp"

#include <string_view>

#include "schema/tag.hpp"

namespace cacheledger {

namespace {

// The path without its last part; empty where there is no other.
std::string_view parent(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::optional<std::string> folder_above(std::string_view file, int levels) {
    const std::string_view name = file_name(file);
    if (name != "specs.md" && name != "index.md") {
        return std::nullopt;
    }
    std::string_view folder = parent(file);
    for (; levels > 1; --levels) {
        folder = parent(folder);
    }
    const std::string_view found = file_name(folder);
    return found.empty() ? std::nullopt : std::optional<std::string>(found);
}

std::optional<std::string> tag_of_place(std::string_view file) {
    const auto tag = folder_above(file, 2);
    return tag && folder_above(file, 3) == "_cache" && !tag_problem(*tag) ? tag : std::nullopt;
}

}  // namespace cacheledger
