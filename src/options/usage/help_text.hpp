#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/options/usage/command_help.hpp"

namespace cacheledger {

/// How wide the lines of a help are: as wide as the screen, but at least 40 and at most 100
/// columns; 80 if standard output is no screen.
std::size_t help_width();

/// The text with its paragraphs folded to `width` columns. A paragraph is a number of lines that
/// begin without a blank. An item begins with "- ", and goes on in lines with two blanks. All other
/// lines stay as they are.
std::string fold_paragraphs(std::string_view text, std::size_t width);

/// The end of what an option says that many commands have, and that 'help formats' explains once.
inline constexpr std::string_view explained_by_formats = ": see 'cacheledger help formats'";

bool is_explained_by_formats(const po::option_description& option);

/// The names of these options, and where they are explained; empty if there are none.
std::string line_on_formats(const po::options_description& options);

/// The options as Boost prints them, in lines of `width` columns. Then line_on_formats().
std::string options_text(const po::options_description& options, std::size_t width);

/// The help of a command, in lines of `width` columns if their words fit.
std::string help_text(const CommandHelp& help, std::size_t width);

/// Prints a help on standard output, without what could act on a terminal: a report's help is from
/// a user's file.
void print_help(const std::string& text);

}  // namespace cacheledger
