#include "tests/reports/postgresql/published_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "reports/render/table/result_table.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

namespace {

std::vector<std::string> columns_of(TempLedger& ledger, const std::string& table) {
    return ledger.rows("SELECT name FROM pragma_table_xinfo('" + table + "') ORDER BY name");
}

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

}  // namespace

TableRows rows_of_ledger(TempLedger& ledger) {
    TableRows tables;
    for (const std::string& table :
         ledger.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE "
                     "'sqlite%' AND name NOT IN ('ledger_state', 'wish_judgement')")) {
        tables[table] = ledger.rows(
            fmt::format("SELECT {} FROM {}", fmt::join(columns_of(ledger, table), ", "), table));
        std::ranges::sort(tables[table]);
    }
    return tables;
}

TableRows rows_of_published(PostgresConnection& connection, const std::string& name) {
    TableRows tables;
    const auto columns = connection.query(
        "SELECT table_name, string_agg(column_name, ', ' ORDER BY column_name COLLATE \"C\"), "
        "string_agg(data_type, ' ' ORDER BY column_name COLLATE \"C\") FROM "
        "information_schema.columns JOIN information_schema.tables USING (table_schema, "
        "table_name) WHERE table_schema = $1 AND table_type = 'BASE TABLE' AND table_name <> "
        "'published' GROUP BY table_name",
        {name});
    for (const auto& row : columns.rows) {
        const std::string table = to_text(row[0]);
        const auto found = connection.query(
            fmt::format("SELECT {} FROM {}.{}", to_text(row[1]), quoted_name(name), table));
        for (const auto& values : found.rows) {
            std::vector<std::string> texts;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const bool is_blob =
                    found.columns[i] == "digest" || found.columns[i] == "commit_id";
                const std::string text = is_null(values[i]) ? "NULL" : to_text(values[i]);
                texts.push_back(is_blob && text != "NULL" ? lower_case(text) : text);
            }
            tables[table].push_back(fmt::format("{}", fmt::join(texts, "|")));
        }
        std::ranges::sort(tables[table]);
    }
    return tables;
}

std::string first_difference(const TableRows& published, const TableRows& ledger) {
    if (published.size() != ledger.size()) {
        return "other tables";
    }
    for (const auto& [table, rows] : ledger) {
        const auto found = published.find(table);
        if (found == published.end()) {
            return "no table " + table;
        }
        for (const std::string& row : rows) {
            if (std::ranges::count(found->second, row) != std::ranges::count(rows, row)) {
                return fmt::format("{}: {} is missing", table, row);
            }
        }
        for (const std::string& row : found->second) {
            if (std::ranges::count(rows, row) == 0) {
                return fmt::format("{}: {} is too much", table, row);
            }
        }
    }
    return "";
}

PublishResult publish_file(const std::string& url, const std::filesystem::path& file,
                           const PublishOptions& options, const std::string& name) {
    PostgresConnection connection(url);
    Publication publication(connection, PublishedName(name), options);
    SQLite::Database ledger = open_for_reading(file);
    return publication.publish(ledger);
}

PublishResult publish(const std::string& url, const TempLedger& ledger,
                      const PublishOptions& options) {
    return publish_file(url, ledger.folder().path() / "ledger.db", options);
}

PullResult pull_file(const std::string& url, const std::filesystem::path& file) {
    PostgresConnection connection(url);
    const PublishedName name("site");
    const PublishedRow published = begin_pull(connection, name);
    if (!std::filesystem::exists(file)) {
        return pull_whole(connection, name, published, file);
    }
    SQLite::Database database = open_existing_for_writing(file);
    return pull_changes(connection, name, published, database, FileOwner::user);
}

std::string difference_of_file(const std::filesystem::path& file, TempLedger& ledger) {
    SQLite::Database pulled(file.string());
    pulled.exec("ATTACH '" + (ledger.folder().path() / "ledger.db").string() + "' AS own");
    for (const auto& [table, rows] : rows_of_ledger(ledger)) {
        const auto differs = pulled.execAndGet(fmt::format(
            "SELECT (SELECT count(*) FROM main.{0}) <> (SELECT count(*) FROM own.{0}) OR EXISTS "
            "(SELECT * FROM main.{0} EXCEPT SELECT * FROM own.{0})",
            table));
        if (differs.getInt() != 0) {
            return table;
        }
    }
    return newest_state(pulled) == newest_state(ledger.database()) ? "" : "the state";
}

std::string value_of(PostgresConnection& connection, const std::string& sql) {
    return to_text(connection.query(sql).rows.at(0).at(0));
}

std::string next_transaction(PostgresConnection& connection) {
    return value_of(connection, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
}

}  // namespace cacheledger
