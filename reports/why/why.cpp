#include "reports/why/why.hpp"

#include <fmt/format.h>

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
        return package.empty() ? change : fmt::format("{} ({})", package, change);
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
            std::ranges::rotate(row.begin() + 1, row.end() - 1, row.end());
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
    std::string text = fmt::format("{} rebuilt: ", why.rebuilt);
    const auto& rows = why.reasons.rows;
    for (std::size_t i = 0; i < std::min(rows.size(), most_reasons_named); ++i) {
        text += fmt::format("{}{} by {}", i == 0 ? "" : ", ", std::get<std::int64_t>(rows[i][4]),
                            phrase(rows[i]));
    }
    if (rows.size() > most_reasons_named) {
        text += fmt::format("; {} more reasons (why {} {})", rows.size() - most_reasons_named,
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
