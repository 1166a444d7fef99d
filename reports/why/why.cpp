#include "reports/why/why.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reports/why/reason_phrase.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/snapshot.hpp"

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

std::int64_t number(const SQLite::Database& database, const char* sql) {
    return std::get<std::int64_t>(run_query(database, "why", sql, {}).rows.at(0).at(0));
}

// For each reason, by its smallest hash: a number of the set of specs that it explains.
std::map<std::string, std::int64_t> read_sets(const SQLite::Database& database) {
    std::map<std::string, std::int64_t> sets;
    for (const auto& row :
         run_query(database, "why",
                   "SELECT hash, same_as FROM spec_reasons WHERE same_as IS NOT NULL", {})
             .rows) {
        sets.emplace(std::get<std::string>(row[0]), std::get<std::int64_t>(row[1]));
    }
    return sets;
}

std::vector<ExplainedCause> read_causes(const SQLite::Database& database) {
    std::vector<ExplainedCause> causes;
    for (const auto& cause : {"rebuilt", "compiler", "copies"}) {
        const auto row = run_query(database, "why",
                                   "SELECT count(*), count(x.spec_id) FROM why_asked a LEFT JOIN "
                                   "why_explained x ON x.spec_id = a.spec_id WHERE a.is_rebuilt "
                                   "AND a.cause = :cause",
                                   {{"cause", cause}})
                             .rows.at(0);
        causes.push_back({cause, std::get<std::int64_t>(row[0]), std::get<std::int64_t>(row[1])});
    }
    return causes;
}

}  // namespace

Why read_why(const SQLite::Database& database, const SpecReasons& reasons, const Report& order,
             const Arguments& arguments) {
    Why why;
    why.rebuilt = reasons.rebuilt();
    why.reasons.columns = {"package", "hash",     "class",  "change",
                           "specs",   "packages", "builds", "reach"};
    const auto sets = read_sets(database);
    // package, class, change, specs, packages, builds, reach, hash
    for (auto& row : run_query(database, order.origin, order.sql, arguments).rows) {
        const auto& kind = std::get<std::string>(row.at(1));
        if (kind == "pushed") {
            why.pushed = std::get<std::int64_t>(row[3]);
        } else if (kind == "unknown") {
            why.unknown = std::get<std::int64_t>(row[3]);
        } else {
            std::rotate(row.begin() + 1, row.end() - 1, row.end());
            why.sets.push_back(sets.at(std::get<std::string>(row[1])));
            why.reasons.rows.push_back(std::move(row));
        }
    }
    why.causes = read_causes(database);
    why.joined = number(database,
                        "SELECT count(*) FROM why_asked a CROSS JOIN why_present p ON p.spec_id = "
                        "a.spec_id WHERE p.in_from");
    why.unknown_before = number(database,
                                "SELECT count(*) FROM why_present p WHERE p.in_from AND NOT EXISTS "
                                "(SELECT 1 FROM node n WHERE n.spec_id = p.spec_id)");
    return why;
}

Why explain_snapshots(SQLite::Database& database, const Catalog& catalog, const std::string& from,
                      const std::string& to, const Arguments& filters) {
    Arguments arguments = filters;
    arguments["from"] = find_snapshot(database, from).name;
    arguments["to"] = find_snapshot(database, to).name;
    const PairDrift drift(database, arguments);
    const SpecReasons reasons(database, drift, arguments);
    Why why = read_why(database, reasons, catalog.find("drift/why"), arguments);
    why.from = std::get<std::string>(arguments["from"]);
    why.to = std::get<std::string>(arguments["to"]);
    return why;
}

Why explain_specs(const SQLite::Database& database, const std::string& from,
                  const std::string& to) {
    const SpecReasons reasons(database, from, to);
    Why why = read_why(database, reasons, Catalog().find("drift/why"),
                       {{"from", from}, {"to", to}, {"stack", Value()}, {"package", "*"}});
    why.from = from;
    why.to = to;
    why.is_of_specs = true;
    return why;
}

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
    parts.reserve(groups.size());
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

std::vector<std::string> remarks(const Why& why) {
    std::vector<std::string> said;
    if (why.unknown > 0) {
        said.push_back(fmt::format(
            "The dependencies of {} rebuilt {} are not known: {} not explained.", why.unknown,
            why.unknown == 1 ? "spec" : "specs", why.unknown == 1 ? "it is" : "they are"));
    }
    if (why.joined > 0) {
        said.push_back(why.joined == 1
                           ? "1 spec only joined the stacks: the cache had it before."
                           : fmt::format("{} specs only joined the stacks: the cache had them "
                                         "before.",
                                         why.joined));
    }
    if (why.unknown_before > 0 && why.is_of_specs) {
        said.push_back(fmt::format(
            "The dependencies of {} are not known: only the specs themselves are compared.",
            why.from));
    } else if (why.unknown_before > 0 && why.rebuilt > 0) {
        said.push_back(
            fmt::format("The dependencies of {} {} of {} are not known: what is needed to link and "
                        "to run may be taken for new.",
                        why.unknown_before, why.unknown_before == 1 ? "spec" : "specs", why.from));
    }
    return said;
}

}  // namespace cacheledger
