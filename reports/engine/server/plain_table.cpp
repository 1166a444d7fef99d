#include "reports/engine/server/plain_table.hpp"

#include <fmt/format.h>

namespace cacheledger {

namespace {

/// What depends on no function of a user has no row of one in pg_depend: PostgreSQL's own are
/// pinned.
constexpr std::string_view runs_no_function =
    "NOT c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid) AND NOT "
    "EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid) AND NOT EXISTS (SELECT FROM "
    "pg_depend part JOIN pg_depend used ON used.classid = part.classid AND used.objid = part.objid "
    "WHERE part.refclassid = 'pg_class'::regclass AND part.refobjid = c.oid AND part.classid IN "
    "('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_statistic_ext'::regclass) AND "
    "used.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass))";

}  // namespace

std::string is_trusted(std::string_view oid) {
    return fmt::format(
        "coalesce((SELECT rolsuper OR rolname = current_user FROM pg_roles WHERE oid = {}), false)",
        oid);
}

void require_plain_table(PostgresConnection& connection, const std::string& table) {
    connection.run(fmt::format("LOCK TABLE {} IN ACCESS SHARE MODE", table));
    const auto found = connection.row(
        fmt::format("SELECT c.relkind = 'r' AND ({} OR {}), pg_get_userbyid(c.relowner) FROM "
                    "pg_class c WHERE c.oid = CAST($1 AS regclass)",
                    is_trusted("c.relowner"), runs_no_function),
        {table});
    if (number_in(found, 0) == 0) {
        throw DatabaseError(
            fmt::format("{} is not read: it is no plain table, and could run what its owner, the "
                        "role {}, put there",
                        table, text_in(found, 1)));
    }
}

}  // namespace cacheledger
