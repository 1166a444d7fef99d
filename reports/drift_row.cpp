#include "reports/drift_row.hpp"

#include <cstddef>

namespace cacheledger {

std::string_view change_word(Side side) {
    return side == Side::before ? "removed" : "added";
}

std::string_view cause_word(Cause cause) {
    return cause_words[static_cast<std::size_t>(cause)];
}

}  // namespace cacheledger
