#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "ingest/formats/meta.hpp"
#include "ingest/formats/spec_details.hpp"
#include "ingest/formats/spec_files.hpp"
#include "ingest/page/page.hpp"

namespace cacheledger {

/// A text that may be a page.
struct PageText {
    std::string name;  ///< how messages call it; its last part is the name of the file
    std::string_view text;
    Digest digest{};            ///< the blob_id of `text`
    bool must_be_page = false;  ///< another text is then a bad page
    ReadBeside read_beside = nothing_beside;
};

/// Turns the text of one page into a Page, wherever it came from. Not for use by several threads at
/// once; one a thread.
class PageReader {
  public:
    using Content = std::variant<NoPage, Page, BadPage>;

    /// Reads a text that opens with front matter; without any mark of a package page in it, it is
    /// no page. The oldest pages name their specs in files beside them, which `read_beside` reads.
    /// Never throws for what the text holds: what can't be read is a BadPage, whose problem opens
    /// with "name:line:" as far as that is known.
    Content read(const std::string& name, std::string_view text, const Digest& digest,
                 const ReadBeside& read_beside = nothing_beside);

    /// The same of any text: what does not look like a page, damaged or not, is no page, unless it
    /// must be one.
    Content read(const PageText& text);

  private:
    SpecDetailsReader spec_details_;
    SpecFilesReader spec_files_;
    MetaReader meta_;
};

}  // namespace cacheledger
