#include "reports/questions/why/why.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "reports/questions/why/reason_phrase.hpp"
#include "reports/questions/why/told_apart.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_groups_named = 3;
constexpr std::size_t most_reasons_named = 2;

// Of the specs with the cause, `number`: "35 rebuilt", "49 with another compiler", "1 more copy",
// "2 of 3 more copies".
// Alone it names builds: "49 builds with another compiler".
std::string words_of(const ExplainedCause& cause, std::int64_t number, bool is_alone) {
    const std::string of_all = number == cause.asked
                                   ? grouped(number)
                                   : fmt::format("{} of {}", grouped(number), grouped(cause.asked));
    if (cause.cause == "compiler") {
        const std::string builds = is_alone ? words_for(cause.asked, " build", " builds") : "";
        return fmt::format("{}{} with another compiler", of_all, builds);
    }
    if (cause.cause == "copies") {
        return fmt::format("{} more {}", of_all, words_for(cause.asked, "copy", "copies"));
    }
    return of_all + " rebuilt";
}

/// Reasons that explain the same specs.
struct Group {
    std::int64_t set = 0, specs = 0;
    std::vector<ReasonPhrase> phrases;
};

}  // namespace

Why read_why(const SQLite::Database& database, const SpecReasons& reasons, const Report& order,
             const Arguments& arguments) {
    Why why;
    const Reasons& found = reasons.found();
    why.rebuilt = std::ssize(found.explained_specs);
    why.pushed = found.pushed.specs;
    why.unknown = found.unknown.specs;
    why.causes = found.causes;
    why.joined = found.joined;
    why.unknown_before = found.unknown_before;
    why.reasons.columns = {"package", "hash",     "class",  "change",
                           "specs",   "packages", "builds", "reach"};
    std::map<std::string, std::int64_t> sets;
    for (const Reason& reason : found.reasons) {
        sets.emplace(reason.hash, reason.same_as);
    }
    // package, class, change, specs, packages, builds, reach, hash
    for (auto& row : run_query(database, order.origin, order.sql, arguments).rows) {
        if (!is_null(row.back())) {
            std::rotate(row.begin() + 1, row.end() - 1, row.end());
            why.sets.push_back(sets.at(std::get<std::string>(row[1])));
            why.reasons.rows.push_back(std::move(row));
        }
    }
    return why;
}

Why explain_snapshots(SQLite::Database& database, const Catalog& catalog, const std::string& from,
                      const std::string& to, const Arguments& filters) {
    const Snapshot before = find_snapshot(database, from);
    const Snapshot after = find_snapshot(database, to);
    Arguments arguments = filters;
    arguments["from"] = before.name;
    arguments["to"] = after.name;
    const PairDrift drift(database, arguments);
    const SpecReasons reasons(database, drift, arguments);
    Why why = read_why(database, reasons, catalog.find("drift/why"), arguments);
    why.cost = cost_of_specs(database, reasons.found().explained_specs);
    why.from = before.name;
    why.to = after.name;
    why.commits = read_commits(database, why.reasons, {before.taken_at, after.taken_at});
    why.is_of_pages =
        only_value<bool>(database, "SELECT kind = 'pages' FROM snapshot WHERE name = ?", why.to);
    return why;
}

Why explain_specs(SQLite::Database& database, const std::string& from, const std::string& to) {
    const SpecReasons reasons(database, from, to);
    Why why = read_why(database, reasons, Catalog().find("drift/why"),
                       {{"from", from}, {"to", to}, {"stack", Value()}, {"package", "*"}});
    why.cost = cost_of_specs(database, reasons.found().explained_specs);
    why.from = from;
    why.to = to;
    why.is_of_specs = true;
    why.apart = changes_between_specs(database, from, to);
    return why;
}

std::string count_explained(const Why& why) {
    const bool is_any_explained = why.rebuilt > 0;
    const auto number_of = [&](const ExplainedCause& cause) {
        return is_any_explained ? cause.explained : cause.unknown;
    };
    const bool is_alone = std::ranges::count_if(why.causes, [&](const ExplainedCause& cause) {
                              return number_of(cause) > 0;
                          }) == 1;
    std::vector<std::string> parts;
    for (const ExplainedCause& cause : why.causes) {
        if (const std::int64_t number = number_of(cause); number > 0) {
            parts.push_back(words_of(cause, number, is_alone));
        }
    }
    if (parts.empty()) {
        return why.rebuilt == 0 ? "nothing was rebuilt" : grouped(why.rebuilt) + " rebuilt";
    }
    if (!is_any_explained) {
        return fmt::format("{}, none explained: {}", listed(parts, parts.size()),
                           why.is_of_pages ? "pages do not list dependencies"
                                           : "no source lists their dependencies");
    }
    return parts.size() == 1
               ? parts[0]
               : fmt::format("{} new hashes ({})", grouped(why.rebuilt), fmt::join(parts, ", "));
}

namespace {

// A definition stands last in the table, however much it explains.
std::vector<std::size_t> most_explaining_first(const Why& why) {
    std::vector<std::size_t> order(why.reasons.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::size_t i) { return integer(why.reasons.rows[i][4]); });
    return order;
}

// The phrase of each reason. Reasons may differ in what the phrases leave out: these have their
// hash.
std::vector<ReasonPhrase> distinct_phrases(const Why& why) {
    std::vector<ReasonPhrase> phrases;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> times;
    const auto text_of = [](const ReasonPhrase& phrase) {
        return std::tuple(phrase.kind, phrase.name, phrase.one);
    };
    for (const auto& row : why.reasons.rows) {
        ++times[text_of(phrases.emplace_back(reason_phrase(row)))];
    }
    for (std::size_t i = 0; i < phrases.size(); ++i) {
        if (times.at(text_of(phrases[i])) > 1) {
            phrases[i].name += fmt::format(" ({})", to_text(short_hash(why.reasons.rows[i][1])));
        }
    }
    return phrases;
}

std::vector<Group> first_groups(const Why& why, std::size_t& named) {
    std::vector<Group> groups;
    std::vector<ReasonPhrase> phrases = distinct_phrases(why);
    for (const std::size_t i : most_explaining_first(why)) {
        const auto& row = why.reasons.rows[i];
        auto group = std::ranges::find(groups, why.sets[i], &Group::set);
        if ((group == groups.end() && groups.size() == most_groups_named) ||
            (group != groups.end() && group->phrases.size() == most_reasons_named)) {
            continue;
        }
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {why.sets[i], integer(row[4]), {}});
        }
        group->phrases.push_back(std::move(phrases[i]));
        ++named;
    }
    return groups;
}

// Whether reasons that explain different specs share some. Each explained spec has a reason, so the
// different sets add up to all explained specs only if they are disjoint.
bool shares_specs(const Why& why) {
    std::map<std::int64_t, std::int64_t> specs_of_set;
    for (std::size_t i = 0; i < why.reasons.rows.size(); ++i) {
        specs_of_set.emplace(why.sets[i], integer(why.reasons.rows[i][4]));
    }
    std::int64_t sum = 0;
    for (const auto& [set, specs] : specs_of_set) {
        sum += specs;
    }
    return sum > why.rebuilt;
}

}  // namespace

std::optional<std::string> summary_of(const Why& why, const std::string& names_more) {
    if (why.reasons.rows.empty()) {
        return std::nullopt;
    }
    std::size_t named = 0;
    const std::vector<Group> groups = first_groups(why, named);
    std::string text = count_explained(why);
    if (groups.size() == 1 && groups[0].specs == why.rebuilt) {
        text += ", because " + reason_clause(groups[0].phrases);
    } else {
        std::vector<std::string> parts;
        parts.reserve(groups.size());
        for (const Group& group : groups) {
            parts.push_back(
                fmt::format("{} because {}", grouped(group.specs), reason_clause(group.phrases)));
        }
        text += fmt::format(": {}", fmt::join(parts, "; "));
        text += shares_specs(why) ? " (some for several reasons)" : "";
    }
    if (const auto more = static_cast<std::int64_t>(why.reasons.rows.size() - named); more > 0) {
        text += fmt::format("; {}{}", counted(more, "more reason"), names_more);
    }
    return text + ".";
}

std::optional<std::string> unexplained(const Why& why) {
    if (why.unknown == 0) {
        return std::nullopt;
    }
    return fmt::format("{} with {} not explained: {} {} dependencies.",
                       counted(why.unknown, "build"),
                       words_for(why.unknown, "a new hash is", "new hashes are"),
                       why.is_of_pages ? "pages do not list" : "no source lists",
                       words_for(why.unknown, "its", "their"));
}

std::vector<std::string> remarks(const Why& why) {
    std::vector<std::string> said;
    if (auto text = unexplained(why)) {
        said.push_back(*std::move(text));
    }
    if (why.joined > 0) {
        said.push_back(fmt::format("{} only joined the stacks: {} had {} before.",
                                   counted(why.joined, "build"), why.from,
                                   words_for(why.joined, "it", "them")));
    }
    if (why.unknown_before > 0 && why.is_of_specs) {
        said.push_back(fmt::format(
            "The dependencies of {} are not known: only the specs themselves are compared.",
            why.from));
    } else if (why.unknown_before > 0 && why.rebuilt > 0) {
        said.push_back(
            fmt::format("The dependencies of {} of {} are not known: what {} to link "
                        "and to run may count as new although {} had it.",
                        counted(why.unknown_before, "build"), why.from,
                        words_for(why.unknown_before, "it needs", "they need"), why.from));
    }
    if (auto uncovered = why.commits ? uncovered_remark(*why.commits) : std::nullopt) {
        said.push_back(*std::move(uncovered));
    }
    return said;
}

}  // namespace cacheledger
