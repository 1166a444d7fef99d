#include "ingest/git_pages.hpp"

#include <filesystem>
#include <stdexcept>

#include "ingest/page_files.hpp"

namespace cacheledger {

PageItem read_page(const GitRepository& repository, const GitPage& file, PageReader& reader) {
    std::string text;
    try {
        text = repository.read(file.blob);
    } catch (const std::invalid_argument& error) {
        return unreadable_page(file.path, file.path, error.what());
    }
    const auto read_beside = [&](const std::string& name) {
        refuse_path(name);
        return repository.read(file.tree,
                               (std::filesystem::path(file.path).parent_path() / name).string());
    };
    return read_page_text(
        reader, {file.path, file.path, text, file.blob, has_page_name(file.path), read_beside});
}

}  // namespace cacheledger
