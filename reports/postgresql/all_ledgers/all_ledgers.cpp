#include "reports/postgresql/all_ledgers/all_ledgers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "reports/postgresql/schemas/publish_transaction.hpp"
#include "reports/postgresql/schemas/published_name.hpp"
#include "reports/postgresql/schemas/published_row.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

constexpr int lock_of_views = 0;                                 // beside PublishedName::lock_key()
constexpr std::string_view class_of_refused_definitions = "42";  // rights, columns, types
constexpr const char* views_are_used = "2BP01";
constexpr int tries_for_lock = 10;
constexpr const char* all_views = "the views cacheledger.all_...";

std::string_view function_text() {
    return all_ledgers_texts.front().text;
}

/// The number behind "version" in the function.
constexpr const char* version_of_function = "substring(prosrc FROM 'version (\\d+)')::bigint";

/// The function as the database has it.
struct FunctionThere {
    bool is_there = false;
    bool may_make = false;  ///< this role may make it, or replace it
    std::int64_t version = 0;
    std::string owner;  ///< of the function, or of the schema without it
};

FunctionThere read_function(PostgresConnection& connection) {
    const auto found = connection.query(fmt::format(
        "SELECT p.oid IS NOT NULL, coalesce(pg_has_role(proowner, 'USAGE'), "
        "has_schema_privilege(n.oid, 'CREATE')), coalesce({}, 0), pg_get_userbyid(coalesce("
        "proowner, nspowner)) FROM pg_namespace n LEFT JOIN pg_proc p ON pronamespace = n.oid AND "
        "proname = 'make_views_of_all_ledgers' WHERE nspname = '{}'",
        version_of_function, shared_schema));
    if (found.rows.empty()) {
        return {false, true, 0, ""};
    }
    const auto& row = found.rows[0];
    return {to_text(row[0]) == "1", to_text(row[1]) == "1", std::get<std::int64_t>(row[2]),
            to_text(row[3])};
}

std::int64_t newest_version() {
    constexpr std::string_view before = "-- version ";
    const auto text = function_text();
    return std::stoll(std::string(text.substr(text.find(before) + before.size(), 3)));
}

bool must_be_made(const FunctionThere& there) {
    return there.may_make && there.version < newest_version();
}

/// Makes the function, or replaces an older one. False: another role would have to.
bool make_function(PostgresConnection& connection) {
    if (!must_be_made(read_function(connection))) {
        return read_function(connection).is_there;
    }
    connection.run(
        fmt::format("SELECT pg_advisory_xact_lock({}, {})", application_id, lock_of_views));
    if (must_be_made(read_function(connection))) {
        connection.run(fmt::format(
            "CREATE SCHEMA IF NOT EXISTS {0};\nGRANT USAGE ON SCHEMA {0} TO PUBLIC;\n{1}",
            shared_schema, function_text()));
    }
    return true;
}

/// Empty, or why the views are as they were.
std::string try_to_make_views(PostgresConnection& connection, const std::string& left_out,
                              AllViews who) {
    std::string problem = "somebody reads them";
    try {
        const auto make = [&] {
            connection.query("SELECT cacheledger.make_views_of_all_ledgers($1)", {left_out});
        };
        if (who == AllViews::with_others) {
            in_savepoint(connection, make);
            return "";
        }
        if (with_short_locks(connection, tries_for_lock, make)) {
            return "";
        }
    } catch (const PostgresError& error) {
        if (error.state() != views_are_used &&
            !error.state().starts_with(class_of_refused_definitions)) {
            throw;
        }
        problem = error.what();
    }
    return fmt::format("{} are as they were ({}); the next publish tries again", all_views,
                       problem);
}

/// A sentence about the ledgers that the views lack, although they were made.
std::string note_on_absent(PostgresConnection& connection, const std::string& left_out) {
    const auto shown = connection.query(
        "SELECT unnest(string_to_array(split_part(obj_description(to_regclass("
        "'cacheledger.all_snapshots'), 'pg_class'), ': ', 2), ', '))");
    std::vector<std::string> absent = published_names(connection);
    std::erase_if(absent, [&](const std::string& ledger) {
        return ledger == left_out || std::ranges::any_of(shown.rows, [&](const auto& row) {
                   return to_text(row[0]) == ledger;
               });
    });
    return absent.empty() ? ""
                          : fmt::format(
                                "{} leave out {}, which an older program published: "
                                "publish with this one",
                                all_views, fmt::join(absent, ", "));
}

}  // namespace

std::string make_views_of_all_ledgers(PostgresConnection& connection, const std::string& left_out,
                                      AllViews who) {
    if (!make_function(connection)) {
        return fmt::format(
            "{} are those of an older program, and the role {} made them: they have this ledger "
            "when that role has published with this program",
            all_views, read_function(connection).owner);
    }
    const std::string problem = try_to_make_views(connection, left_out, who);
    return problem.empty() ? note_on_absent(connection, left_out) : problem;
}

}  // namespace cacheledger
