#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The files of src/shell/help/topics/, compiled in (src/CMakeLists.txt). The first line of each is
/// its title. Lines that begin with two blanks and "cacheledger" are examples; a test runs each.
extern const std::span<const EmbeddedText> topic_texts;

/// The topic of this name, or nullptr.
const EmbeddedText* find_topic(std::string_view name);

/// The first line of a topic.
std::string_view title_of(const EmbeddedText& topic);

/// Everything that `help` explains: commands, topics and reports, each once.
std::vector<std::string> explained_names();

/// Other programs have commands of other names. What to type here for `word`, as the end of a
/// message: "to list what is loaded: cacheledger snapshots". Empty for a word that is not known.
std::string here_instead_of(std::string_view word);

/// The topic of `cacheledger help` that explains `word`, such as "ci" for "gates"; empty for a word
/// that is not known.
std::string_view topic_about(std::string_view word);

}  // namespace cacheledger
