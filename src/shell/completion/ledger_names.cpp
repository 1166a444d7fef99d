#include "src/shell/completion/ledger_names.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <exception>
#include <functional>

#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

using Candidates = std::vector<Candidate>;

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

}  // namespace

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

Candidates tag_names(const std::filesystem::path& file) {
    return ask(file, [](SQLite::Database& database) {
        return read(database, "SELECT DISTINCT tag, '' FROM snapshot ORDER BY 1");
    });
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

Candidates spec_words(const std::filesystem::path& file, std::string_view word) {
    return ask(file, [&](SQLite::Database& database) {
        if (word == "compiler") {
            return read(database, "SELECT spec, '' FROM compiler ORDER BY sort_key");
        }
        if (word == "variant") {
            return read(database,
                        "SELECT DISTINCT CASE value WHEN 'true' THEN '+' || name "
                        "WHEN 'false' THEN '~' || name ELSE name || '=' || value END, '' "
                        "FROM variant ORDER BY name, value");
        }
        return read(
            database,
            fmt::format("SELECT DISTINCT {0}, '' FROM arch WHERE {0} <> '' ORDER BY 1", word)
                .c_str());
    });
}

Candidates names_of_kind(const std::filesystem::path& file, NameKind kind) {
    if (kind == NameKind::cause) {  // needs no ledger
        Candidates causes;
        for (const std::string_view cause : cause_words) {
            causes.push_back({std::string(cause), ""});
        }
        return causes;
    }
    return ask(file, [&](SQLite::Database& database) {
        Candidates found;
        for (const std::string& name : known_names(database, kind)) {
            found.push_back({name, ""});
        }
        return found;
    });
}

}  // namespace cacheledger
