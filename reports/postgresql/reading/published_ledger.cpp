#include "reports/postgresql/reading/published_ledger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/postgresql/schemas/published_row.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

PublishedName name_of_ledger(PostgresConnection& connection, const std::string& ledger) {
    if (!ledger.empty()) {
        return PublishedName(ledger);
    }
    const auto names = published_names(connection);
    throw UsageError(
        fmt::format("--ledger: expected the name of a ledger; the database has {}",
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

PublishedLedger::PublishedLedger(const std::string& url, const std::string& ledger,
                                 const PostgresConnection::IsStopped& is_stopped)
    : connection_(url, is_stopped), name_(name_of_ledger(connection_, ledger)) {
    // Without jit: compiling a query takes longer than these queries do.
    connection_.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY");
    connection_.run("SET LOCAL jit = off");
    const PublishedRow published = require_published(connection_, name_);
    if (published.schema_version != newest_schema_version()) {
        throw DatabaseError(fmt::format(
            "{}: published by {} with schema {}, and this program reads schema {}; publish it with "
            "this program",
            name_.text(), published.program, published.schema_version, newest_schema_version()));
    }
    connection_.run("SET LOCAL search_path = " + name_.search_path());
}

void PublishedLedger::refuse_powerful_role(const std::string& origin) {
    const auto power =
        connection_.query(std::string(power_texts.front().text), {name_.text()}).rows;
    if (!power.empty()) {
        throw UsageError(
            fmt::format("{}: the role of this connection may do more than read the views ({}); "
                        "'publish --grant ROLE' makes a role that may not",
                        origin, to_text(power[0].at(0))));
    }
}

}  // namespace cacheledger
