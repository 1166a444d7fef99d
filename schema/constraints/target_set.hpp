#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/constraints/answer.hpp"

namespace cacheledger {

/// The targets that a constraint such as "target=x86_64_v3:,zen2" allows. A target is above another
/// if code for the other runs on it: "x86_64_v3:" has zen4 and haswell, but not neoverse_v1.
class TargetSet {
  public:
    /// Throws std::invalid_argument if a range begins or ends with a target that this program does
    /// not know, or a name is missing. The text says what was expected.
    explicit TargetSet(std::string_view list);

    /// Unknown if `target` would have to be compared with a range and this program does not know
    /// it.
    Answer contains(std::string_view target) const;

    /// What stands behind "target=".
    const std::string& text() const { return text_; }

  private:
    struct Range {
        bool is_one = false;  ///< only `from`
        std::string from, to;
    };
    std::vector<Range> ranges_;
    std::string text_;
};

}  // namespace cacheledger
