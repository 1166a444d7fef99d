#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/postgresql/schemas/published_name.hpp"

namespace cacheledger {

/// A column of a table or view on the server.
struct ViewColumn {
    std::string name;
    std::string type;  ///< as PostgreSQL writes it: "bigint"
};

/// The columns of tables and views, in their order.
using ViewColumns = std::map<std::string, std::vector<ViewColumn>>;

/// The statements that make the views of a published ledger, with their comments:
///
/// - the public views and those for reports, in its schema;
/// - in "NAME tables" a view for each table, by which who only reads has the tables;
/// - there, too, of_all_X for each public view X: its rows for who may read it, and none for
///   others. Everybody may read these, so that they can be parts of the views over all ledgers. A
///   barrier keeps PostgreSQL from moving the condition into those, where it would hide which
///   ledger a part is of, and every ledger would be read.
///
/// `there`, `there_of_tables`: what the two schemas have. A view keeps what it has, in its order
/// and of its type; a column that this program does not know is NULL from now on.
std::string view_statements(const PublishedName& name, const ViewColumns& there,
                            const ViewColumns& there_of_tables);

}  // namespace cacheledger
