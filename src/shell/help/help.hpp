#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/text/embedded_text.hpp"
#include "src/options/usage/command_help.hpp"

namespace cacheledger {

/// The files of src/shell/help/topics/, compiled in (src/CMakeLists.txt). The first line of each is
/// its title. Lines that begin with two blanks and "cacheledger" are examples; a test runs each.
extern const std::span<const EmbeddedText> topic_texts;

/// The topic of this name, or that explains this word ("ci" for "gates"), or nullptr.
const EmbeddedText* find_topic(std::string_view name);

/// The first line of a topic.
std::string_view title_of(const EmbeddedText& topic);

/// Everything that `help` explains: commands, topics and reports, each once.
std::vector<std::string> explained_names();

/// Other programs have commands of other names. What to type here for `word`, as the end of a
/// message: "to list what is loaded: cacheledger snapshots". Empty for a word that is not known.
std::string here_instead_of(std::string_view word);

/// What `cacheledger --help` prints: the commands to begin with, the others by their purpose, the
/// options of all commands, the topics of `help`, the exit codes.
std::string front_page(std::size_t width);

/// The options that stand before a command.
po::options_description program_options();

/// The line on exit codes.
inline constexpr const char* exit_codes_text =
    "exit codes: 0 done; 1 the answer is no, such as no build found or a failed gate; 2 wrong "
    "usage; 3 bad input, nothing loaded; 4 the database can't be used.";

}  // namespace cacheledger
