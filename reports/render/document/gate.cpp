#include "reports/render/document/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view share_prefix = "specs-";

std::optional<double> parse_percent(const std::string& text) {
    const auto percent = parse_number<double>(text);
    return percent && *percent >= 0 && *percent <= 100 ? percent : std::nullopt;
}

AskedGate read_share(const std::string& text) {
    const std::string number = text.substr(share_prefix.size());
    const auto percent =
        number.ends_with('%') ? parse_percent(number.substr(0, number.size() - 1)) : std::nullopt;
    if (!percent) {
        throw UsageError(fmt::format(
            "--fail-on '{}': expected specs-N%, with a number from 0 to 100: specs-5%", text));
    }
    return {text, percent};
}

AskedGate read_gate(const std::string& text, const std::vector<std::string>& names) {
    if (text.starts_with(share_prefix)) {
        return read_share(text);
    }
    if (std::ranges::find(names, text) == names.end()) {
        refuse_unknown("gate", text, names,
                       fmt::format("there are: {}, specs-N%", fmt::join(names, ", ")));
    }
    return {text};
}

}  // namespace

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

std::vector<AskedGate> read_gates(const std::vector<std::string>& lists,
                                  const std::vector<std::string>& names) {
    std::vector<AskedGate> gates;
    for (const std::string& list : lists) {
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(',', begin), list.size());
            gates.push_back(read_gate(list.substr(begin, end - begin), names));
            begin = end + 1;
        }
    }
    return gates;
}

double read_fail_under(const std::string& text) {
    const auto percent = parse_percent(text);
    if (!percent) {
        throw UsageError(
            fmt::format("--fail-under '{}': expected a number from 0 to 100, such as 99.5", text));
    }
    return *percent;
}

}  // namespace cacheledger
