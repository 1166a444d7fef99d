#pragma once

#include <string>

#include "ingest/git/git_repository.hpp"
#include "ingest/sources/source.hpp"

namespace cacheledger {

/// A file of a git tree that may hold a page.
struct GitPage {
    std::string path;  ///< in the repository
    Digest blob{};
    Digest tree{};  ///< of the commit; the files beside the page are found in it
};

/// The place of the page at a path of the repository.
PagePlace place_of(const std::string& path);

/// Reads what is at the path of `file`. Error messages name the path.
PageState read_state(const GitRepository& repository, const GitPage& file, PageReader& reader);

}  // namespace cacheledger
