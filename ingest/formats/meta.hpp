#pragma once

#include <memory>
#include <string_view>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// Compares what a page says of itself in `meta` with its entries (docs/formats.md, "The summary
/// meta"). Not for use by several threads at once.
class MetaReader {
  public:
    MetaReader();
    ~MetaReader();

    /// Appends a finding of kind "meta-mismatch" to page.findings for each key of the JSON object
    /// `json` that disagrees with page.specs; spelling and order are no disagreement, and what
    /// `meta` does not say is none either. Throws std::invalid_argument where `json` is broken or
    /// of another form.
    void check(std::string_view json, Page& page);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
