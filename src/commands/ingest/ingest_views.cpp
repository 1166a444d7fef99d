#include "src/commands/ingest/ingest_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view view_option = "--view";
// No view has this name.
constexpr std::string_view those_of_series = "\n";

}  // namespace

std::vector<std::string> with_names_of_views(std::vector<std::string> arguments) {
    const auto end = std::ranges::find(arguments, "--");
    for (auto argument = arguments.begin(); argument != end; ++argument) {
        const auto next = argument + 1;
        if (*argument == view_option &&
            (next == arguments.end() || next->starts_with('-') || is_url(*next))) {
            *argument = fmt::format("{}={}", view_option, those_of_series);
        }
    }
    return arguments;
}

std::optional<std::vector<std::string>> named_views(const ParsedOptions& parsed,
                                                    const std::filesystem::path& database) {
    if (!parsed.has("view")) {
        return std::nullopt;
    }
    std::vector<std::string> views = parsed.texts("view");
    if (std::erase(views, those_of_series) == 0) {
        return views;
    }
    const auto tag = parsed.text("tag");
    if (!tag) {
        throw UsageError("ingest: --view reads the views that the series had: expected --tag NAME");
    }
    SQLite::Database ledger = open_any_version(database);
    const std::vector<std::string> stacks = stacks_before(ledger, *tag);
    if (stacks.empty()) {
        throw UsageError(fmt::format(
            "ingest: --view: '{}' has no snapshot with stacks yet: expected --view NAME", *tag));
    }
    views.insert(views.end(), stacks.begin(), stacks.end());
    return views;
}

}  // namespace cacheledger
