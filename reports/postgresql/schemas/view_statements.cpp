#include "reports/postgresql/schemas/view_statements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/ledger_tables.hpp"
#include "reports/postgresql/views/published_views.hpp"
#include "schema/ledger/description/schema_parts.hpp"

namespace cacheledger {

namespace {

/// What a view selects from `v`: first the columns that it has, then those that it gets.
std::string selected(const std::vector<std::string>& columns, const ViewColumns& there,
                     const std::string& view) {
    std::vector<std::string> words;
    const auto found = there.find(view);
    const auto& old = found == there.end() ? std::vector<ViewColumn>() : found->second;
    for (const ViewColumn& column : old) {
        const std::string name = quoted_name(column.name);
        const bool is_known = std::ranges::count(columns, column.name) > 0;
        const bool is_unknown_text = !is_known && column.type == "text";
        words.push_back(fmt::format("CAST({} AS {}){} AS {}", is_known ? "v." + name : "NULL",
                                    column.type, is_unknown_text ? " COLLATE \"C\"" : "", name));
    }
    for (const std::string& column : columns) {
        if (std::ranges::count(old, column, &ViewColumn::name) == 0) {
            words.push_back("v." + quoted_name(column));
        }
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> column_names_of(const LedgerTable& table) {
    std::vector<std::string> names;
    for (const LedgerColumn& column : table.columns) {
        names.push_back(column.name);
    }
    return names;
}

/// What tables and public views are, and what the columns of public views mean.
std::string comment_statements(const PublishedName& name) {
    std::string sql;
    for (const SchemaPart& part : schema_parts()) {
        if (!part.is_public) {
            continue;
        }
        const std::string view = fmt::format("{}.{}", name.schema(), part.name);
        sql += fmt::format("COMMENT ON VIEW {} IS {};\n", view,
                           quoted_text(comment_words(part.comment)));
        for (const auto& [column, text] : part.texts) {
            sql += fmt::format("COMMENT ON COLUMN {}.{} IS {};\n", view, quoted_name(column),
                               quoted_text(text));
        }
    }
    return sql;
}

}  // namespace

std::string view_statements(const PublishedName& name, const ViewColumns& there,
                            const ViewColumns& there_of_tables) {
    const std::string schema = name.schema();
    const std::string of_tables = name.schema_of_tables();
    std::string sql;
    for (const PublishedView& view : published_views()) {
        sql += fmt::format(
            "CREATE OR REPLACE VIEW {}.{} AS\nSELECT {} FROM (\n{}) v WHERE {}.without_jit();\n",
            schema, view.name, selected(view.columns, there, view.name), view.query, of_tables);
        if (view.is_public) {
            const std::string all = "of_all_" + view.name;
            sql += fmt::format(
                "CREATE OR REPLACE VIEW {0}.{1} WITH (security_barrier) AS\nSELECT {2} FROM "
                "{3}.{4} v WHERE has_schema_privilege({5}::regnamespace, 'USAGE') AND "
                "has_table_privilege({6}::regclass, 'SELECT');\nGRANT SELECT ON {0}.{1} TO "
                "PUBLIC;\n",
                of_tables, all, selected(view.columns, there_of_tables, all), schema, view.name,
                quoted_text(schema), quoted_text(fmt::format("{}.{}", schema, view.name)));
        }
    }
    const auto add = [&](const std::string& table, const std::vector<std::string>& columns) {
        sql += fmt::format(
            "CREATE OR REPLACE VIEW {0}.{1} AS SELECT {2} FROM {3}.{1} v WHERE "
            "{0}.without_jit();\n",
            of_tables, table, selected(columns, there_of_tables, table), schema);
    };
    for (const LedgerTable& table : ledger_tables()) {
        add(table.name, column_names_of(table));
    }
    add("published",
        {"one_row", "ledger_id", "token", "schema_version", "layout", "program", "published_at"});
    return sql + comment_statements(name);
}

}  // namespace cacheledger
