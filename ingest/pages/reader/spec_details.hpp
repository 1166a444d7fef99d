#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ingest/pages/page/page.hpp"

namespace cacheledger {

/// Reads the JSON list `spec_details` of a page (docs/formats.md, "Spec entries"). Not for use by
/// several threads at once.
class SpecDetailsReader {
  public:
    SpecDetailsReader();
    ~SpecDetailsReader();

    /// Returns the specs of the list. `package`: that of the page. Throws Problem with the place:
    /// "spec_details[3]: hash".
    PageSpecs read(std::string_view json, const std::string& package);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
