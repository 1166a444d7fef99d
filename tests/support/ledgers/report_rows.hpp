#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/run/run_report.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace cacheledger {

/// The rows of a report, each as one text: columns separated by '|', NULL as "NULL".
inline std::vector<std::string> report_rows(TempLedger& ledger, const std::string& name,
                                            const Arguments& arguments = {}) {
    static const Catalog catalog;
    std::vector<std::string> lines;
    for (const auto& row : run_report(ledger.database(), catalog.find(name), arguments).rows) {
        std::string line;
        for (const Value& value : row) {
            line += fmt::format("{}{}", &value == row.data() ? "" : "|",
                                is_null(value) ? "NULL" : to_text(value));
        }
        lines.push_back(line);
    }
    return lines;
}

}  // namespace cacheledger
