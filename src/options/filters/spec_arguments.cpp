#include "src/options/filters/spec_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "src/options/filters/look_filter_options.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 6> filters = {"package",  "target",   "os",
                                                     "platform", "compiler", "variant"};

/// The first argument that is a filter, without its value; empty if there is none.
std::string first_filter(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
        std::string option = argument.substr(0, argument.find('='));
        if (option.starts_with("--") &&
            std::ranges::count(filters, std::string_view(option).substr(2)) > 0) {
            return option;
        }
    }
    return "";
}

/// The options as parts of a spec.
std::string parts_of_spec(const ParsedOptions& parsed) {
    std::vector<std::string> parts;
    for (const char* const key : {"target", "os", "platform"}) {
        if (const auto value = parsed.text(key)) {
            parts.push_back(fmt::format("{}={}", key, *value));
        }
    }
    std::ranges::copy(parsed.texts("variant"), std::back_inserter(parts));
    if (const auto compiler = parsed.text("compiler")) {
        parts.push_back(fmt::format("{}{}", compiler->starts_with('%') ? "" : "%", *compiler));
    }
    return fmt::format("{}", fmt::join(parts, " "));
}

/// The SPEC that says what the words and the options ask. What follows a dependency (% and ^) would
/// be asked of that.
std::string spec_of(const ParsedOptions& parsed) {
    std::string spec = fmt::format("{}", fmt::join(parsed.texts("package"), " "));
    if (const std::string words = parsed.joined_words(); !words.empty()) {
        spec += (spec.empty() ? "" : " ") + words;
    }
    const std::string parts = parts_of_spec(parsed);
    if (spec.empty() || parts.empty()) {
        return spec + parts;
    }
    const auto dependency = std::min(spec.find_first_of("%^"), spec.size());
    std::string all = spec.substr(0, dependency);
    all.erase(all.find_last_not_of(' ') + 1);
    all += (all.empty() ? "" : " ") + parts;
    return dependency == spec.size() ? all : all + " " + spec.substr(dependency);
}

/// The other options, as they were given.
void add_other_options(std::vector<std::string>& command, const ParsedOptions& parsed,
                       const CommandHelp& help) {
    for (const auto& option : help.options.options()) {
        const std::string& name = option->long_name();
        if (!parsed.has(name)) {
            continue;
        }
        command.push_back("--" + name);
        if (const std::string value = *parsed.text(name); !value.empty()) {
            command.push_back(value);
        }
    }
}

}  // namespace

ParsedOptions parse_spec_arguments(const std::string& command,
                                   const std::vector<std::string>& arguments,
                                   const CommandHelp& help) {
    const std::string option = first_filter(arguments);
    if (option.empty()) {
        return parse_options(arguments, help);
    }
    CommandHelp wider = help;
    wider.options.add_options()("package",
                                po::value<std::vector<std::string>>()->value_name("PACKAGE"), "");
    add_look_filter_options(wider.options);
    const ParsedOptions parsed = parse_options(arguments, wider);
    std::vector<std::string> words = {command, spec_of(parsed)};
    add_other_options(words, parsed, help);
    throw UsageError(
        fmt::format("{} has no {}, the SPEC says it: {}", command, option, command_hint(words)));
}

}  // namespace cacheledger
