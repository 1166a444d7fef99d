#pragma once

#include <string>

#include "ingest/formats/page_reader.hpp"
#include "ingest/git/git_repository.hpp"
#include "ingest/sources/source.hpp"

namespace cacheledger {

/// A file of a git tree that may hold a page.
struct TreePage {
    std::string path;  ///< in the repository
    Digest blob{};
    Digest tree{};  ///< the whole tree; it has the files beside the page
};

/// Reads the page. Messages name its path. Throws InputError if the repository is damaged.
PageState read_state(const GitRepository& repository, const TreePage& page, PageReader& reader);

}  // namespace cacheledger
