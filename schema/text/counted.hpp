#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/text/number.hpp"

namespace cacheledger {

/// The words that agree with a number: `one` for 1, else `several`, or `one` and an "s" if that is
/// empty. The words may go on with a verb: "spec needs", "specs need".
inline std::string words_for(std::int64_t number, std::string_view one,
                             std::string_view several = {}) {
    if (number == 1) {
        return std::string(one);
    }
    return several.empty() ? std::string(one) + "s" : std::string(several);
}

/// The number for people and these words: "1 spec", "1,204 specs", "2 copies".
inline std::string counted(std::int64_t number, std::string_view one,
                           std::string_view several = {}) {
    return grouped(number) + " " + words_for(number, one, several);
}

}  // namespace cacheledger
