#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/questions/prune/prune.hpp"
#include "reports/render/document/gate.hpp"
#include "schema/text/counted.hpp"

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
                fmt::format("{} of {} would be lost", grouped(lost), counted(all, "spec"))};
    }
    const auto count = gate.name == "broken" ? static_cast<std::int64_t>(prune.broken.rows.size())
                       : gate.name == "package" ? prune.total("packages", "lost")
                                                : prune.total("specs listed", "lost");
    const std::string lost =
        gate.name == "broken" ? counted(count, "kept spec would lack what it needs",
                                        "kept specs would lack what they need")
        : gate.name == "package"
            ? counted(count, "package") + " would vanish"
            : counted(count, "spec") + " of the newest snapshots would be lost";
    return {gate.name, count > 0, count == 0 ? "none" : lost};
}

}  // namespace

std::vector<std::string> prune_gate_names() {
    return {"broken", "listed", "package"};
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
             fmt::format("of {} {} would be there, {} than --fail-under {}: {} of {}",
                         to_text(row[0]), percent_text(percent), is_less ? "less" : "not less",
                         *least, grouped(integer(row[3])), counted(integer(row[1]), "spec"))});
    }
    fail_on_unread(judged, fmt::format("{}", fmt::join(prune.not_read, " ")));
    return judged;
}

}  // namespace cacheledger
