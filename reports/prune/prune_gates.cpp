#include "reports/prune/prune_gates.hpp"

#include <fmt/format.h>

#include "reports/coverage/coverage_renderer.hpp"

namespace cacheledger {

namespace {

constexpr double rounding = 1e-9;  // of percentages

Gate judge_one(const Prune& prune, const AskedGate& gate) {
    if (gate.percent) {
        const auto lost = prune.total("specs", "lost");
        const auto all = prune.total("specs", "before");
        const double percent =
            all == 0 ? 0 : 100.0 * static_cast<double>(lost) / static_cast<double>(all);
        return {gate.name, percent > *gate.percent + rounding,
                fmt::format("{} of {} specs would be lost", grouped(lost), grouped(all))};
    }
    const auto count = gate.name == "broken" ? static_cast<std::int64_t>(prune.broken.rows.size())
                       : gate.name == "package" ? prune.total("packages", "lost")
                                                : prune.total("specs listed", "lost");
    const char* const what = gate.name == "broken" ? "kept specs would lack what they need"
                             : gate.name == "package"
                                 ? "packages would vanish"
                                 : "specs of the newest snapshots would be lost";
    return {gate.name, count > 0, count == 0 ? "none" : fmt::format("{} {}", grouped(count), what)};
}

}  // namespace

std::vector<std::string> prune_gate_names() {
    return {"broken", "listed", "package"};
}

std::vector<AskedGate> read_prune_gates(const std::vector<std::string>& lists) {
    return read_gates(lists, prune_gate_names());
}

std::vector<Gate> judge(const Prune& prune, const std::vector<AskedGate>& gates,
                        std::optional<double> least) {
    std::vector<Gate> judged;
    judged.reserve(gates.size() + prune.coverage.rows.size());
    for (const AskedGate& gate : gates) {
        judged.push_back(judge_one(prune, gate));
    }
    for (const auto& row : prune.coverage.rows) {
        if (!least) {
            break;
        }
        const double percent = std::get<double>(row[5]);
        const bool is_less = percent < *least;
        judged.push_back(
            {fmt::format("fail-under {}", *least), is_less,
             fmt::format("of {} {} would be there, {} than --fail-under {}: {} of {} specs",
                         to_text(row[0]), percent_text(percent), is_less ? "less" : "not less",
                         *least, grouped(std::get<std::int64_t>(row[3])),
                         grouped(std::get<std::int64_t>(row[1])))});
    }
    return judged;
}

}  // namespace cacheledger
