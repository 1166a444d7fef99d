#include "reports/engine/drift/change_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace cacheledger {

namespace {

constexpr std::size_t most_values = 2;

constexpr std::array<const char*, 3> nouns = {"platform", "operating system", "target"};
constexpr std::size_t first_difference = 6;  // the column of system_changes.sql for the first noun

std::string in_brackets(const std::set<std::string>& values) {
    return values.empty() || values.size() > most_values
               ? ""
               : fmt::format(" ({})", fmt::join(values, ", "));
}

// "for target zen3 gone", "for 5 targets gone".
std::string gone_words(const AttributeChange& change, const AttributeWords& words) {
    if (change.lost.empty() || words.noun.empty()) {
        return fmt::format("{} {} gone", words.preposition, words.others);
    }
    if (change.lost.size() > most_values) {
        return fmt::format("{} {} {}s gone", words.preposition, change.lost.size(), words.noun);
    }
    return fmt::format("{} {}{} {} gone", words.preposition, words.noun,
                       change.lost.size() == 1 ? "" : "s", fmt::join(change.lost, " and "));
}

std::string words_of_one_series(const AttributeChange& change, const AttributeWords& words) {
    const auto other = [&](std::size_t values) {
        return fmt::format("{} {}", words.preposition, values > 1 ? words.others : words.another);
    };
    const auto [added, removed] = std::pair(change.added, change.removed);
    if (added == 0) {
        return fmt::format("{} {}", counted(removed, "build"), gone_words(change, words));
    }
    if (change.is_even) {
        const std::string values =
            in_brackets(change.lost).empty() || in_brackets(change.gained).empty()
                ? ""
                : fmt::format(" ({} -> {})", fmt::join(change.lost, ", "),
                              fmt::join(change.gained, ", "));
        return fmt::format("{} {}{}", counted(added, "build"), other(change.gained.size()), values);
    }
    std::string text = fmt::format("{} {}{}", counted(added, "new build"),
                                   other(change.gained.size()), in_brackets(change.gained));
    if (removed > 0) {
        text += fmt::format(", {} gone{}", grouped(removed), in_brackets(change.lost));
    }
    return text;
}

std::string words_of_two(const AttributeChange& change, const AttributeWords& words,
                         const ComparedNames& names) {
    std::vector<std::string> parts;
    const auto add = [&](std::int64_t specs, const std::set<std::string>& values,
                         const std::string& name) {
        if (specs == 0) {
            return;
        }
        const std::string what =
            parts.empty() ? fmt::format("{} {} {}", counted(specs, "build"), words.preposition,
                                        values.size() > 1 ? words.others : words.another)
                          : grouped(specs);
        parts.push_back(fmt::format("{} only in {}{}", what, name, in_brackets(values)));
    };
    add(change.added, change.gained, names.to);
    add(change.removed, change.lost, names.from);
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Stacks that only one of the snapshots has, and their specs.
struct LoneStacks {
    std::set<std::string> names;
    std::map<std::int64_t, std::pair<bool, bool>> specs;  // stays, and is in no stack there

    std::int64_t count(bool stays) const {
        std::int64_t number = 0;
        for (const auto& [spec, state] : specs) {
            number += state.first == stays ? 1 : 0;
        }
        return number;
    }
    std::int64_t count_in_none() const {
        std::int64_t number = 0;
        for (const auto& [spec, state] : specs) {
            number += state.second ? 1 : 0;
        }
        return number;
    }
};

LoneStacks lone_stacks(const ResultTable& stacks, std::string_view change) {
    LoneStacks found;
    for (const auto& row : stacks.rows) {  // change, stack, spec_id, stays, in_none
        if (std::get<std::string>(row[0]) == change) {
            found.names.insert(std::get<std::string>(row[1]));
            found.specs[integer(row[2])] = {integer(row[3]) == 1, integer(row[4]) == 1};
        }
    }
    return found;
}

// "Stack ml is", "Stacks e4s and ml are".
std::string subject_of(const LoneStacks& stacks) {
    return fmt::format("{} {} {}", stacks.names.size() == 1 ? "Stack" : "Stacks",
                       listed(std::vector<std::string>(stacks.names.begin(), stacks.names.end()),
                              most_stacks_named),
                       stacks.names.size() == 1 ? "is" : "are");
}

// "2 builds"; where more may be in the stack, "2 of these builds".
std::string counted_builds(std::int64_t number, bool is_of_all) {
    return is_of_all ? counted(number, "build")
                     : fmt::format("{} of these builds", grouped(number));
}

std::string gone_sentence(const LoneStacks& stacks, bool is_of_all) {
    const std::int64_t left = stacks.count(true);
    const std::int64_t removed = stacks.count(false);
    const std::int64_t in_none = stacks.count_in_none();
    const bool is_one = stacks.names.size() == 1;
    if (left == 0 && !is_of_all) {
        return fmt::format("{} gone: {} {} removed.", subject_of(stacks),
                           counted_builds(removed, false), words_for(removed, "was", "were"));
    }
    if (left == 0) {
        return fmt::format("{} gone: {} {} {} removed.", subject_of(stacks),
                           is_one ? "its" : "their",
                           removed == 1 ? "only build" : counted(removed, "build"),
                           words_for(removed, "was", "were"));
    }
    std::string text = fmt::format("{} gone: {} left {}", subject_of(stacks),
                                   counted_builds(left, is_of_all), is_one ? "it" : "them");
    if (in_none > 0 && in_none == left) {
        text += fmt::format(" and {} now in no stack", words_for(left, "is", "are"));
    } else if (in_none > 0) {
        text += fmt::format(", {} {} now in no stack", grouped(in_none),
                            words_for(in_none, "is", "are"));
    }
    if (removed > 0) {
        text += fmt::format("; {} more {} removed", grouped(removed),
                            words_for(removed, "was", "were"));
    }
    return text + ".";
}

std::string new_sentence(const LoneStacks& stacks, bool is_of_all) {
    const std::int64_t joined = stacks.count(true);
    const std::int64_t added = stacks.count(false);
    const bool is_one = stacks.names.size() == 1;
    if (joined == 0 && !is_of_all) {
        return fmt::format("{} new: {} {} added.", subject_of(stacks), counted_builds(added, false),
                           words_for(added, "was", "were"));
    }
    if (joined == 0) {
        return fmt::format("{} new, with {}.", subject_of(stacks), counted(added, "new build"));
    }
    std::string text = fmt::format("{} new: {} joined {}", subject_of(stacks),
                                   counted_builds(joined, is_of_all), is_one ? "it" : "them");
    if (added > 0) {
        text += fmt::format("; {} more {} added", grouped(added), words_for(added, "was", "were"));
    }
    return text + ".";
}

}  // namespace

void AttributeChange::add(std::int64_t more_added, std::int64_t more_removed) {
    added += more_added;
    removed += more_removed;
    is_even = is_even && more_added == more_removed;
}

Clause attribute_clause(const AttributeChange& change, const AttributeWords& words,
                        const ComparedNames& names) {
    return {change.added + change.removed, names.is_of_one_series
                                               ? words_of_one_series(change, words)
                                               : words_of_two(change, words, names)};
}

std::vector<Clause> system_clauses(const ResultTable& systems, const ComparedNames& names) {
    // In what they differ (platform, os, target, and whether in any of them), then the version.
    using Ways = std::array<bool, 4>;
    using Version = std::pair<Value, Value>;
    std::map<Ways, AttributeChange> changes;
    std::map<Ways, std::map<Version, std::pair<std::int64_t, std::int64_t>>> versions;
    // change, package, version, platform, os, target, differs_..., is_either, specs
    for (const auto& row : systems.rows) {
        const bool is_added = std::get<std::string>(row[0]) == "added";
        Ways ways{};
        std::vector<std::string> values;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            ways.at(i) = integer(row[first_difference + i]) == 1;
            if (i < nouns.size() && ways.at(i)) {
                values.push_back(to_text(row[3 + i]));
            }
        }
        auto& [added, removed] = versions[ways][{row[1], row[2]}];
        (is_added ? added : removed) += integer(row[10]);
        AttributeChange& change = changes[ways];
        (is_added ? change.gained : change.lost).insert(fmt::format("{}", fmt::join(values, "-")));
    }
    std::vector<Clause> clauses;
    for (auto& [ways, change] : changes) {
        for (const auto& [version, counts] : versions[ways]) {
            change.add(counts.first, counts.second);
        }
        std::vector<std::string> one;
        std::vector<std::string> many;
        for (std::size_t i = 0; i < nouns.size(); ++i) {
            if (ways.at(i)) {
                one.emplace_back(nouns.at(i));
                many.push_back(fmt::format("{}s", nouns.at(i)));
            }
        }
        const auto joined = [&, is_either = ways.back()](const std::vector<std::string>& words) {
            return is_either ? fmt::format("{}", fmt::join(words, " or "))
                             : listed(words, nouns.size());
        };
        clauses.push_back(
            attribute_clause(change,
                             {"for", "another " + joined(one), "other " + joined(many),
                              one.size() == 1 ? one[0] : "system"},
                             names));
    }
    return clauses;
}

std::string words_of_systems(const ResultTable& systems) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < nouns.size(); ++i) {
        if (std::ranges::any_of(systems.rows, [&](const auto& row) {
                return integer(row[first_difference + i]) == 1;
            })) {
            words.emplace_back(nouns.at(i));
        }
    }
    return words.empty() ? nouns.back() : fmt::format("{}", fmt::join(words, " or "));
}

std::string stack_sentences(const ResultTable& stacks, const ComparedNames& names, bool is_of_all) {
    const LoneStacks gone = lone_stacks(stacks, "gone");
    const LoneStacks added = lone_stacks(stacks, "new");
    std::vector<std::string> sentences;
    const auto only_in = [&](const LoneStacks& lone, const std::string& name) {
        return fmt::format("{} only in {} ({}).", subject_of(lone), name,
                           counted_builds(static_cast<std::int64_t>(lone.specs.size()), is_of_all));
    };
    if (!gone.names.empty()) {
        sentences.push_back(names.is_of_one_series ? gone_sentence(gone, is_of_all)
                                                   : only_in(gone, names.from));
    }
    if (!added.names.empty()) {
        sentences.push_back(names.is_of_one_series ? new_sentence(added, is_of_all)
                                                   : only_in(added, names.to));
    }
    return fmt::format("{}", fmt::join(sentences, " "));
}

std::string option_words(std::string_view change) {
    constexpr std::string_view none = "(none)";
    constexpr std::string_view arrow = " -> ";
    const auto colon = change.find(": ");
    if (colon == std::string_view::npos) {
        return std::string(change);
    }
    const std::string_view name = change.substr(0, colon);
    const std::string_view values = change.substr(colon + 2);
    const auto at = values.find(arrow);
    if (at == std::string_view::npos) {
        return values == none ? fmt::format("{} dropped", name) : std::string(change);
    }
    const std::string_view before = values.substr(0, at);
    const std::string_view after = values.substr(at + arrow.size());
    if (after == none) {
        return fmt::format("{}={} dropped", name, before);
    }
    return before == none ? fmt::format("{}={} added", name, after) : std::string(change);
}

}  // namespace cacheledger
