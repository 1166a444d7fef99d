#pragma once

#include <string>

#include "ingest/git/git_repository.hpp"
#include "ingest/sources/source.hpp"

namespace cacheledger {

/// A file of a git tree that may hold a page.
struct GitPage {
    std::string path;  ///< in the repository
    Digest blob{};
    Digest tree{};  ///< of the commit, to find what lies beside it
};

/// Where the page at a path of the repository lies.
PagePlace place_of(const std::string& path);

/// What is to be read there. Errors name the path.
PageState read_state(const GitRepository& repository, const GitPage& file, PageReader& reader);

}  // namespace cacheledger
