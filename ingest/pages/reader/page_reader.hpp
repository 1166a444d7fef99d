#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "ingest/pages/reader/spec_details.hpp"
#include "ingest/pages/reader/spec_files.hpp"

namespace cacheledger {

/// Compares the summary `meta` of a page with its entries (docs/formats.md, "The summary meta").
/// Not for use by several threads at once.
class MetaReader {
  public:
    MetaReader();
    ~MetaReader();

    /// Returns a finding "meta-mismatch" for each key of the JSON object `json` that disagrees with
    /// `specs`. Other spelling or order is no disagreement, and a key that `meta` lacks is none.
    /// Throws Problem if `json` is broken or has another form.
    Findings check(std::string_view json, const std::vector<SpecEntry>& specs);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A text that may be a package page.
struct PageText {
    std::string name;  ///< how messages call it; its last part is the name of the file
    std::string_view text;
    Digest digest{};            ///< the blob_id of `text`
    bool must_be_page = false;  ///< any other text is a bad page
    ReadBeside read_beside = {};
};

/// Reads package pages of all generations (docs/formats.md, "Page generations"). Not for use by
/// several threads at once: each thread has its own.
class PageReader {
  public:
    /// Returns a Page, a BadPage, or NoPage for a text without any mark of a package page. Does not
    /// throw for anything that the text contains.
    Content read(const PageText& text);

  private:
    Page read_page(const FrontMatter& front, const PageText& text);

    SpecDetailsReader spec_details_;
    SpecFilesReader spec_files_;
    MetaReader meta_;
};

}  // namespace cacheledger
