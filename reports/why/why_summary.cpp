#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/why/reason_phrase.hpp"
#include "reports/why/why.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_groups_named = 3;
constexpr std::size_t most_reasons_named = 2;

// "35 rebuilt", "49 with another compiler", "1 copy", "2 of 3 copies".
std::string words_of(const ExplainedCause& cause) {
    const std::string number = cause.explained == cause.asked
                                   ? std::to_string(cause.asked)
                                   : fmt::format("{} of {}", cause.explained, cause.asked);
    if (cause.cause == "compiler") {
        return number + " with another compiler";
    }
    if (cause.cause == "copies") {
        return number + (cause.asked == 1 ? " copy" : " copies");
    }
    return number + " rebuilt";
}

/// Reasons that explain the same specs.
struct Group {
    std::int64_t set = 0, specs = 0;
    std::vector<std::string> phrases;
};

}  // namespace

std::string count_explained(const Why& why, bool by_cause) {
    std::vector<std::string> parts;
    const ExplainedCause* only = nullptr;
    for (const ExplainedCause& cause : why.causes) {
        if (cause.explained > 0) {
            parts.push_back(words_of(cause));
            only = &cause;
        }
    }
    if (parts.empty()) {
        return fmt::format("{} rebuilt", why.rebuilt);
    }
    if (parts.size() == 1 && only->cause == "rebuilt") {
        return parts[0];
    }
    const std::string total = fmt::format("{} re-hashed", why.rebuilt);
    return by_cause ? fmt::format("{} ({})", total, fmt::join(parts, ", ")) : total;
}

std::optional<std::string> summary_of(const Why& why) {
    if (why.reasons.rows.empty()) {
        return std::nullopt;
    }
    std::vector<Group> groups;
    std::size_t named = 0;
    for (std::size_t i = 0; i < why.reasons.rows.size(); ++i) {
        const auto& row = why.reasons.rows[i];
        std::string words = reason_phrase(row);
        auto group = std::ranges::find(groups, why.sets[i], &Group::set);
        // Reasons may differ in what the phrases leave out.
        const bool is_said = std::ranges::any_of(groups, [&](const Group& other) {
            return std::ranges::count(other.phrases, words) != 0;
        });
        if (is_said || (group == groups.end() && groups.size() == most_groups_named)) {
            continue;
        }
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {why.sets[i], std::get<std::int64_t>(row[4]), {}});
        }
        group->phrases.push_back(std::move(words));
        ++named;
    }
    std::vector<std::string> parts;
    for (const Group& group : groups) {
        parts.push_back(
            fmt::format("{} by {}", group.specs, listed(group.phrases, most_reasons_named)));
    }
    std::string text = fmt::format("{}: {}", count_explained(why, true), fmt::join(parts, ", "));
    if (const auto more = why.reasons.rows.size() - named; more > 0) {
        text += fmt::format("; {} more {} (why {} {})", more, more == 1 ? "reason" : "reasons",
                            why.from, why.to);
    }
    return text;
}

}  // namespace cacheledger
