#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schema/specs/environments/wish_list.hpp"

namespace cacheledger {

/// Collects findings, each once: what several groups use is read for each of them.
class WishFindings {
  public:
    void add(std::size_t line, const std::string& detail, bool leaves_out = false) {
        const auto [found, is_new] = places_.try_emplace({line, detail}, findings_.size());
        if (is_new) {
            findings_.push_back({line, detail, leaves_out});
        } else if (leaves_out) {
            findings_[found->second].leaves_out = true;
        }
    }

    /// The same for what leaves out a spec, or a condition of one.
    void leave_out(std::size_t line, const std::string& detail) { add(line, detail, true); }

    std::vector<WishFinding> in_order() {
        std::ranges::stable_sort(findings_, {}, &WishFinding::line);
        return std::move(findings_);
    }

  private:
    std::vector<WishFinding> findings_;
    std::map<std::pair<std::size_t, std::string>, std::size_t> places_;
};

}  // namespace cacheledger
