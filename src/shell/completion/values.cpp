#include "src/shell/completion/completion.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <iterator>
#include <variant>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "src/shell/help/help.hpp"

namespace cacheledger {

namespace {

using Candidates = std::vector<Candidate>;

// Names in a ledger. Nothing waits for another process, is locked or written: the file is read as
// it is, without its log, which is empty between runs. All give nothing if there is no such ledger,
// or if it does not answer at once.

// A ledger may come from a stranger, whose tables can be views that never end. Some 50 ms.
constexpr int most_steps = 3'000'000;

constexpr int most_hashes = 50;

// The path as a part of a URI.
std::string in_uri(const std::filesystem::path& file) {
    constexpr std::string_view plain = "/._-~";
    std::string text;
    for (const char c : std::filesystem::absolute(file).string()) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || plain.find(c) != std::string_view::npos;
        text +=
            is_plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
    return text;
}

Candidates ask(const std::filesystem::path& file,
               const std::function<Candidates(SQLite::Database&)>& question) {
    try {
        if (!std::filesystem::is_regular_file(file)) {
            return {};
        }
        SQLite::Database database("file:" + in_uri(file) + "?immutable=1",
                                  SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
        sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_progress_handler(
            database.getHandle(), most_steps, [](void*) { return 1; }, nullptr);
        if (database.execAndGet("PRAGMA application_id").getInt() != application_id ||
            schema_version(database) != newest_schema_version()) {
            return {};
        }
        return question(database);
    } catch (const std::exception&) {  // no ledger, or one that is being written
        return {};
    }
}

// The rows of a query with two columns, a name and what to say of it.
template <typename... Values>
Candidates read(SQLite::Database& database, const char* sql, const Values&... values) {
    Candidates found;
    for (const auto& [name, meaning] : rows<std::string, std::string>(database, sql, values...)) {
        found.push_back({name, meaning});
    }
    return found;
}

Candidates moments_of(std::string_view tag) {
    Candidates found;
    for (const char* const when : {"yesterday", "1 week ago", "1 month ago", "1 year ago"}) {
        found.push_back({fmt::format("{}@{{{}}}", tag, when), "in force then"});
    }
    return found;
}

Candidates snapshot_names(const std::filesystem::path& file, std::string_view typed) {
    if (const auto brace = typed.find("@{"); brace != std::string_view::npos) {
        return moments_of(typed.substr(0, brace));
    }
    return ask(file, [](SQLite::Database& database) {
        Candidates found =
            read(database,
                 "SELECT name, specs || ' specs' FROM snapshot UNION ALL "
                 "SELECT tag, 'the newest of the tag' FROM snapshot WHERE tag <> name GROUP BY tag "
                 "UNION ALL "
                 "SELECT tag || '~1', 'the one before' FROM snapshot WHERE tag <> name "
                 "GROUP BY tag HAVING count(*) > 1 UNION ALL "
                 "SELECT name, 'the newest of the dated tags' FROM series WHERE name GLOB '*-[*]'");
        if (!found.empty()) {
            found.push_back({std::string(latest), "the newest of pages or indexes"});
        }
        return found;
    });
}

Candidates names_by(const std::filesystem::path& file, const char* sql) {
    return ask(file, [&](SQLite::Database& database) { return read(database, sql); });
}

Candidates spec_beginnings(const std::filesystem::path& file, std::string_view typed) {
    return ask(file, [&](SQLite::Database& database) {
        if (typed.starts_with('/')) {
            return read(database,
                        "SELECT '/' || hash, p.name FROM spec JOIN look USING (look_id) "
                        "JOIN package p USING (package_id) WHERE hash >= ?1 AND hash < ?1 || '~' "
                        "ORDER BY hash LIMIT ?2",
                        std::string(typed.substr(1)), most_hashes);
        }
        if (const auto at = typed.find('@'); at != std::string_view::npos) {
            return read(database,
                        "SELECT DISTINCT p.name || '@' || v.version, '' FROM package p JOIN look "
                        "USING (package_id) JOIN version v USING (version_id) WHERE p.name = ? "
                        "ORDER BY v.sort_key",
                        std::string(typed.substr(0, at)));
        }
        return read(database, "SELECT name, '' FROM package ORDER BY name");
    });
}

template <typename Names>
Candidates to_candidates(const Names& names) {
    Candidates all;
    for (const auto& name : names) {
        all.push_back({std::string(name), ""});
    }
    return all;
}

Candidates names_of_kind(const std::filesystem::path& file, NameKind kind) {
    if (kind == NameKind::cause) {  // needs no ledger
        return to_candidates(cause_words);
    }
    return ask(file, [&](SQLite::Database& database) {
        return to_candidates(known_names(database, kind));
    });
}

Candidates report_names(const Place& place) {
    Catalog catalog;
    for (const auto& folder : place.report_folders) {
        try {
            catalog.add_folder(folder);
        } catch (const UsageError&) {  // not there yet
            continue;
        }
    }
    Candidates all;
    for (const Report& report : catalog.reports()) {
        if (!is_in_the_long_list(report)) {
            all.push_back({report.name, report.title});
        }
    }
    return all;
}

Candidates parts_of_schema() {
    Candidates all;
    for (const SchemaPart& part : schema_parts()) {
        all.push_back({part.name, part.type});
    }
    return all;
}

Candidates what_prune_keeps(const std::filesystem::path& file, std::string_view typed) {
    Candidates all = {{"seen within 14 days", "builds that a snapshot has since then"},
                      {"newest 1", "builds of the newest snapshot"}};
    std::ranges::move(snapshot_names(file, typed), std::back_inserter(all));
    return all;
}

/// Files are offered if nothing is typed yet, or if no name fits.
Completion snapshots_or_files(const std::filesystem::path& file, std::string_view typed) {
    Completion found{snapshot_names(file, typed)};
    const bool fits = std::ranges::any_of(
        found.candidates, [&](const Candidate& one) { return one.text.starts_with(typed); });
    found.paths = fits && !typed.empty() ? Paths::none : Paths::files;
    return found;
}

Completion all_offered(Offer offer, const Place& place, std::string_view typed) {
    const std::filesystem::path& file = place.database;
    switch (offer) {
        case Offer::nothing:
            return {};
        case Offer::files:
            return {{}, Paths::files};
        case Offer::folders:
            return {{}, Paths::folders};
        case Offer::snapshots:
            return snapshots_or_files(file, typed);
        case Offer::loaded_snapshots:
            return {snapshot_names(file, typed)};
        case Offer::wanted:
            return {snapshot_names(file, typed), Paths::files};
        case Offer::kept:
            return {what_prune_keeps(file, typed), Paths::files};
        case Offer::specs:
            return {spec_beginnings(file, typed)};
        case Offer::tags:
            return {names_by(file, "SELECT DISTINCT tag, '' FROM snapshot ORDER BY 1")};
        case Offer::targets:
            return {names_by(file,
                             "SELECT DISTINCT target, '' FROM arch WHERE target <> '' ORDER BY 1")};
        case Offer::systems:
            return {names_by(file, "SELECT DISTINCT os, '' FROM arch WHERE os <> '' ORDER BY 1")};
        case Offer::platforms:
            return {names_by(
                file, "SELECT DISTINCT platform, '' FROM arch WHERE platform <> '' ORDER BY 1")};
        case Offer::compilers:
            return {names_by(file, "SELECT spec, '' FROM compiler ORDER BY sort_key")};
        case Offer::variants:
            return {names_by(file,
                             "SELECT DISTINCT CASE value WHEN 'true' THEN '+' || name WHEN 'false' "
                             "THEN '~' || name ELSE name || '=' || value END, '' FROM variant "
                             "ORDER BY name, value")};
        case Offer::reports:
            return {report_names(place)};
        case Offer::views:
            return {parts_of_schema()};
        case Offer::topics:
            return {to_candidates(explained_names())};
    }
    return {};
}

Completion all_choices(const Choices& choices, std::string_view typed) {
    const auto comma = choices.is_list ? typed.rfind(',') : std::string_view::npos;
    const std::string before(typed.substr(0, comma == std::string_view::npos ? 0 : comma + 1));
    Completion found;
    for (const std::string& name : choices.names) {
        found.candidates.push_back({before + name, ""});
    }
    return found;
}

}  // namespace

Completion values_for(const Values& values, const Place& place, std::string_view typed) {
    const auto* const choices = std::get_if<Choices>(&values);
    const auto* const kind = std::get_if<NameKind>(&values);
    Completion found = choices != nullptr ? all_choices(*choices, typed)
                       : kind != nullptr  ? Completion{names_of_kind(place.database, *kind)}
                                          : all_offered(std::get<Offer>(values), place, typed);
    std::erase_if(found.candidates,
                  [&](const Candidate& one) { return !one.text.starts_with(typed); });
    return found;
}

}  // namespace cacheledger
