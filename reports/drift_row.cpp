#include "reports/drift_row.hpp"

#include <array>
#include <cstddef>

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 7> cause_words = {
    "package", "version", "target", "compiler", "variants", "rebuilt", "copies"};

}  // namespace

std::string_view change_word(Side side) {
    return side == Side::before ? "removed" : "added";
}

std::string_view cause_word(Cause cause) {
    return cause_words[static_cast<std::size_t>(cause)];
}

}  // namespace cacheledger
