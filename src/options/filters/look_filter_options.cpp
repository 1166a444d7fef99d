#include "src/options/filters/look_filter_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

struct FilterOption {
    const char* name;
    const char* value;
    const char* meaning;
};

constexpr std::array<FilterOption, 5> filter_options = {{
    {"target", "TARGET", "only builds for this target, or for x86_64_v3 and above: x86_64_v3:"},
    {"os", "OS", "only builds for this operating system"},
    {"platform", "PLATFORM", "only builds for this platform"},
    {"compiler", "COMPILER", "only builds by this compiler: gcc, gcc@13, gcc@12:13"},
    {"variant", "VARIANT",
     "only builds with this variant: +mpi, ~mpi, build_type=Release; may be given several times"},
}};

bool is_repeated(std::string_view name) {
    return name == "variant";
}

bool is_parameter(const Report& report, const char* name) {
    return std::ranges::count(report.parameters, name, &Parameter::name) > 0;
}

template <typename Skip>
void add_options_without(po::options_description& options, const Skip& skip) {
    for (const FilterOption& option : filter_options) {
        if (skip(option.name)) {
            continue;
        }
        if (is_repeated(option.name)) {
            options.add_options()(option.name,
                                  po::value<std::vector<std::string>>()->value_name(option.value),
                                  option.meaning);
        } else {
            options.add_options()(option.name, po::value<std::string>()->value_name(option.value),
                                  option.meaning);
        }
    }
}

template <typename Skip>
FilterWords read_words_without(const ParsedOptions& parsed, std::vector<std::string> packages,
                               const Skip& skip) {
    const auto text = [&](const char* name) {
        return skip(name) ? std::nullopt : parsed.text(name);
    };
    FilterWords words{std::move(packages), text("target"),   text("os"),
                      text("platform"),    text("compiler"), {}};
    if (!skip("variant")) {
        words.variants = parsed.texts("variant");
    }
    return words;
}

constexpr auto skip_none = [](const char* /*name*/) { return false; };

}  // namespace

void add_look_filter_options(po::options_description& options) {
    add_options_without(options, skip_none);
}

void add_look_filter_options(po::options_description& options, const Report& report) {
    add_options_without(options, [&](const char* name) { return is_parameter(report, name); });
}

FilterWords read_filter_words(const ParsedOptions& parsed, std::vector<std::string> packages) {
    return read_words_without(parsed, std::move(packages), skip_none);
}

FilterWords read_filter_words(const ParsedOptions& parsed, std::vector<std::string> packages,
                              const Report& report) {
    return read_words_without(parsed, std::move(packages), [&](const char* name) {
        return !report.filters_looks || is_parameter(report, name);
    });
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
        if (is_given && !report.filters_looks && !is_parameter(report, option.name)) {
            throw UsageError(
                fmt::format("the report {} does not take {}: its rows are not counts of builds",
                            report.name, typed));
        }
    }
}

}  // namespace cacheledger
