#include "src/options/filters/look_filter_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"

namespace cacheledger {

namespace {

struct FilterOption {
    const char* name;
    const char* value;
    Offer values;
    const char* meaning;
};

constexpr std::array<FilterOption, 5> filter_options = {{
    {"target", "TARGET", Offer::targets,
     "only builds for this target, or for x86_64_v3 and above: x86_64_v3:"},
    {"os", "OS", Offer::systems, "only builds for this operating system"},
    {"platform", "PLATFORM", Offer::platforms, "only builds for this platform"},
    {"compiler", "COMPILER", Offer::compilers,
     "only builds by this compiler: gcc, gcc@13, gcc@12:13"},
    {"variant", "VARIANT", Offer::variants,
     "only builds with this variant: +mpi, ~mpi, build_type=Release; may be given several times"},
}};

bool is_parameter(const Report* report, const char* name) {
    return report != nullptr && std::ranges::count(report->parameters, name, &Parameter::name) > 0;
}

po::value_semantic* value_of_filter(const FilterOption& option) {
    if (option.values == Offer::variants) {
        return repeated(option.value, option.values);
    }
    return once(option.value, option.values);
}

/// The first argument that is a filter, without its value; empty if there is none.
std::string first_filter(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
        std::string option = argument.substr(0, argument.find('='));
        const std::string_view name =
            std::string_view(option).substr(std::min<std::size_t>(2, option.size()));
        if (option.starts_with("--") &&
            (name == "package" ||
             std::ranges::count(filter_options, name, &FilterOption::name) > 0)) {
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

void add_look_filter_options(po::options_description& options, const Report* report) {
    for (const FilterOption& option : filter_options) {
        if (!is_parameter(report, option.name)) {
            options.add_options()(option.name, value_of_filter(option), option.meaning);
        }
    }
}

FilterWords read_filter_words(const ParsedOptions& parsed, std::vector<std::string> packages,
                              const Report* report) {
    const auto texts = [&](const char* name) {
        const bool is_filter =
            report == nullptr || (report->filters_looks && !is_parameter(report, name));
        return is_filter ? parsed.texts(name) : std::vector<std::string>();
    };
    const auto text = [&](const char* name) {
        const auto all = texts(name);
        return all.empty() ? std::nullopt : std::optional(all.front());
    };
    return {std::move(packages), text("target"),   text("os"),
            text("platform"),    text("compiler"), texts("variant")};
}

std::vector<std::string> check_filters(SQLite::Database& database, const LookFilter& builds,
                                       const std::optional<std::string>& stack) {
    std::vector<std::string> notes = builds.check_names(database);
    if (stack) {
        if (auto note = check_pattern(database, NameKind::stack, *stack)) {
            notes.push_back(std::move(*note));
        }
    }
    return notes;
}

void refuse_look_filter(const std::vector<std::string>& arguments, const Report& report) {
    for (const FilterOption& option : filter_options) {
        const std::string typed = fmt::format("--{}", option.name);
        const bool is_given = std::ranges::any_of(arguments, [&](const std::string& argument) {
            return argument == typed || argument.starts_with(typed + "=");
        });
        if (is_given && !report.filters_looks && !is_parameter(&report, option.name)) {
            throw UsageError(
                fmt::format("the report {} does not take {}: its rows are not counts of builds",
                            report.name, typed));
        }
    }
}

ParsedOptions parse_spec_arguments(const std::string& command,
                                   const std::vector<std::string>& arguments,
                                   const CommandHelp& help) {
    const std::string option = first_filter(arguments);
    if (option.empty()) {
        return parse_options(arguments, help);
    }
    CommandHelp wider = help;
    wider.options.add_options()("package", repeated("PACKAGE", NameKind::package), "");
    add_look_filter_options(wider.options);
    const ParsedOptions parsed = parse_options(arguments, wider);
    std::vector<std::string> words = {command, spec_of(parsed)};
    add_other_options(words, parsed, help);
    throw UsageError(
        fmt::format("{} has no {}, the SPEC says it: {}", command, option, command_hint(words)));
}

}  // namespace cacheledger
