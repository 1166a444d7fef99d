#include "reports/render/document/gate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cacheledger {

bool has_failed(const std::vector<Gate>& gates) {
    return std::ranges::any_of(gates, &Gate::has_failed);
}

void fail_on_unread(std::vector<Gate>& gates, const std::string& sentence) {
    if (sentence.empty()) {
        return;
    }
    for (Gate& gate : gates) {
        gate.has_failed = true;
        gate.message += fmt::format(". {} No gate passes then.", sentence);
    }
}

std::string failures(const std::vector<Gate>& gates) {
    std::string line;
    for (const Gate& gate : gates) {
        if (gate.has_failed) {
            line +=
                fmt::format("{}{} failed: {}", line.empty() ? "" : "; ", gate.name, gate.message);
        }
    }
    return line;
}

ResultTable gates_table(const std::vector<Gate>& gates) {
    ResultTable table{{"gate", "outcome", "message"}, {}};
    for (const Gate& gate : gates) {
        table.rows.push_back({gate.name, gate.has_failed ? "failed" : "passed", gate.message});
    }
    return table;
}

}  // namespace cacheledger
