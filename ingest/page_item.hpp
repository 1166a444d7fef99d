#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingest/page.hpp"
#include "ingest/page_reader.hpp"

namespace cacheledger {

/// What was read at one place, whether in a folder or in a git repository.
struct PageItem {
    std::string name;  ///< how messages call it
    std::variant<NoPage, Page, BadPage> result;
    /// Of a page whose text the ledger knows: reads it after all, for its specs.
    std::function<Page(PageReader&)> read_specs = {};
    /// Of a page in a git repository: the paths of the files beside it that it names, as far as
    /// they were asked for. What is read of it follows from them and its text, and nothing else.
    std::vector<std::string> beside = {};
};

/// A text that may be a page.
struct PageText {
    std::string name;  ///< how messages call it
    std::string path;  ///< what it is called in the ledger
    std::string_view text;
    Digest digest{};
    bool must_be_page = false;  ///< another text is then no other file, but a bad page
    ReadBeside read_beside = nothing_beside;
};

/// Reads it. Any other text than a package page, damaged or not, is no page, unless it must be one.
PageItem read_page_text(PageReader& reader, const PageText& source);

/// The item for a page that can't be read; `problem` says why, and opens with ":" or a blank.
PageItem unreadable_page(const std::string& name, const std::string& path,
                         const std::string& problem);

}  // namespace cacheledger
