#include "ingest/sources/pages/upstream_layout.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace cacheledger {

namespace {

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// The path without its last part; empty if it has only one.
std::string_view parent(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::optional<std::string> name_of(std::string_view folder) {
    const std::string_view name = last_part(folder);
    return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

// The folders in which a page is, if it has upstream's place.
struct Folders {
    std::optional<std::string> package;
    std::optional<std::string> tag;
    bool in_cache = false;  // in a folder _cache
};

Folders folders_of(std::string_view file) {
    const std::string_view name = last_part(file);
    if (name != "specs.md" && name != "index.md") {
        return {};
    }
    const std::string_view folder = parent(file);
    const std::string_view above = parent(folder);
    return {name_of(folder), name_of(above), last_part(parent(above)) == "_cache"};
}

BadPage completed(BadPage bad, const Folders& folders) {
    if (!bad.package || bad.package->empty()) {
        bad.package = folders.package;
    }
    if (!bad.tag && folders.in_cache && folders.tag && !tag_problem(*folders.tag)) {
        bad.tag = folders.tag;
    }
    if (!bad.tag) {
        bad.possible_tag = folders.tag;
    }
    return bad;
}

std::vector<PageFinding> misplacements(const PageHead& page, const Folders& folders) {
    std::vector<PageFinding> findings;
    const std::string package = folders.package.value_or("");
    const std::string tag = folders.tag.value_or("");
    if (package != page.package) {
        findings.push_back(
            {"title-mismatch", "", fmt::format("the page lies in the folder of {}", package)});
    }
    if (page.tag && tag != *page.tag) {
        findings.push_back(
            {"tag-mismatch", "",
             fmt::format("the page says {}, it lies in the folder of {}", *page.tag, tag)});
    }
    return findings;
}

}  // namespace

PageState state_in_layout(PagePlace place, Content content, ReadAgain read_again) {
    const Folders folders = folders_of(place.name);
    if (auto* const bad = std::get_if<BadPage>(&content)) {
        return {std::move(place), completed(std::move(*bad), folders)};
    }
    std::vector<PageFinding> findings;
    const PageHead* const page = head_of(content);
    if (page != nullptr && folders.in_cache && has_page_name(place.name)) {
        findings = misplacements(*page, folders);
    }
    return {std::move(place), std::move(content), std::move(findings), std::move(read_again)};
}

bool has_page_name(std::string_view file) {
    return last_part(file) == "specs.md";
}

}  // namespace cacheledger
