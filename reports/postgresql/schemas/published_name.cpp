#include "reports/postgresql/schemas/published_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/engine/server/plain_table.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

// PostgreSQL has 63 bytes for a name; the longest that is made of it is "NAME tables".
constexpr std::size_t longest_published_name = 48;

constexpr std::array<std::string_view, 3> taken_names = {"public", shared_schema,
                                                         "information_schema"};

bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_of_published_name(char c) {
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

ResultTable query_published(PostgresConnection& connection, const PublishedName& name) {
    constexpr const char* insufficient_privilege = "42501";
    try {
        require_plain_table(connection, name.schema() + ".published");
        return connection.query(
            fmt::format("SELECT ledger_id, token, schema_version, layout, program, published_at "
                        "FROM {}.published",
                        name.schema()));
    } catch (const PostgresError& error) {
        if (error.state() != insufficient_privilege) {
            throw;
        }
        throw DatabaseError(fmt::format(
            "{}: this role may not read it ({}); cacheledger publish --grant ROLE lets it",
            name.text(), error.what()));
    }
}

}  // namespace

PublishedName::PublishedName(std::string name) : name_(std::move(name)) {
    if (name_.empty() || name_.size() > longest_published_name || !is_ascii_letter(name_.front()) ||
        !std::ranges::all_of(name_, is_of_published_name)) {
        throw UsageError(
            fmt::format("--ledger '{}': expected a letter, and then letters, digits, _ . and -, at "
                        "most {} in all",
                        name_, longest_published_name));
    }
    if (name_.starts_with("pg_") || std::ranges::find(taken_names, name_) != taken_names.end()) {
        throw UsageError(
            fmt::format("--ledger '{}': expected another name; the schema {} is no "
                        "ledger's",
                        name_, name_));
    }
}

std::string PublishedName::schema() const {
    return quoted_name(name_);
}

std::string PublishedName::schema_of_tables() const {
    return quoted_name(name_ + " tables");
}

std::string PublishedName::search_path() const {
    return fmt::format("{}, {}", schema_of_tables(), schema());
}

int PublishedName::lock_key() const {
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name_) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return static_cast<int>(hash);
}

std::vector<std::string> published_names(PostgresConnection& connection) {
    std::vector<std::string> names;
    const auto table = connection.query(
        "SELECT nspname FROM pg_namespace n WHERE EXISTS (SELECT FROM pg_namespace v JOIN pg_class "
        "ON relnamespace = v.oid WHERE v.nspname = n.nspname || ' tables' AND relname = "
        "'published') ORDER BY nspname COLLATE \"C\"");
    for (const auto& row : table.rows) {
        names.push_back(text_in(row, 0));
    }
    return names;
}

std::string PublishedRow::create_statement(const std::string& schema) {
    return fmt::format(
        "CREATE TABLE {0}.published (one_row boolean PRIMARY KEY DEFAULT true CHECK (one_row), "
        "ledger_id text COLLATE \"C\" NOT NULL, token text COLLATE "
        "\"C\" NOT NULL, schema_version bigint NOT NULL, layout text COLLATE \"C\" NOT NULL, "
        "program text COLLATE \"C\" NOT NULL, published_at text COLLATE \"C\" NOT NULL);\n"
        "INSERT INTO {0}.published VALUES (true, '', '', 0, '', '', '');\n",
        schema);
}

std::optional<PublishedRow> read_published(PostgresConnection& connection,
                                           const PublishedName& name) {
    const auto found = connection.query(
        "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relname = 'published') "
        "FROM pg_namespace n WHERE nspname = $1",
        {name.text()});
    if (found.rows.empty()) {
        return std::nullopt;
    }
    if (number_in(found.rows[0], 0) == 0) {
        throw UsageError(
            fmt::format("--ledger {}: the database has a schema of this name, and it "
                        "is no published ledger; choose another name",
                        name.text()));
    }
    const auto table = query_published(connection, name);
    if (table.rows.empty()) {  // somebody deleted it
        return PublishedRow{};
    }
    const auto& row = table.rows[0];
    return PublishedRow{{text_in(row, 0), text_in(row, 1)},
                        number_in(row, 2),
                        text_in(row, 3),
                        text_in(row, 4),
                        text_in(row, 5)};
}

PublishedRow require_published(PostgresConnection& connection, const PublishedName& name) {
    if (auto row = read_published(connection, name)) {
        return *row;
    }
    const auto names = published_names(connection);
    throw UsageError(fmt::format("--ledger {}: the database has no such ledger; {}", name.text(),
                                 names.empty() ? "none was published there (cacheledger publish)"
                                               : fmt::format("it has {}", fmt::join(names, ", "))));
}

void lock_published(PostgresConnection& connection, const PublishedName& name,
                    const PublishedRow& published) {
    const auto now = connection.query(
        fmt::format("SELECT ledger_id, token FROM {}.published FOR UPDATE", name.schema()));
    LedgerState state;
    if (!now.rows.empty()) {
        state = {text_in(now.rows[0], 0), text_in(now.rows[0], 1)};
    }
    if (state != published.state) {
        throw DatabaseError(
            fmt::format("{}: another publish came in between; publish again", name.text()));
    }
}

void write_published(PostgresConnection& connection, const PublishedName& name,
                     const PublishedRow& row) {
    connection.change(
        fmt::format("INSERT INTO {}.published (one_row, ledger_id, token, schema_version, layout, "
                    "program, published_at) VALUES (true, $1, $2, $3, $4, $5, "
                    "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')) ON "
                    "CONFLICT (one_row) DO UPDATE SET (ledger_id, token, schema_version, layout, "
                    "program, published_at) = (excluded.ledger_id, excluded.token, "
                    "excluded.schema_version, excluded.layout, excluded.program, "
                    "excluded.published_at)",
                    name.schema()),
        {row.state.ledger_id, row.state.token, row.schema_version, row.layout, row.program});
}

}  // namespace cacheledger
