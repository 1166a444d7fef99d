#pragma once

#include <memory>
#include <string_view>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// Reads the JSON list `spec_details` of a page (docs/formats.md, "Spec entries"). Not for use
/// by several threads at once.
class SpecDetailsReader {
  public:
    SpecDetailsReader();
    ~SpecDetailsReader();

    /// Appends the entries of `json` to page.specs, and what is odd about them to page.findings.
    /// Throws std::invalid_argument, which says where and what was expected: "spec_details[3]:
    /// hash: ...".
    void read(std::string_view json, Page& page);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
