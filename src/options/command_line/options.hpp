#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/options/usage/command_help.hpp"

/// Reads the options of a command with Boost.ProgramOptions. Only .cpp files of src/ include this.
namespace cacheledger {

/// The parsed command line of a command: its options, and the words that are not options.
struct ParsedOptions {
    po::variables_map values;
    std::vector<std::string> words;
    bool help = false;  ///< --help was given, and the help has been printed

    bool has(const std::string& name) const { return values.count(name) > 0; }
    /// The value of an option, or the first of several; nullopt if it was not given.
    std::optional<std::string> text(const std::string& name) const;

    /// All values of an option; none if it was not given.
    std::vector<std::string> texts(const std::string& name) const;

    /// The options that were given, by name: "--stack=e4s", "--summary".
    std::vector<std::string> given() const;

    /// The words in one text: a spec can be typed as `hdf5 +mpi target=x86_64_v3`, without quotes.
    std::string joined_words() const;
};

/// The spelling of options. Abbreviated names are not guessed: an option that is added later would
/// change the meaning of a script.
inline constexpr int option_style =
    po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

/// Adds --help, which every command takes.
void add_help_option(CommandHelp& help);

/// What stands here for an option of other programs, without its dashes: "write --format json" for
/// "json". Empty for an option that is not known.
std::string_view here_instead_of_option(std::string_view option);

/// Parses `arguments` with the options of `help`. With --help, prints the help on standard output.
/// Throws UsageError if an option is unknown, with the nearest ones, given twice or without its
/// value, or if there are too many words.
ParsedOptions parse_options(const std::vector<std::string>& arguments, CommandHelp help);

/// Prints each note as a line on standard error: what the answer leaves out, or where it may be
/// misunderstood. Notes change neither the answer nor the exit code.
void print_notes(const std::vector<std::string>& notes);

/// The first three of these notes, and how many there are besides: "5 more builds like this".
/// `more`: "more build", in the singular.
std::vector<std::string> first_notes(const std::vector<std::string>& all, std::string_view more);

}  // namespace cacheledger
