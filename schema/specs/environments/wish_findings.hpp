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
    void add(std::size_t line, std::string detail) {
        const auto is_same = [&](const WishFinding& other) {
            return other.line == line && other.detail == detail;
        };
        if (std::ranges::none_of(findings_, is_same)) {
            findings_.push_back({line, std::move(detail)});
        }
    }

    std::vector<WishFinding> in_order() {
        std::ranges::stable_sort(findings_, {}, &WishFinding::line);
        return std::move(findings_);
    }

  private:
    std::vector<WishFinding> findings_;
};

}  // namespace cacheledger
