#include "ingest/sources/upstream_layout.hpp"

#include <optional>
#include <string>

#include "schema/names/tag.hpp"

namespace cacheledger {

namespace {

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// The path without its last part; empty where there is no other.
std::string_view parent(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::optional<std::string> name_of(std::string_view folder) {
    const std::string_view name = last_part(folder);
    return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

}  // namespace

PlaceSays place_says(std::string_view file) {
    const std::string_view name = last_part(file);
    if (name != "specs.md" && name != "index.md") {
        return {};
    }
    const std::string_view folder = parent(file);
    const std::string_view above = parent(folder);
    PlaceSays says;
    says.package = name_of(folder);
    says.likely_tag = name_of(above);
    if (last_part(parent(above)) == "_cache") {
        says.must_agree = has_page_name(file);
        if (says.likely_tag && !tag_problem(*says.likely_tag)) {
            says.tag = says.likely_tag;
        }
    }
    return says;
}

bool has_page_name(std::string_view file) {
    return last_part(file) == "specs.md";
}

}  // namespace cacheledger
