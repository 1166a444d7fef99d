#pragma once

#include <string>

#include "ingest/git_repository.hpp"
#include "ingest/page_item.hpp"

namespace cacheledger {

/// A file of a git tree that may hold a page.
struct GitPage {
    std::string path;  ///< in the repository
    Digest blob{};
    Digest tree{};  ///< of the commit, to find what lies beside it
};

/// What is to be read there. Errors name the path.
PageItem read_page(const GitRepository& repository, const GitPage& file, PageReader& reader);

}  // namespace cacheledger
