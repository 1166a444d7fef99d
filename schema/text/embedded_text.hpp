#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace cacheledger {

/// A text file of the repository that is compiled into the program by scripts/embed_text.cmake.
struct EmbeddedText {
    std::string_view name;  ///< the path below its root, without its ending: "coverage/summary"
    std::string_view text;
};

/// The text of that name, which is there.
inline std::string text_named(std::span<const EmbeddedText> texts, std::string_view name) {
    return std::string(std::ranges::find(texts, name, &EmbeddedText::name)->text);
}

}  // namespace cacheledger
