#include "reports/postgresql/schemas/kept_changes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace cacheledger {

namespace {

constexpr std::int64_t part_of_ledger = 10;                  // a tenth of its rows is kept
constexpr std::size_t bytes_of_part = std::size_t{1} << 22;  // the server compresses each part

/// The lines, in parts that end with a line.
std::vector<std::string_view> line_parts(std::string_view lines) {
    std::vector<std::string_view> parts;
    while (!lines.empty()) {
        const auto end =
            lines.size() <= bytes_of_part ? lines.size() - 1 : lines.find('\n', bytes_of_part);
        parts.push_back(lines.substr(0, end));
        lines.remove_prefix(end + 1);
    }
    return parts;
}

void add_publication(PostgresConnection& connection, const PublishedName& name,
                     const std::string& token, const Value& rows) {
    connection.change(
        fmt::format("INSERT INTO {0}.publication SELECT coalesce(max(number), 0) + 1, $1, "
                    "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), $2 FROM "
                    "{0}.publication",
                    name.schema_of_tables()),
        {token, rows});
}

void add_changes(PostgresConnection& connection, const PublishedName& name,
                 const TableDifference& difference) {
    std::int64_t part = 0;
    const auto add = [&](std::string_view old_keys, std::string_view new_rows) {
        connection.change(
            fmt::format("INSERT INTO {0}.publication_change SELECT max(number), $1, $2, $3, $4 "
                        "FROM {0}.publication",
                        name.schema_of_tables()),
            {difference.table->name, ++part, std::string(old_keys), std::string(new_rows)});
    };
    const std::string keys = fmt::format("{}\n", fmt::join(difference.old_keys, "\n"));
    if (!difference.old_keys.empty()) {
        for (const auto lines : line_parts(keys)) {
            add(lines, "");
        }
    }
    for (const auto lines : line_parts(difference.new_lines)) {
        add("", lines);
    }
}

/// Forgets changes, so that those that are left are whole and not too many.
void forget_changes(PostgresConnection& connection, const PublishedName& name,
                    std::int64_t most_rows) {
    connection.change(
        fmt::format(
            "UPDATE {0}.publication SET rows = NULL WHERE rows IS NOT NULL AND number <= (SELECT "
            "max(number) FROM (SELECT number, sum(rows) OVER (ORDER BY number DESC) AS rows FROM "
            "{0}.publication) newer WHERE rows > $1)",
            name.schema_of_tables()),
        {most_rows});
    connection.change(
        fmt::format("DELETE FROM {0}.publication_change WHERE number IN (SELECT number FROM "
                    "{0}.publication WHERE rows IS NULL)",
                    name.schema_of_tables()));
}

}  // namespace

std::string kept_changes_statements(const PublishedName& name) {
    return fmt::format(
        "CREATE TABLE IF NOT EXISTS {0}.publication (number bigint PRIMARY KEY, token text COLLATE "
        "\"C\" NOT NULL, published_at text COLLATE \"C\" NOT NULL, rows bigint);\n"
        "CREATE TABLE IF NOT EXISTS {0}.publication_change (number bigint, table_name text COLLATE "
        "\"C\", part integer, old_keys text COLLATE \"C\" NOT NULL, new_rows text COLLATE \"C\" "
        "NOT "
        "NULL, PRIMARY KEY (number, table_name, part));\n",
        name.schema_of_tables());
}

void keep_changes(PostgresConnection& connection, const PublishedName& name,
                  const std::string& token, const std::vector<TableDifference>& differences,
                  std::int64_t rows_of_ledger) {
    std::int64_t changed = 0;
    for (const TableDifference& difference : differences) {
        changed += difference.changed();
    }
    const std::int64_t most_rows = rows_of_ledger / part_of_ledger;
    if (changed > most_rows) {
        keep_no_changes(connection, name, token);
        return;
    }
    add_publication(connection, name, token, changed);
    for (const TableDifference& difference : differences) {
        add_changes(connection, name, difference);
    }
    forget_changes(connection, name, most_rows);
}

void keep_earlier_states(PostgresConnection& connection, const PublishedName& name,
                         const std::vector<std::string>& tokens) {
    connection.change(
        fmt::format("INSERT INTO {0}.publication SELECT (SELECT coalesce(min(number), 1) FROM "
                    "{0}.publication) - row_number() OVER (), token, '', NULL FROM "
                    "unnest(CAST($1 AS text[])) token WHERE token NOT IN (SELECT token FROM "
                    "{0}.publication)",
                    name.schema_of_tables()),
        {fmt::format("{{{}}}", fmt::join(tokens, ","))});
}

void keep_no_changes(PostgresConnection& connection, const PublishedName& name,
                     const std::string& token) {
    add_publication(connection, name, token, Value());
    forget_changes(connection, name, 0);
}

}  // namespace cacheledger
