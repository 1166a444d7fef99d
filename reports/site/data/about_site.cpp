#include "reports/site/data/about_site.hpp"

#include <optional>

#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

namespace {

std::string json_of(const std::optional<std::string>& text) {
    return script_json(text ? Value(*text) : Value());
}

std::string json_of(std::uint64_t number) {
    return script_json(static_cast<std::int64_t>(number));
}

ResultTable site_rows(const SQLite::Database& database, const std::string& sql) {
    return run_query(database, "site", sql, {});
}

std::string snapshots(const SQLite::Database& database) {
    const ResultTable table =
        site_rows(database,
                  "SELECT name, tag, series, taken_at, packages, specs, extent, kind "
                  "FROM snapshots ORDER BY series, taken_at, name");
    return json_array(table.rows, [&](const std::vector<Value>& row) {
        std::vector<std::pair<std::string, Value>> members;
        for (std::size_t column = 0; column < row.size(); ++column) {
            members.emplace_back(table.columns[column], row[column]);
        }
        return arguments_json(members);
    });
}

/// The first column, as a list.
std::string names(const SQLite::Database& database, const std::string& sql) {
    return json_array(site_rows(database, sql).rows,
                      [](const std::vector<Value>& row) { return script_json(row.front()); });
}

/// The first value.
std::string first_of(const SQLite::Database& database, const std::string& sql) {
    return script_json(site_rows(database, sql).rows.at(0).at(0));
}

std::string views() {
    std::vector<SchemaPart> parts = schema_parts();
    std::erase_if(parts, [](const SchemaPart& part) { return !part.is_public; });
    return json_array(parts, [](const SchemaPart& view) {
        return json_object({{"name", script_json(view.name)},
                            {"description", script_json(comment_words(view.comment))},
                            {"columns", json_array(view.columns)},
                            {"sql", script_json(view.sql)}});
    });
}

std::string json_of(const WrittenLedger& ledger) {
    return json_object({{"slices", json_of(ledger.slices)},
                        {"bytes", json_of(ledger.bytes)},
                        {"page_size", json_of(ledger.page_size)},
                        {"pages_of_slice", json_of(ledger.pages_of_slice)},
                        {"compressed", json_of(ledger.compressed)},
                        {"digest", script_json(ledger.digest)},
                        {"reason", json_of(ledger.reason)}});
}

std::string json_of(const WrittenResult& result) {
    return json_object({{"report", script_json(result.report)},
                        {"arguments", arguments_json(result.arguments)},
                        {"group", script_json(result.group)},
                        {"rows", json_of(std::uint64_t{result.rows})}});
}

/// {"GROUP":"DIGEST",...}
std::string json_of(const std::vector<std::pair<std::string, std::string>>& digests) {
    return arguments_json({digests.begin(), digests.end()});
}

}  // namespace

std::string write_about(SQLite::Database& database, const AboutSite& about,
                        const WriteFile& write) {
    const auto lock = newest_lock(database);
    return write_data_file(
        "about",
        json_object({
            {"format", "3"},
            {"program", script_json(about.program)},
            {"title", script_json(about.title)},
            {"at", json_of(about.snapshots.at)},
            {"from", json_of(about.snapshots.from)},
            {"to", json_of(about.snapshots.to)},
            {"lock", json_of(lock ? std::optional(lock->name) : std::nullopt)},
            {"mirror", json_of(about.mirror)},
            {"snapshots", snapshots(database)},
            // Nodes that others need have a package, too; a snapshot need not have it.
            {"packages", names(database,
                               "SELECT name FROM package k WHERE EXISTS (SELECT 1 FROM series s "
                               "CROSS JOIN presence p USING (series_id) "
                               "WHERE p.package_id = k.package_id) ORDER BY name")},
            {"stacks", names(database, "SELECT name FROM stack WHERE NOT is_root ORDER BY name")},
            {"targets", names(database, "SELECT DISTINCT target FROM arch ORDER BY target")},
            {"compilers", names(database, "SELECT spec FROM compiler ORDER BY sort_key")},
            {"wishes_since", first_of(database, "SELECT min(valid_from) FROM wishes")},
            {"views", views()},
            {"ledger", json_of(about.ledger)},
            {"groups", json_of(about.results.digests)},
            {"results",
             json_array(about.results.list, [](const WrittenResult& one) { return json_of(one); })},
        }),
        write);
}

}  // namespace cacheledger
