#pragma once

#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// What stands behind "because": what something is, and what became of it.
struct ReasonPhrase {
    std::string kind, kinds;  ///< before the names, if not empty: "the recipe of", "the recipes of"
    std::string name;         ///< "gcc"
    std::string one, many;    ///< "was added", "were added"

    bool says_the_same(const ReasonPhrase& other) const;  ///< of another name
};

/// `row`: as in Why::reasons.
ReasonPhrase reason_phrase(const std::vector<Value>& row);

/// What changed, in words, for a table that names the package in another column. `row`: the same.
Value reason_words(const std::vector<Value>& row);

/// The phrases as a clause; those that say the same of several names, together: "gcc and gmake
/// were added, and the recipe of rust changed".
std::string reason_clause(const std::vector<ReasonPhrase>& phrases);

}  // namespace cacheledger
