#pragma once

#include <boost/program_options.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Reads the options of a command with Boost.ProgramOptions. Only .cpp files of src/ include this.
namespace cacheledger {

namespace po = boost::program_options;

/// The parsed command line of a command: its options, and the words that are not options.
struct ParsedOptions {
    po::variables_map values;
    std::vector<std::string> words;
    bool help = false;  ///< --help was given, and the help has been printed

    bool has(const std::string& name) const { return values.count(name) > 0; }
    std::optional<std::string> text(const std::string& name) const;

    /// The words in one text: a spec can be typed as `hdf5 +mpi target=x86_64_v3`, without quotes.
    std::string joined_words() const;
};

/// The spelling of options. Abbreviated names are not guessed: an option that is added later would
/// change the meaning of a script.
inline constexpr int option_style =
    po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

/// A number of words that means no limit.
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// Parses `arguments` with `options`. With --help, prints `usage` and the options on standard
/// output. `words`: the largest number of words. Throws UsageError if an option is unknown, given
/// twice or without its value, or if there are more words.
ParsedOptions parse_options(const std::vector<std::string>& arguments,
                            po::options_description options, std::size_t words,
                            const std::string& usage);

}  // namespace cacheledger
