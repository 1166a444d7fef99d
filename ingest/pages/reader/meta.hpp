#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ingest/pages/page/page.hpp"

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

}  // namespace cacheledger
