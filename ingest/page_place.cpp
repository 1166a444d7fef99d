#include "ingest/page_place.hpp"

#include <filesystem>

#include "schema/tag.hpp"

namespace cacheledger {

std::optional<std::string> folder_above(const std::string& file, int levels) {
    const std::filesystem::path path(file);
    if (path.filename() != "specs.md" && path.filename() != "index.md") {
        return std::nullopt;
    }
    std::filesystem::path folder = path.parent_path();
    for (; levels > 1; --levels) {
        folder = folder.parent_path();
    }
    const std::string name = folder.filename().string();
    return name.empty() ? std::nullopt : std::optional(name);
}

std::optional<std::string> tag_of_place(const std::string& file) {
    const auto tag = folder_above(file, 2);
    return tag && folder_above(file, 3) == "_cache" && !tag_problem(*tag) ? tag : std::nullopt;
}

}  // namespace cacheledger
