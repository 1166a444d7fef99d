#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "schema/specs/environments/wish_list.hpp"

namespace cacheledger {

/// Collects findings, each once: what several groups use is read for each of them.
class WishFindings {
  public:
    void add(std::size_t line, std::string detail, bool leaves_out = false) {
        const auto same = std::ranges::find_if(findings_, [&](const WishFinding& other) {
            return other.line == line && other.detail == detail;
        });
        if (same == findings_.end()) {
            findings_.push_back({line, std::move(detail), leaves_out});
        } else {
            same->leaves_out = same->leaves_out || leaves_out;
        }
    }

    /// The same for what leaves out a spec, or a condition of one.
    void leave_out(std::size_t line, std::string detail) { add(line, std::move(detail), true); }

    std::vector<WishFinding> in_order() {
        std::ranges::stable_sort(findings_, {}, &WishFinding::line);
        return std::move(findings_);
    }

  private:
    std::vector<WishFinding> findings_;
};

}  // namespace cacheledger
