#include "reports/engine/reach/reach_tables.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/reach/fill_tables.hpp"

namespace cacheledger {

namespace {

struct ReachTable {
    std::string_view name;
    void (*fill)(const SQLite::Database& database, const Arguments& arguments);
};

constexpr std::array reach_tables = {
    ReachTable{"absent_specs", fill_absent_specs},
    ReachTable{"beyond_specs", fill_beyond_specs},
    ReachTable{"dependent_specs", fill_dependent_specs},
    ReachTable{"missing_specs", fill_missing_specs},
    ReachTable{"wanted_specs", fill_wanted_specs},
};

bool reads(const Report& report, const ReachTable& table) {
    return is_of_program(report) &&
           report.sql.find("temp." + std::string(table.name)) != std::string::npos;
}

}  // namespace

ReachTables::ReachTables(const SQLite::Database& database, const Report& report,
                         const Arguments& arguments) {
    for (const ReachTable& table : reach_tables) {
        if (reads(report, table)) {
            tables_.emplace_back(database, text_named(reach_texts, table.name));
            table.fill(database, arguments);
        }
    }
}

std::vector<std::string> ReachTables::read_by(const Report& report) {
    std::vector<std::string> names;
    for (const ReachTable& table : reach_tables) {
        if (reads(report, table)) {
            names.emplace_back(table.name);
        }
    }
    return names;
}

std::string ReachTables::sql() const {
    std::string text;
    for (const TemporaryTables& table : tables_) {
        text += table.sql();
    }
    return text;
}

}  // namespace cacheledger
