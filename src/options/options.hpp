#pragma once

#include <boost/program_options.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Reading the options of a command with Boost.ProgramOptions. For .cpp files of src/ only.
namespace cacheledger {

namespace po = boost::program_options;

/// What a command was called with: its options, and the words beside them.
struct ParsedOptions {
    po::variables_map values;
    std::vector<std::string> words;
    bool help = false;  ///< the help was asked for, and has been printed

    bool has(const std::string& name) const { return values.count(name) > 0; }
    std::optional<std::string> text(const std::string& name) const;
};

/// How options are spelled. No guessing of abbreviated names: a later option would change what a
/// script means.
inline constexpr int option_style =
    po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

/// As a number of words: no limit.
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// Parses `arguments` by `options`; with --help, prints `usage` and the options on standard output.
/// `words`: how many words there may be at the most. Throws UsageError where an option is unknown,
/// given twice or lacks its value, or there are more words.
ParsedOptions parse_options(const std::vector<std::string>& arguments,
                            po::options_description options, std::size_t words,
                            const std::string& usage);

}  // namespace cacheledger
