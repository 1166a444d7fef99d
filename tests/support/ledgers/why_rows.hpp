#pragma once

#include <fmt/format.h>

#include "reports/questions/why/why.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace cacheledger {

/// The reasons as texts: "package|class|change|specs|packages|builds|reach".
inline Lines told(const Why& why) {
    Lines lines;
    for (const auto& row : why.reasons.rows) {
        lines.push_back(fmt::format("{}|{}|{}|{}|{}|{}|{}", is_null(row[0]) ? "-" : to_text(row[0]),
                                    to_text(row[2]), to_text(row[3]), to_text(row[4]),
                                    to_text(row[5]), to_text(row[6]), to_text(row[7])));
    }
    return lines;
}

/// Why specs were rebuilt from the first snapshot of the ledger to the second.
inline Why explain(GraphLedger& ledger, const Arguments& more = {}) {
    Arguments filters = {{"package", "*"}, {"stack", Value()}};
    for (const auto& [name, value] : more) {
        filters[name] = value;
    }
    return explain_snapshots(ledger.database(), Catalog(), "develop@0", "develop@1", filters);
}

}  // namespace cacheledger
