#include "reports/prune/prune_gates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "reports/coverage/coverage_renderer.hpp"
#include "schema/basics/error.hpp"
#include "schema/basics/number.hpp"
#include "schema/names/nearest.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view share_prefix = "specs-";
constexpr double rounding = 1e-9;  // of percentages

PruneGate read_one(const std::string& text) {
    if (text.starts_with(share_prefix)) {
        const std::string number = text.substr(share_prefix.size());
        const auto percent = number.ends_with('%')
                                 ? parse_number<double>(number.substr(0, number.size() - 1))
                                 : std::nullopt;
        if (!percent || !(*percent >= 0 && *percent <= 100)) {
            throw UsageError(fmt::format(
                "--fail-on '{}': expected specs-N%, with a number from 0 to 100: specs-5%", text));
        }
        return {text, percent};
    }
    const auto names = prune_gate_names();
    if (std::ranges::find(names, text) == names.end()) {
        refuse_unknown("gate", text, names,
                       fmt::format("there are: {}, specs-N%", fmt::join(names, ", ")));
    }
    return {text};
}

Gate judge_one(const Prune& prune, const PruneGate& gate) {
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

std::vector<PruneGate> read_prune_gates(const std::vector<std::string>& lists) {
    std::vector<PruneGate> gates;
    for (const std::string& list : lists) {
        std::istringstream in(list);
        for (std::string text; std::getline(in, text, ',');) {
            gates.push_back(read_one(text));
        }
        if (list.empty() || list.ends_with(',')) {
            gates.push_back(read_one(""));  // refuses it
        }
    }
    return gates;
}

std::vector<Gate> judge(const Prune& prune, const std::vector<PruneGate>& gates,
                        std::optional<double> least) {
    std::vector<Gate> judged;
    judged.reserve(gates.size() + prune.coverage.rows.size());
    for (const PruneGate& gate : gates) {
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
