#include "src/options/options.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <cctype>
#include <iostream>
#include <sstream>

#include "reports/table/text_width.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

std::optional<std::string> ParsedOptions::text(const std::string& name) const {
    return has(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
}

std::string ParsedOptions::joined_words() const {
    return fmt::format("{}", fmt::join(words, " "));
}

namespace {

// The command without the words for its arguments: "cacheledger report coverage/stacks" for the
// usage "cacheledger report coverage/stacks [options]".
std::string command_of(const std::string& usage) {
    std::istringstream words(usage.substr(0, usage.find('\n')));
    std::string command;
    for (std::string word; words >> word && std::islower(word.front()) != 0;) {
        command += (command.empty() ? "" : " ") + word;
    }
    return command;
}

// Made visible, because the help of a report has texts from a user's file.
void print_help(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::cout << visible(line) << "\n";
    }
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& arguments,
                            po::options_description options, std::size_t words,
                            const std::string& usage) {
    options.add_options()("help,h", "show this help");
    po::options_description all(options);
    all.add_options()("word", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("word", -1);

    ParsedOptions parsed;
    try {
        po::store(po::command_line_parser(arguments)
                      .options(all)
                      .positional(positional)
                      .style(option_style)
                      .run(),
                  parsed.values);
        po::notify(parsed.values);
    } catch (const po::error& error) {
        throw UsageError(fmt::format("{}; see {} --help", error.what(), command_of(usage)));
    }
    if (parsed.has("word")) {
        parsed.words = parsed.values["word"].as<std::vector<std::string>>();
    }
    if (parsed.has("help")) {
        print_help(fmt::format("usage: {}\n\n{}", usage, fmt::streamed(options)));
        parsed.help = true;
    } else if (parsed.words.size() > words) {
        throw UsageError(fmt::format("one word too many: '{}'; see {} --help", parsed.words[words],
                                     command_of(usage)));
    }
    return parsed;
}

}  // namespace cacheledger
