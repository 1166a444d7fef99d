#include "src/options/usage/file_ending.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

struct Ending {
    std::string_view text;
    std::string_view format;
};

// The usual ending of a format stands before its other ones.
constexpr std::array<Ending, 13> endings = {{
    {".txt", "table"},
    {".csv", "csv"},
    {".json", "json"},
    {".md", "markdown"},
    {".markdown", "markdown"},
    {".html", "html"},
    {".htm", "html"},
    {".svg", "svg"},
    {".xml", "junit"},
    {".junit", "junit"},
    {".github", "github"},
    {".hashes", "hashes"},
    {".atom", "atom"},
}};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// With its dot, in lower case; empty if there is none.
std::string ending_of(const std::filesystem::path& file) {
    std::string ending = file.filename().extension().string();
    std::ranges::transform(ending, ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const bool is_number =
        std::all_of(ending.begin() + (ending.empty() ? 0 : 1), ending.end(), is_digit);
    return is_number ? "" : ending;
}

}  // namespace

std::optional<std::string> format_of_ending(const std::filesystem::path& file) {
    const std::string ending = ending_of(file);
    if (ending.empty()) {
        return "table";
    }
    const auto* const found = std::ranges::find(endings, ending, &Ending::text);
    return found == endings.end() ? std::nullopt : std::optional(std::string(found->format));
}

std::string format_of_ending(const std::filesystem::path& file,
                             const std::vector<std::string>& formats) {
    const auto format = format_of_ending(file);
    if (!format || std::ranges::count(formats, *format) == 0) {
        throw UsageError(fmt::format(
            "--output {}: expected one of the endings {}, or none; with --format any name will do",
            file.string(), fmt::join(usual_endings(formats), ", ")));
    }
    return *format;
}

std::vector<std::string> usual_endings(const std::vector<std::string>& formats) {
    std::vector<std::string> usual;
    for (const std::string& format : formats) {
        const auto* const found = std::ranges::find(endings, format, &Ending::format);
        if (found != endings.end()) {
            usual.emplace_back(found->text);
        }
    }
    return usual;
}

}  // namespace cacheledger
