#include "reports/postgresql/users/dependent_objects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/postgresql/rows/ledger_tables.hpp"
#include "reports/postgresql/views/published_views.hpp"

namespace cacheledger {

namespace {

/// The names of what a publish makes in the schemas of a ledger, as an array of PostgreSQL.
std::string own_names() {
    std::vector<std::string> names = {"published", "publication", "publication_change"};
    for (const LedgerTable& table : ledger_tables()) {
        names.push_back(table.name);
    }
    for (const PublishedView& view : published_views()) {
        names.push_back(view.name);
        names.push_back("of_all_" + view.name);
    }
    return fmt::format("{{{}}}", fmt::join(names, ","));
}

}  // namespace

std::vector<std::string> dependent_objects(PostgresConnection& connection,
                                           const PublishedName& name) {
    const auto found = connection.query(std::string(dependent_texts.front().text),
                                        {name.text(), name.text() + " tables", own_names()});
    std::vector<std::string> objects;
    for (const auto& row : found.rows) {
        objects.push_back(to_text(row[0]));
    }
    return objects;
}

}  // namespace cacheledger
