#include "reports/postgresql/all_ledgers/all_ledgers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "reports/postgresql/schemas/published_name.hpp"
#include "reports/postgresql/schemas/published_row.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/ledger/description/schema_parts.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view class_of_refused_definitions = "42";  // rights, columns, types
constexpr const char* invalid_table_definition = "42P16";        // of a view with other columns
constexpr const char* lock_not_available_for_views = "55P03";

/// Who reads one of the views waits for who makes them, so that waits only a moment for a lock.
constexpr const char* short_lock_timeout = "SET LOCAL lock_timeout = '200ms';\n";
constexpr int tries_for_lock = 10;

constexpr const char* first_of_all = "cacheledger.all_snapshots";

std::vector<SchemaPart> public_views() {
    std::vector<SchemaPart> views = schema_parts();
    std::erase_if(views, [](const SchemaPart& part) { return !part.is_public; });
    return views;
}

std::string name_of_all(std::string_view view) {
    return fmt::format("{}.all_{}", function_schema, view);
}

/// The views as they are: who owns them, and of which ledgers they are.
struct ViewsOfAll {
    bool is_there = false;
    std::string owner;  ///< of the schema without views
    bool is_mine = false;
    std::string comment;
};

ViewsOfAll read_views(PostgresConnection& connection) {
    const auto views = connection.query(
        "SELECT pg_get_userbyid(relowner), pg_has_role(relowner, 'USAGE'), "
        "coalesce(obj_description(oid, 'pg_class'), '') FROM pg_class WHERE oid = to_regclass($1)",
        {std::string(first_of_all)});
    if (!views.rows.empty()) {
        const auto& row = views.rows[0];
        return {true, to_text(row[0]), to_text(row[1]) == "1", to_text(row[2])};
    }
    const auto schema = connection.query(
        "SELECT pg_get_userbyid(nspowner), has_schema_privilege(oid, 'CREATE') FROM pg_namespace "
        "WHERE nspname = $1",
        {std::string(function_schema)});
    if (schema.rows.empty()) {
        return {};
    }
    return {false, to_text(schema.rows[0][0]), to_text(schema.rows[0][1]) == "1", ""};
}

/// The ledgers of which the owner of the views may read all public views, with the columns that
/// this program knows.
std::vector<std::string> ledgers_to_show(PostgresConnection& connection) {
    std::vector<std::string> columns;
    for (const SchemaPart& view : public_views()) {
        for (const std::string& column : view.columns) {
            columns.push_back(fmt::format("({}, {})", quoted_text(view.name), quoted_text(column)));
        }
    }
    const auto found = connection.query(
        fmt::format("SELECT nspname FROM pg_namespace n, (SELECT coalesce((SELECT relowner FROM "
                    "pg_class WHERE oid = to_regclass($1)), (SELECT oid FROM pg_roles WHERE "
                    "rolname = current_user)) AS id) owner WHERE EXISTS (SELECT FROM pg_namespace "
                    "WHERE nspname = n.nspname || ' tables') AND has_schema_privilege(owner.id, "
                    "n.oid, 'USAGE') AND NOT EXISTS (SELECT FROM (VALUES {}) c(view, name) WHERE "
                    "NOT EXISTS (SELECT FROM pg_class v JOIN pg_attribute a ON attrelid = v.oid "
                    "WHERE relnamespace = n.oid AND relname = c.view AND attname = c.name AND "
                    "has_table_privilege(owner.id, v.oid, 'SELECT'))) ORDER BY nspname COLLATE "
                    "\"C\"",
                    fmt::join(columns, ", ")),
        {std::string(first_of_all)});
    std::vector<std::string> ledgers;
    for (const auto& row : found.rows) {
        ledgers.push_back(to_text(row[0]));
    }
    return ledgers;
}

std::string comment_on_all(std::string_view view, const std::vector<std::string>& ledgers) {
    return fmt::format("The view {} of all ledgers: {}", view, fmt::join(ledgers, ", "));
}

/// Asked once for each ledger, not for each row: without the right, the ledger is not read at all.
std::string rows_of(const std::string& ledger, const SchemaPart& view) {
    std::vector<std::string> columns;
    for (const std::string& column : view.columns) {
        columns.push_back("t." + quoted_name(column));
    }
    const std::string schema = PublishedName(ledger).schema();
    const std::string name = fmt::format("{}.{}", schema, view.name);
    return fmt::format(
        "SELECT {} COLLATE \"C\" AS ledger, {} FROM {} t WHERE "
        "has_schema_privilege({}::regnamespace, 'USAGE') AND has_table_privilege({}::regclass, "
        "'SELECT')",
        quoted_text(ledger), fmt::join(columns, ", "), name, quoted_text(schema),
        quoted_text(name));
}

std::string make_statements(const std::vector<std::string>& ledgers) {
    std::string sql = fmt::format("GRANT USAGE ON SCHEMA {} TO PUBLIC;\n", function_schema);
    for (const SchemaPart& view : public_views()) {
        std::vector<std::string> parts;
        parts.reserve(ledgers.size());
        for (const std::string& ledger : ledgers) {
            parts.push_back(rows_of(ledger, view));
        }
        sql += fmt::format(
            "CREATE OR REPLACE VIEW {0} AS\n{1};\nGRANT SELECT ON {0} TO PUBLIC;\n"
            "COMMENT ON VIEW {0} IS {2};\n",
            name_of_all(view.name), fmt::join(parts, "\nUNION ALL\n"),
            quoted_text(comment_on_all(view.name, ledgers)));
    }
    return sql;
}

std::string drop_statements() {
    std::string sql;
    for (const SchemaPart& view : public_views()) {
        sql += fmt::format("DROP VIEW IF EXISTS {};\n", name_of_all(view.name));
    }
    return sql;
}

/// All or nothing; nothing leaves the transaction as it was. Throws PostgresError.
void run_whole(PostgresConnection& connection, const std::string& sql) {
    connection.run("SAVEPOINT all_ledgers");
    try {
        connection.run(short_lock_timeout + sql);
    } catch (const PostgresError&) {
        connection.run("ROLLBACK TO SAVEPOINT all_ledgers");
        throw;
    }
}

void make_views(PostgresConnection& connection, const std::vector<std::string>& ledgers) {
    if (ledgers.empty()) {
        run_whole(connection, drop_statements());
        return;
    }
    try {
        run_whole(connection, make_statements(ledgers));
    } catch (const PostgresError& error) {
        if (error.state() != invalid_table_definition) {
            throw;
        }
        run_whole(connection, drop_statements() + make_statements(ledgers));
    }
}

std::string try_to_make_views(PostgresConnection& connection,
                              const std::vector<std::string>& ledgers) {
    for (int tries = 1;; ++tries) {
        try {
            make_views(connection, ledgers);
            return "";
        } catch (const PostgresError& error) {
            const bool is_locked = error.state() == lock_not_available_for_views;
            if (is_locked && tries < tries_for_lock) {
                continue;
            }
            if (!is_locked && !error.state().starts_with(class_of_refused_definitions)) {
                throw;
            }
            return fmt::format("the views {} are as they were ({}); the next publish tries again",
                               name_of_all("..."), error.what());
        }
    }
}

}  // namespace

std::string make_views_of_all_ledgers(PostgresConnection& connection) {
    const auto is_current = [&](const ViewsOfAll& views, const std::vector<std::string>& ledgers) {
        return views.is_there ? views.comment == comment_on_all("snapshots", ledgers)
                              : ledgers.empty();
    };
    const ViewsOfAll views = read_views(connection);
    if (!views.is_mine || is_current(views, ledgers_to_show(connection))) {
        return "";
    }
    lock_shared_schema(connection);
    const auto ledgers = ledgers_to_show(connection);
    return is_current(read_views(connection), ledgers) ? ""
                                                       : try_to_make_views(connection, ledgers);
}

std::string note_on_views_of_all(PostgresConnection& connection) {
    const ViewsOfAll views = read_views(connection);
    if (!views.is_mine && !views.owner.empty()) {
        return fmt::format(
            "the views {} are made by the role {}: they have this ledger when that role may read "
            "it (--grant) and has published its own again",
            name_of_all("..."), views.owner);
    }
    const auto shown = ledgers_to_show(connection);
    std::vector<std::string> left_out = published_names(connection);
    std::erase_if(left_out, [&](const std::string& ledger) {
        return std::ranges::find(shown, ledger) != shown.end();
    });
    return left_out.empty()
               ? ""
               : fmt::format(
                     "the views {} leave out {}, which their owner may not read (--grant), or "
                     "another program published",
                     name_of_all("..."), fmt::join(left_out, ", "));
}

}  // namespace cacheledger
