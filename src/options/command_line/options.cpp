#include "src/options/command_line/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <sstream>

#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/text/counted.hpp"
#include "src/options/usage/help_text.hpp"

namespace cacheledger {

std::optional<std::string> ParsedOptions::text(const std::string& name) const {
    const std::vector<std::string> all = texts(name);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<std::string> ParsedOptions::texts(const std::string& name) const {
    if (!has(name)) {
        return {};
    }
    const auto* const text = boost::any_cast<std::string>(&values[name].value());
    return text != nullptr ? std::vector<std::string>{*text}
                           : values[name].as<std::vector<std::string>>();
}

std::vector<std::string> ParsedOptions::given() const {
    std::vector<std::string> options;
    for (const auto& [name, option] : values) {
        if (name == "word" || option.defaulted()) {
            continue;
        }
        const auto* const list = boost::any_cast<std::vector<std::string>>(&option.value());
        const auto* const text = boost::any_cast<std::string>(&option.value());
        for (const std::string& value : list != nullptr   ? *list
                                        : text != nullptr ? std::vector<std::string>{*text}
                                                          : std::vector<std::string>{""}) {
            options.push_back("--" + name + (value.empty() ? "" : "=" + value));
        }
    }
    return options;
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

/// Options of other programs, and what stands for them here.
struct OtherOption {
    std::string_view option;
    std::string_view here;
};

constexpr std::array other_options = {
    OtherOption{"json", "write --format json"},
    OtherOption{"csv", "write --format csv"},
    OtherOption{"markdown", "write --format markdown"},
    OtherOption{"html", "write --format html"},
    OtherOption{"q", "2>/dev/null hides notes, >/dev/null rows"},
    OtherOption{"quiet", "2>/dev/null hides notes, >/dev/null rows"},
    OtherOption{"v", "nothing is hidden"},
    OtherOption{"verbose", "nothing is hidden"},
    OtherOption{"o", "write --output"},
    OtherOption{"f", "write --format"},
    OtherOption{"n", "write --limit"},
};

/// The name of an option as the user typed it, without the dashes.
std::string name_of(const po::error_with_option_name& error) {
    std::string typed = error.get_option_name();
    typed.erase(0, typed.find_first_not_of('-'));
    return typed;
}

std::vector<std::string> names_near(const po::error_with_option_name& error,
                                    const po::options_description& options) {
    std::vector<std::string> names;
    for (const auto& option : options.options()) {
        names.push_back(option->long_name());
    }
    std::vector<std::string> near = nearest_names(name_of(error), names);
    for (std::string& name : near) {
        name.insert(0, "--");
    }
    return near;
}

[[noreturn]] void refuse_option(const po::error_with_option_name& error,
                                const po::options_description& known, const std::string& command) {
    const std::string typed = name_of(error);
    if (const auto here = here_instead_of_option(typed); !here.empty()) {
        throw UsageError(fmt::format("{}; {}; see {} --help", error.what(), here, command));
    }
    const bool compares = known.find_nothrow("exit-code", false) != nullptr;
    if (typed == "since" && compares) {
        throw UsageError(
            fmt::format("{}; name the snapshot of that time: {} 'develop@{{1 week ago}}' develop",
                        error.what(), command));
    }
    const auto near = names_near(error, known);
    throw UsageError(fmt::format(
        "{}; {}see {} --help", error.what(),
        near.empty() ? "" : fmt::format("did you mean {}? ", fmt::join(near, ", ")), command));
}

po::variables_map parse(const std::vector<std::string>& arguments,
                        const po::options_description& known, const po::options_description& former,
                        const std::string& command) {
    po::options_description all(known);
    all.add(former);
    all.add_options()("word", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("word", -1);
    po::variables_map values;
    try {
        po::store(po::command_line_parser(arguments)
                      .options(all)
                      .positional(positional)
                      .style(option_style)
                      .run(),
                  values);
        po::notify(values);
    } catch (const po::unknown_option& error) {
        refuse_option(error, known, command);
    } catch (const po::invalid_command_line_syntax& error) {
        if (error.kind() != po::invalid_command_line_syntax::empty_adjacent_parameter) {
            throw UsageError(fmt::format("{}; see {} --help", error.what(), command));
        }
        // Boost looks at the value before it looks for the option: "--foo=", and even "--=".
        const std::string name = name_of(error);
        const auto* const option = name.empty() ? nullptr : known.find_nothrow(name, false);
        if (option == nullptr) {
            refuse_option(po::unknown_option("--" + name), known, command);
        }
        const std::string parameter = option->format_parameter();
        throw UsageError(
            parameter.empty()
                ? fmt::format("option '--{}' does not take any arguments; see {} --help", name,
                              command)
                : fmt::format("--{}=: {} is missing; see {} --help", name, parameter, command));
    } catch (const po::error& error) {
        throw UsageError(fmt::format("{}; see {} --help", error.what(), command));
    }
    return values;
}

}  // namespace

std::string_view here_instead_of_option(std::string_view option) {
    const auto* const found = std::ranges::find(other_options, option, &OtherOption::option);
    return found == other_options.end() ? std::string_view() : found->here;
}

void add_help_option(CommandHelp& help) {
    auto& last = help.general.options().empty() ? help.options : help.general;
    last.add_options()("help,h", "show this help");
}

ParsedOptions parse_options(const std::vector<std::string>& arguments, CommandHelp help) {
    add_help_option(help);
    const std::string command = command_of(help.usage);
    po::options_description known(help.options);
    known.add(help.general);

    ParsedOptions parsed;
    parsed.values = parse(arguments, known, help.former, command);
    for (const auto& option : help.former.options()) {
        if (parsed.has(option->long_name())) {
            print_notes({option->description()});
        }
    }
    if (parsed.has("word")) {
        parsed.words = parsed.values["word"].as<std::vector<std::string>>();
    }
    if (parsed.has("help")) {
        print_help(help_text(help, help_width()));
        parsed.help = true;
    } else if (parsed.words.size() > help.words) {
        const std::string& word = parsed.words[help.words];
        throw UsageError(
            fmt::format("one word too many: '{}'; {}see {} --help", word,
                        known.find_nothrow("package", false) == nullptr
                            ? ""
                            : fmt::format("--package {} chooses a package; ", shell_quoted(word)),
                        command));
    }
    return parsed;
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
        std::cerr << "cacheledger: note: " << visible(note) << "\n";
    }
}

std::vector<std::string> first_notes(const std::vector<std::string>& all, std::string_view more) {
    constexpr std::ptrdiff_t most = 3;
    const std::ptrdiff_t shown = std::min(most, std::ssize(all));
    std::vector<std::string> notes(all.begin(), all.begin() + shown);
    if (shown < std::ssize(all)) {
        notes.push_back(fmt::format("{} like this", counted(std::ssize(all) - shown, more)));
    }
    return notes;
}

}  // namespace cacheledger
