#include "src/commands/report/note_on_package.hpp"

#include <algorithm>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

namespace {

bool says_nothing(const ResultTable& table) {
    return std::ranges::all_of(table.rows, [](const auto& row) {
        return std::ranges::none_of(row, [](const Value& value) {
            return is_number(value) && value != Value(std::int64_t{0}) && value != Value(0.0);
        });
    });
}

}  // namespace

std::vector<std::string> notes_on_package(AskedLedger& ledger, const Report& report,
                                          const Arguments& arguments, const ResultTable& table) {
    std::vector<std::string> snapshots;
    std::string package = "*";
    for (const Parameter& parameter : report.parameters) {
        if (parameter.type == ParameterType::snapshot) {
            snapshots.push_back(to_text(arguments.at(parameter.name)));
        } else if (parameter.name == "package") {
            package = to_text(arguments.at(parameter.name));
        }
    }
    return package != "*" && says_nothing(table)
               ? notes_on_absent_packages(ask_names_of(ledger.database()), snapshots, {package})
               : std::vector<std::string>();
}

}  // namespace cacheledger
