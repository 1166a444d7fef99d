#include "ingest/git/tree_page.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "ingest/files/page_files.hpp"
#include "ingest/sources/upstream_layout.hpp"

namespace cacheledger {

PagePlace place_of(const std::string& path) {
    return {path, path, place_says(path)};
}

PageState read_state(const GitRepository& repository, const GitPage& file, PageReader& reader) {
    PagePlace place = place_of(file.path);
    std::string text;
    try {
        text = repository.read(file.blob);
    } catch (const Problem& problem) {
        return {std::move(place), unreadable_page(file.path, problem)};
    }
    const auto read_beside = [&](const std::string& name) {
        refuse_path(name);
        place.beside.push_back((std::filesystem::path(file.path).parent_path() / name).string());
        return repository.read(file.tree, place.beside.back());
    };
    auto content = reader.read({file.path, text, file.blob, has_page_name(file.path), read_beside});
    return made_known(std::move(place), std::move(content), nothing_known);
}

}  // namespace cacheledger
