#pragma once

#include <span>
#include <string_view>

namespace cacheledger {

/// A text file of the repository that is compiled into the program by scripts/embed_text.cmake.
struct EmbeddedText {
    std::string_view name;  ///< the path below its root, without its ending: "coverage/summary"
    std::string_view text;
};

}  // namespace cacheledger
