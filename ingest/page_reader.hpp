#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "ingest/meta.hpp"
#include "ingest/page.hpp"
#include "ingest/spec_details.hpp"
#include "ingest/spec_files.hpp"

namespace cacheledger {

/// A text that opens with front matter and is no package page (another page of the site).
struct NoPage {};

/// Turns the text of one page into a Page, wherever it came from. Not for use by several threads at
/// once; one a thread.
class PageReader {
  public:
    /// Reads the page that lies at `path`, which is only used to name it; `digest` is the blob_id
    /// of `text`. The oldest pages name their specs in files beside them, which `read_beside`
    /// reads. Never throws for what the text holds: what can't be read is a BadPage, whose
    /// problem opens with "path:line:" as far as that is known.
    std::variant<NoPage, Page, BadPage> read(const std::string& path, std::string_view text,
                                             const Digest& digest,
                                             const ReadBeside& read_beside = nothing_beside);

  private:
    SpecDetailsReader spec_details_;
    SpecFilesReader spec_files_;
    MetaReader meta_;
};

}  // namespace cacheledger
