#include "reports/why/why.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "schema/basics/error.hpp"
#include "schema/names/snapshot.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_reasons_named = 3;

std::string text_or_empty(const Value& value) {
    return is_null(value) ? std::string() : to_text(value);
}

// "dependency added: openmpi" as "a dependency on openmpi".
std::string edge_phrase(std::string_view part) {
    constexpr std::string_view uses = "uses: ";
    constexpr std::string_view arrow = " -> ";
    if (part.starts_with(uses)) {
        part.remove_prefix(uses.size());
        const auto at = part.find(arrow);
        return fmt::format("{} instead of {}", part.substr(at + arrow.size()), part.substr(0, at));
    }
    for (const auto& [prefix, words] :
         {std::pair<std::string_view, std::string_view>("dependency added: ", "a dependency on "),
          {"removed: ", "no dependency on "},
          {"edge: ", "another kind of dependency on "},
          {"virtuals: ", "other virtuals of "}}) {
        if (part.starts_with(prefix)) {
            return fmt::format("{}{}", words, part.substr(prefix.size()));
        }
    }
    return std::string(part);
}

// All parts of the change of a reason of class `edges`.
std::string edges_phrase(std::string_view change) {
    constexpr std::string_view between = "; ";
    std::vector<std::string> parts;
    while (!change.empty()) {
        const auto end = std::min(change.find(between), change.size());
        parts.push_back(edge_phrase(change.substr(0, end)));
        change.remove_prefix(std::min(end + between.size(), change.size()));
    }
    return fmt::format("{}", fmt::join(parts, " and "));
}

// "gcc-runtime 13.2.0 -> 13.3.0", "the recipe of rust". `row`: as in Why::reasons.
std::string phrase(const std::vector<Value>& row) {
    const std::string package = text_or_empty(row[0]);
    const std::string kind = text_or_empty(row[2]);
    std::string change = text_or_empty(row[3]);
    constexpr std::string_view beside = "beside; ";
    constexpr std::string_view version = "version: ";
    if (kind == "target-definition") {
        return "the definition of targets";
    }
    if (kind == "hash-definition") {
        return "the definition of the hash";
    }
    if (kind == "unexplained") {
        return change == "respelled" ? fmt::format("{}, whose text was written anew", package)
                                     : fmt::format("{}, unexplained", package);
    }
    if (kind == "edges") {
        return package.empty() ? edges_phrase(change)
                               : fmt::format("{} with {}", package, edges_phrase(change));
    }
    const bool is_beside = change.starts_with(beside);
    if (is_beside) {
        change.erase(0, beside.size());
    }
    if (change == "recipe" || change == "patches") {
        return fmt::format("{}the {} of {}", is_beside ? "another build with " : "", change,
                           package);
    }
    if (change == "new package") {
        return fmt::format("the new package {}", package);
    }
    if (change.starts_with(version)) {  // other attributes follow from another version
        change = change.substr(version.size(), change.find("; ") - version.size());
        return fmt::format("{} {}{}", package, change, is_beside ? " beside others" : "");
    }
    return fmt::format("{}{} ({})", is_beside ? "another build of " : "", package, change);
}

}  // namespace

Why read_why(const SQLite::Database& database, const SpecReasons& reasons, const Report& order,
             const Arguments& arguments) {
    Why why;
    why.rebuilt = reasons.rebuilt();
    why.reasons.columns = {"package", "hash",     "class",  "change",
                           "specs",   "packages", "builds", "reach"};
    // package, class, change, specs, packages, builds, reach, hash
    for (auto& row : run_query(database, order.origin, order.sql, arguments).rows) {
        const auto& kind = std::get<std::string>(row.at(1));
        if (kind == "pushed") {
            why.pushed = std::get<std::int64_t>(row[3]);
        } else if (kind == "unknown") {
            why.unknown = std::get<std::int64_t>(row[3]);
        } else {
            std::rotate(row.begin() + 1, row.end() - 1, row.end());
            why.reasons.rows.push_back(std::move(row));
        }
    }
    why.unknown_before = std::get<std::int64_t>(
        run_query(
            database, "why",
            "SELECT count(*) FROM why_present p WHERE p.in_from AND NOT EXISTS (SELECT 1 FROM "
            "node n WHERE n.spec_id = p.spec_id)",
            {})
            .rows.at(0)
            .at(0));
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
    return why;
}

std::optional<std::string> summary_of(const Why& why) {
    if (why.reasons.rows.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> named;  // reasons may differ in what the phrases leave out
    std::string text = fmt::format("{} rebuilt: ", why.rebuilt);
    for (const auto& row : why.reasons.rows) {
        std::string words = phrase(row);
        if (named.size() < most_reasons_named && std::ranges::count(named, words) == 0) {
            text += fmt::format("{}{} by {}", named.empty() ? "" : ", ",
                                std::get<std::int64_t>(row[4]), words);
            named.push_back(std::move(words));
        }
    }
    if (const auto more = why.reasons.rows.size() - named.size(); more > 0) {
        text += fmt::format("; {} more {} (why {} {})", more, more == 1 ? "reason" : "reasons",
                            why.from, why.to);
    }
    return text;
}

std::vector<std::string> remarks(const Why& why) {
    std::vector<std::string> said;
    if (why.unknown > 0) {
        said.push_back(
            fmt::format("The dependencies of {} rebuilt specs are not known: they are not "
                        "explained.",
                        why.unknown));
    }
    if (why.unknown_before > 0 && why.rebuilt > 0) {
        said.push_back(
            fmt::format("The dependencies of {} specs of {} are not known: what they depend on may "
                        "be taken for new.",
                        why.unknown_before, why.from));
    }
    return said;
}

}  // namespace cacheledger
