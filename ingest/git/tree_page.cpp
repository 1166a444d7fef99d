#include "ingest/git/tree_page.hpp"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/sources/upstream_layout.hpp"

namespace cacheledger {

PageState read_state(const GitRepository& repository, const TreePage& page, PageReader& reader) {
    std::string text;
    try {
        text = repository.read(page.blob);
    } catch (Problem& problem) {
        problem.file = page.path;
        return state_in_layout({page.path, page.path}, BadPage{problem});
    }
    std::vector<std::string> beside;
    const auto read_beside = [&](const std::string& name) {
        beside.push_back((std::filesystem::path(page.path).parent_path() / name).string());
        return repository.read(page.tree, beside.back());
    };
    Content content =
        reader.read({page.path, text, page.blob, has_page_name(page.path), read_beside});
    return state_in_layout({page.path, page.path, std::move(beside)}, std::move(content));
}

}  // namespace cacheledger
