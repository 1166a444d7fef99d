#include "reports/postgresql/all_ledgers/all_ledgers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/engine/server/plain_table.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

constexpr int lock_of_views = 0;  // beside PublishedName::lock_key()
constexpr int tries_for_lock = 10;
constexpr const char* all_views = "the views cacheledger.all_...";
constexpr const char* trust = "GRANT EXECUTE ON FUNCTION cacheledger.make_views_of_all_ledgers TO";

std::string_view function_text() {
    return all_ledgers_texts.front().text;
}

/// The function as the database has it.
struct FunctionThere {
    bool has_schema = false;
    bool is_there = false;
    bool is_trusted = true;  ///< the schema and the function: nobody else can replace it
    bool may_make = true;    ///< this role may make it, or replace it
    std::int64_t version = 0;
    std::string owner{};  ///< who is not trusted, or of the function
};

FunctionThere read_function(PostgresConnection& connection) {
    const auto found = connection.query(fmt::format(
        "SELECT p.oid IS NOT NULL, {0} AND (p.oid IS NULL OR prosecdef AND {1}), "
        "coalesce(pg_has_role(proowner, 'USAGE'), has_schema_privilege(n.oid, 'CREATE')), "
        "coalesce(substring(prosrc FROM "
        "'version (\\d{{1,9}})')::bigint, 0), pg_get_userbyid(CASE WHEN {0} AND p.oid IS NOT NULL "
        "THEN proowner ELSE nspowner END) FROM pg_namespace n LEFT JOIN pg_proc p ON pronamespace "
        "= n.oid AND proname = 'make_views_of_all_ledgers' AND pronargs = 1 AND proargtypes[0] = "
        "'text'::regtype WHERE nspname = '{2}'",
        is_trusted("nspowner"), is_trusted("proowner"), shared_schema));
    if (found.rows.empty()) {
        return {};
    }
    const auto& row = found.rows[0];
    return {true,
            number_in(row, 0) == 1,
            number_in(row, 1) == 1,
            number_in(row, 2) == 1,
            number_in(row, 3),
            text_in(row, 4)};
}

std::int64_t newest_version() {
    constexpr std::string_view before = "-- version ";
    const auto text = function_text();
    return std::stoll(std::string(text.substr(text.find(before) + before.size(), 3)));
}

bool must_be_made(const FunctionThere& there) {
    return there.is_trusted && there.may_make && there.version < newest_version();
}

/// Makes the function, or replaces an older one, if this role is the one to do so. Returns what is
/// there then.
FunctionThere make_function(PostgresConnection& connection) {
    FunctionThere before = read_function(connection);
    if (!must_be_made(before)) {
        return before;
    }
    connection.run(
        fmt::format("SELECT pg_advisory_xact_lock({}, {})", application_id, lock_of_views));
    const FunctionThere locked = read_function(connection);
    if (must_be_made(locked)) {
        connection.run(fmt::format("{0}GRANT USAGE ON SCHEMA {1} TO PUBLIC;\n{2}",
                                   locked.has_schema ? "" : "CREATE SCHEMA cacheledger;\n",
                                   shared_schema, function_text()));
    }
    return read_function(connection);
}

/// Makes the function and the views. Returns why they can't be made; else an empty text.
std::string make_all(PostgresConnection& connection, const std::string& left_out) {
    const FunctionThere there = make_function(connection);
    if (!there.is_trusted) {
        return fmt::format(
            "the role {0} made them, and publish runs nothing of that role; they have this ledger "
            "when {0} publishes, and trusts the role of this one ({1} ROLE)",
            there.owner, trust);
    }
    if (there.version < newest_version()) {
        return fmt::format("the role {} made them with an older program, and has to publish first",
                           there.owner);
    }
    connection.query("SELECT cacheledger.make_views_of_all_ledgers(CAST($1 AS text))", {left_out});
    return "";
}

/// Empty, or why the views are as they were.
std::string try_to_make_views(PostgresConnection& connection, const std::string& left_out,
                              AllViews who) {
    const std::string again = "; the next publish tries again";
    std::string problem;
    const auto make = [&] { problem = make_all(connection, left_out); };
    try {
        if (who == AllViews::with_others) {
            in_savepoint(connection, make);
        } else if (!with_short_locks(connection, tries_for_lock, make)) {
            problem = "somebody reads them" + again;
        }
    } catch (const PostgresError& error) {
        if (who == AllViews::with_others && is_locked(error)) {
            throw;
        }
        problem = error.what() + again;
    }
    return problem.empty() ? "" : fmt::format("{} are as they were: {}", all_views, problem);
}

/// A sentence about the ledgers that the views lack, although they were made.
std::string note_on_absent(PostgresConnection& connection, const std::string& left_out) {
    const auto shown = connection.query(
        "SELECT unnest(string_to_array(split_part(obj_description(c.oid, 'pg_class'), ': ', 2), ', "
        "')) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = "
        "'cacheledger' AND relname = 'all_snapshots'");
    std::vector<std::string> absent = published_names(connection);
    std::erase_if(absent, [&](const std::string& ledger) {
        return ledger == left_out || std::ranges::any_of(shown.rows, [&](const auto& row) {
                   return text_in(row, 0) == ledger;
               });
    });
    return absent.empty()
               ? ""
               : fmt::format(
                     "{} leave out {}: take a ledger in whose role is trusted with {} that role",
                     all_views, listed(absent, 3), trust);
}

}  // namespace

std::string make_views_of_all_ledgers(PostgresConnection& connection, const std::string& left_out,
                                      AllViews who) {
    const std::string problem = try_to_make_views(connection, left_out, who);
    return problem.empty() ? note_on_absent(connection, left_out) : problem;
}

}  // namespace cacheledger
