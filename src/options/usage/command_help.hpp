#pragma once

#include <boost/program_options.hpp>
#include <cstddef>
#include <string>

namespace cacheledger {

namespace po = boost::program_options;

/// A number of words that means no limit.
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// What a command says of itself. Its arguments are parsed by this, and its help, its part of the
/// man page and its completions are made from it.
///
/// The name in capitals of an option's value or of a word in `usage` (SNAPSHOT, FILE) tells what it
/// can be; src/shell/completion/values.cpp knows these names. An option with few values lists them
/// (src/options/usage/choice.hpp).
struct CommandHelp {
    /// The forms of the command, one in each line, an empty line, and the text. The help folds
    /// paragraphs to the width of the screen; lines that begin with a blank stay as they are.
    std::string usage;
    po::options_description options{"options"};
    std::size_t words = 0;  ///< the largest number of words that are no options
    /// Options that stand after the others, under their own caption.
    po::options_description general{"general options"};
    /// Options that had an effect once. They are taken, but neither shown nor offered; the text of
    /// one is the note that says so.
    po::options_description former{"former options"};
};

}  // namespace cacheledger
