#include "reports/publish/changed_rows.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <utility>

#include "reports/copied_rows/copy_lines.hpp"
#include "reports/copied_rows/key_rows.hpp"
#include "schema/basics/number.hpp"
#include "schema/transactions/change_log.hpp"

namespace cacheledger {

namespace {

/// A table whose rows belong to those of another one, and are noted in the log as these.
struct Belonging {
    std::string_view table;
    std::string_view column;
    std::string_view parent;
};

constexpr std::array<Belonging, 7> belongings = {{
    {"variant_set_member", "variant_set_id", "variant_set"},
    {"stack_set_member", "stack_set_id", "stack_set"},
    {"dependency", "spec_id", "node"},
    {"observation_exception", "snapshot_id", "snapshot"},
    {"snapshot_file", "snapshot_id", "snapshot"},
    {"unobserved_stack", "snapshot_id", "snapshot"},
    {"commit_snapshot", "snapshot_id", "snapshot"},
}};

/// A column of a timeline that has ids of another table.
struct IdOfThing {
    std::string_view table;
    std::string_view column;
    std::string_view parent;
};

constexpr std::array<IdOfThing, 3> ids_of_things = {{
    {"presence", "spec_id", "spec"},
    {"page_presence", "page_id", "page"},
    {"root_presence", "spec_id", "spec"},
}};

std::string array_of_ids(const std::string& ids) {
    return ids.empty() ? "" : fmt::format("'{{{}}}'::bigint[]", ids);
}

std::string thing_table(const LedgerTable& table) {
    return "temp.thing_of_" + table.name;
}

/// The columns of the key before valid_from, with `prefix` before each.
std::string thing_columns(const LedgerTable& table, std::string_view prefix) {
    std::string columns;
    for (std::size_t column = 0; column + 1 < table.key_columns; ++column) {
        columns +=
            fmt::format("{}{}{}", columns.empty() ? "" : ", ", prefix, table.columns[column].name);
    }
    return columns;
}

bool is_timeline(const LedgerTable& table) {
    return table.key_columns > 1 && table.columns[table.key_columns - 1].name == "valid_from";
}

/// Binds a field of a line of COPY, which is not NULL.
void bind_field(SQLite::Statement& statement, int index, std::string_view field, bool is_number) {
    const auto number = is_number ? parse_number<std::int64_t>(field) : std::nullopt;
    if (number) {
        statement.bind(index, *number);
    } else {
        statement.bind(index, field_text(field));
    }
}

}  // namespace

ChangedRows::ChangedRows(SQLite::Database& ledger, PostgresConnection& connection,
                         std::string schema, std::int64_t written_id)
    : ledger_(ledger),
      connection_(connection),
      schema_(std::move(schema)),
      written_id_(written_id) {
    list_changed_rows(ledger_, written_id_);
    read_greatest_ids();
    read_touched_moments();
}

RowChoice ChangedRows::choice(const LedgerTable& table) {
    if (const std::string id = table.id(); !id.empty()) {
        return by_id(table, id, table.name);
    }
    for (const Belonging& belonging : belongings) {
        if (belonging.table == table.name) {
            return by_id(table, std::string(belonging.column), std::string(belonging.parent));
        }
    }
    return is_timeline(table) ? by_thing(table) : all_rows_of(table, schema_);
}

void ChangedRows::read_greatest_ids() {
    std::vector<std::string> names;
    std::vector<std::string> queries;
    for (const LedgerTable& table : ledger_tables()) {
        if (const std::string id = table.id(); !id.empty()) {
            names.push_back(table.name);
            queries.push_back(
                fmt::format("(SELECT coalesce(max({}), 0) FROM {}.{})", id, schema_, table.name));
        }
    }
    const auto row =
        connection_.query(fmt::format("SELECT {}", fmt::join(queries, ", "))).rows.at(0);
    for (std::size_t i = 0; i < names.size(); ++i) {
        greatest_ids_[names[i]] = std::get<std::int64_t>(row[i]);
    }
}

void ChangedRows::read_touched_moments() {
    ledger_.exec(
        "DROP TABLE IF EXISTS temp.touched_moment; CREATE TEMP TABLE touched_moment (series_id, "
        "moment, PRIMARY KEY (series_id, moment)) WITHOUT ROWID");
    ledger_.exec(
        fmt::format("INSERT OR IGNORE INTO temp.touched_moment SELECT series_id, taken_at FROM "
                    "written WHERE written_id > {} AND series_id IS NOT NULL",
                    written_id_));
    std::vector<std::int64_t> series;
    std::vector<std::int64_t> moments;
    SQLite::Statement rows(ledger_, "SELECT series_id, moment FROM temp.touched_moment");
    while (rows.executeStep()) {
        series.push_back(rows.getColumn(0).getInt64());
        moments.push_back(rows.getColumn(1).getInt64());
    }
    if (!series.empty()) {
        touched_ =
            fmt::format("unnest('{{{}}}'::bigint[], '{{{}}}'::bigint[]) m(series_id, moment)",
                        fmt::join(series, ","), fmt::join(moments, ","));
    }
}

/// The ids of the table that the log names, as an array of SQL; empty for none.
std::string ChangedRows::changed_ids(const std::string& table) const {
    SQLite::Statement rows(
        ledger_, "SELECT group_concat(row_id) FROM temp.changed_row WHERE table_name = ?");
    rows.bind(1, table);
    rows.executeStep();
    return array_of_ids(rows.getColumn(0).getString());
}

/// Those of them that the ledger has no more. Ids of specs and pages are not used again.
std::string ChangedRows::deleted_ids(const LedgerTable& table) const {
    SQLite::Statement rows(
        ledger_, fmt::format("SELECT group_concat(row_id) FROM temp.changed_row WHERE table_name = "
                             "'{0}' AND row_id NOT IN (SELECT {1} FROM {0})",
                             table.name, table.id()));
    rows.executeStep();
    return array_of_ids(rows.getColumn(0).getString());
}

RowChoice ChangedRows::by_id(const LedgerTable& table, const std::string& column,
                             const std::string& parent) const {
    RowChoice choice{
        fmt::format("{0} t WHERE t.{1} > {2} OR t.{1} IN (SELECT row_id FROM temp.changed_row "
                    "WHERE table_name = '{3}')",
                    table.name, column, greatest_ids_.at(parent), parent),
        ""};
    if (const std::string ids = changed_ids(parent); !ids.empty()) {
        choice.published =
            fmt::format("{}.{} t WHERE t.{} = ANY ({})", schema_, table.name, column, ids);
    }
    return choice;
}

RowChoice ChangedRows::by_thing(const LedgerTable& table) {
    const std::string columns = thing_columns(table, "");
    const std::string things = thing_table(table);
    ledger_.exec(
        fmt::format("DROP TABLE IF EXISTS {0}; CREATE TABLE {0} ({1}, PRIMARY KEY ({1})) "
                    "WITHOUT ROWID",
                    things, columns));
    add_things_of_ledger(table);
    add_published_things(table);

    std::vector<std::string> keys;
    CopyLines lines(ledger_, fmt::format("SELECT {} FROM {}", columns, things));
    while (lines.next()) {
        keys.push_back(lines.line());
    }
    std::vector<std::string> conditions;
    for (std::size_t column = 0; column + 1 < table.key_columns; ++column) {
        conditions.push_back(fmt::format("t.{0} = k.{0}", table.columns[column].name));
    }
    const std::string same = fmt::format("{}", fmt::join(conditions, " AND "));
    return {fmt::format("{} k CROSS JOIN {} t ON {}", things, table.name, same),
            keys.empty() ? ""
                         : fmt::format("{} k({}) JOIN {}.{} t ON {}",
                                       rows_of_keys(table, table.key_columns - 1, keys), columns,
                                       schema_, table.name, same)};
}

void ChangedRows::add_things_of_ledger(const LedgerTable& table) {
    const std::string insert = fmt::format("INSERT OR IGNORE INTO {} SELECT {} FROM ",
                                           thing_table(table), thing_columns(table, "t."));
    // Only presence has indexes on moments. Of the others all rows are read once.
    const std::string from = table.name == "presence"
                                 ? "temp.touched_moment m CROSS JOIN presence t"
                                 : fmt::format("{} t CROSS JOIN temp.touched_moment m", table.name);
    for (const char* const end : {"valid_from", "valid_to"}) {
        ledger_.exec(fmt::format("{}{} ON t.series_id = m.series_id AND t.{} = m.moment", insert,
                                 from, end));
    }
    for (const IdOfThing& id : ids_of_things) {
        const std::string parent(id.parent);
        if (id.table == table.name && !deleted_ids(ledger_table(parent)).empty()) {
            ledger_.exec(fmt::format("{}{} t WHERE t.{} > {}", insert, table.name, id.column,
                                     greatest_ids_.at(parent)));
        }
    }
    if (table.name == "presence" && !changed_ids("presence").empty()) {
        ledger_.exec(insert +
                     "presence t WHERE t.spec_id IN (SELECT row_id FROM temp.changed_row WHERE "
                     "table_name = 'presence')");
    }
}

/// What tells which rows of the server belong to things that are compared, beside the moments.
std::vector<std::string> ChangedRows::conditions_of_published_things(
    const LedgerTable& table) const {
    std::vector<std::string> conditions;
    const auto add = [&](std::string_view column, const std::string& ids) {
        if (!ids.empty()) {
            conditions.push_back(fmt::format("t.{} = ANY ({})", column, ids));
        }
    };
    for (const IdOfThing& id : ids_of_things) {
        if (id.table == table.name) {
            add(id.column, deleted_ids(ledger_table(id.parent)));
        }
    }
    if (table.name == "presence") {
        add("stack_set_id", changed_ids("stack_set"));
        add("spec_id", changed_ids("presence"));
    }
    return conditions;
}

void ChangedRows::add_published_things(const LedgerTable& table) {
    const std::string select =
        fmt::format("SELECT {} FROM {}.{} t", thing_columns(table, "t."), schema_, table.name);
    std::vector<std::string> queries;
    if (!touched_.empty()) {
        for (const char* const end : {"valid_from", "valid_to"}) {
            queries.push_back(
                fmt::format("{} JOIN {} ON t.series_id = m.series_id AND t.{} = m.moment", select,
                            touched_, end));
        }
    }
    for (const std::string& condition : conditions_of_published_things(table)) {
        queries.push_back(fmt::format("{} WHERE {}", select, condition));
    }
    if (queries.empty()) {
        return;
    }
    std::vector<std::string> places(table.key_columns - 1, "?");
    SQLite::Statement insert(ledger_, fmt::format("INSERT OR IGNORE INTO {} VALUES ({})",
                                                  thing_table(table), fmt::join(places, ", ")));
    connection_.copy_out(fmt::format("COPY ({}) TO STDOUT", fmt::join(queries, " UNION ")),
                         [&](std::string_view line) {
                             int index = 0;
                             for (const std::string_view field : fields_of(line)) {
                                 const auto& column =
                                     table.columns[static_cast<std::size_t>(index)];
                                 bind_field(insert, ++index, field, column.type == "bigint");
                             }
                             insert.exec();
                             insert.reset();
                         });
}

}  // namespace cacheledger
