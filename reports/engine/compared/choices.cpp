#include "reports/engine/compared/choices.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <optional>

#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// "+mpi", "~x dropped", "cuda_arch: 80 -> 90"; without `before` and its arrow if has_arrow is not.
std::string option_text(const std::string& name, const std::optional<std::string>& now,
                        const std::optional<std::string>& before, bool has_arrow) {
    const std::string& value = now ? *now : *before;
    if (value == "true" || value == "false") {
        return fmt::format("{}{}{}", value == "true" ? '+' : '~', name, now ? "" : " dropped");
    }
    const std::string later = now.value_or("(none)");
    return has_arrow ? fmt::format("{}: {} -> {}", name, before.value_or("(none)"), later)
                     : fmt::format("{}: {}", name, later);
}

}  // namespace

std::uint32_t OptionChoices::of(std::uint32_t variant_set) {
    const auto [place, is_new] = of_set_.try_emplace(variant_set, 0);
    if (!is_new || variant_set == 0) {
        return place->second;
    }
    SQLite::Statement select(database_, R"(
        SELECT v.name, v.value
        FROM variant_set_member m
        CROSS JOIN variant v ON v.variant_id = m.variant_id
        WHERE m.variant_set_id = ? AND v.name NOT IN ('build_system', 'patches')
        ORDER BY v.name, v.value)");
    rebind(select, variant_set);
    std::vector<Option> options;
    while (select.executeStep()) {
        const std::string name = select.getColumn(0).getString();
        const std::string value = select.getColumn(1).getString();
        if (!options.empty() && options.back().first == name) {
            options.back().second += "," + value;
        } else {
            options.emplace_back(name, value);
        }
    }
    const auto [known, is_first] =
        numbers_.try_emplace(std::move(options), static_cast<std::uint32_t>(numbers_.size()) + 1);
    if (is_first) {
        options_.push_back(&known->first);
    }
    return place->second = known->second;
}

const OptionChoices::Change& OptionChoices::change(std::uint32_t now, std::uint32_t before) {
    const auto [place, is_new] = changes_.try_emplace({now, before});
    Change& change = place->second;
    if (!is_new || now == before || now == 0 || before == 0) {
        return change;
    }
    const auto add = [&](const std::string& name, const std::optional<std::string>& later,
                         const std::optional<std::string>& earlier) {
        const char* const between = change.options == 0 ? "" : "; ";
        change.arrows += between + option_text(name, later, earlier, true);
        change.values += between + option_text(name, later, earlier, false);
        ++change.options;
    };
    const std::vector<Option>& later = *options_[now - 1];
    const std::vector<Option>& earlier = *options_[before - 1];
    auto one = later.begin();
    auto other = earlier.begin();
    while (one != later.end() || other != earlier.end()) {
        if (other == earlier.end() || (one != later.end() && one->first < other->first)) {
            add(one->first, one->second, std::nullopt);
            ++one;
        } else if (one == later.end() || other->first < one->first) {
            add(other->first, std::nullopt, other->second);
            ++other;
        } else {
            if (one->second != other->second) {
                add(one->first, one->second, other->second);
            }
            ++one;
            ++other;
        }
    }
    return change;
}

const Systems::Words& Systems::words(std::uint32_t arch) {
    const auto [place, is_new] = words_.try_emplace(arch);
    if (is_new) {
        SQLite::Statement select(database_,
                                 "SELECT platform, os, target FROM arch WHERE arch_id = ?");
        rebind(select, arch);
        if (select.executeStep()) {
            place->second = {select.getColumn(0).getString(), select.getColumn(1).getString(),
                             select.getColumn(2).getString()};
        }
    }
    return place->second;
}

const Systems::Change& Systems::change(std::uint32_t now, std::uint32_t before) {
    const auto [place, is_new] = changes_.try_emplace({now, before});
    Change& change = place->second;
    if (!is_new || now == before || now == 0 || before == 0) {
        return change;
    }
    const Words& later = words(now);
    const Words& earlier = words(before);
    change.platform = later.platform != earlier.platform;
    change.os = later.os != earlier.os;
    const TargetFit fit = fit_of(later.target, earlier.target);
    change.is_foreign = fit == TargetFit::other_family;
    change.target = static_cast<std::int64_t>(change.is_foreign ? TargetFit::may_not_run : fit);
    return change;
}

}  // namespace cacheledger
