#include "src/commands/ingest/ingest_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view view_option = "--view";
// No view has this name.
constexpr std::string_view those_of_series = "\n";

std::vector<std::string> ingest_notes(SQLite::Database& database, const NewFindings& findings,
                                      const std::vector<std::string>& loaded) {
    std::vector<std::string> notes = notes_on_empty_snapshots(database, loaded);
    std::int64_t all = 0;
    std::vector<std::string> kinds;
    for (const auto& [kind, number] : findings.counts()) {
        all += number;
        kinds.push_back(fmt::format("{} {}", grouped(number), kind));
    }
    if (all > 0) {
        const std::string report =
            loaded.size() == 1 ? command_hint({"report", "audit/findings", "--at", loaded[0]})
                               : command_hint({"report", "history/findings"});
        notes.push_back(fmt::format("{}: {}; see {}", counted(all, "new finding"),
                                    fmt::join(kinds, ", "), report));
    }
    return notes;
}

}  // namespace

std::string plainly_counted(std::size_t number, const char* one) {
    return fmt::format("{} {}", number, words_for(static_cast<std::int64_t>(number), one));
}

void refuse_options_of_snapshots(const ParsedOptions& parsed, std::string_view why) {
    for (const char* const option : {"tag", "taken-at", "partial", "replace", "if-changed", "ref",
                                     "view", "map-url", "keep-going"}) {
        if (parsed.has(option)) {
            throw UsageError(fmt::format("ingest: --{} is for snapshots, and {}", option, why));
        }
    }
}

void refuse_missing(const std::string& argument) {
    const std::string path = read_argument(argument).path;
    std::error_code unknown;
    if (path != "-" && !is_url(path) && !std::filesystem::exists(path, unknown) && !unknown) {
        throw InputError(path + ": no such file or folder");
    }
}

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

void print_ingest_notes(SQLite::Database& database, const NewFindings& findings,
                        const std::vector<std::string>& loaded) {
    try {
        print_notes(ingest_notes(database, findings, loaded));
    } catch (const SQLite::Exception& error) {
        // The snapshots are loaded, so the run did not fail.
        print_notes({fmt::format("new findings can't be counted ({}); see {}", error.what(),
                                 command_hint({"report", "history/findings"}))});
    }
}

}  // namespace cacheledger
