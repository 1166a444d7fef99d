#include "ingest/git_pages.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ingest/page_files.hpp"

namespace cacheledger {

PageItem read_page(const GitRepository& repository, const GitPage& file, PageReader& reader) {
    std::string text;
    try {
        text = repository.read(file.blob);
    } catch (const std::invalid_argument& error) {
        return unreadable_page(file.path, file.path, error.what());
    }
    std::vector<std::string> beside;
    const auto read_beside = [&](const std::string& name) {
        refuse_path(name);
        beside.push_back((std::filesystem::path(file.path).parent_path() / name).string());
        return repository.read(file.tree, beside.back());
    };
    PageItem item = read_page_text(
        reader, {file.path, file.path, text, file.blob, has_page_name(file.path), read_beside});
    item.beside = std::move(beside);
    return item;
}

}  // namespace cacheledger
