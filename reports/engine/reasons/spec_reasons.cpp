#include "reports/engine/reasons/spec_reasons.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

constexpr const char* insert_reason =
    "INSERT INTO temp.spec_reasons VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

std::optional<std::string> text_or_null(const Value& value) {
    return is_null(value) ? std::nullopt : std::optional(std::get<std::string>(value));
}

}  // namespace

SpecReasons::SpecReasons(const SQLite::Database& database, const PairDrift& drift,
                         const Arguments& arguments)
    : database_(database),
      found_(reasons_between_snapshots(database, drift, arguments)),
      tables_(database, text_named(why_texts, "tables")) {
    write(arguments);
}

SpecReasons::SpecReasons(const SQLite::Database& database, const std::string& from,
                         const std::string& to)
    : database_(database),
      found_(reasons_between_specs(database, from, to)),
      tables_(database, text_named(why_texts, "tables")) {
    write({{"from", from}, {"to", to}, {"stack", Value()}, {"package", "*"}});
}

void SpecReasons::write(const Arguments& arguments) {
    const auto from = std::get<std::string>(arguments.at("from"));
    const auto to = std::get<std::string>(arguments.at("to"));
    const auto stack = text_or_null(arguments.at("stack"));
    const auto packages = std::get<std::string>(arguments.at("package"));
    SQLite::Statement reason(database_, insert_reason);
    for (const Reason& one : found_.reasons) {
        run(reason, from, to, stack, packages, one.package, std::optional(one.hash), one.name,
            one.change, one.specs, one.packages, std::optional(one.builds),
            std::optional(one.reach), std::optional(one.same_as), one.name_space,
            one.by_recipe ? 1 : 0, one.depth);
    }
    const std::optional<std::string> no_text;
    const std::optional<std::int64_t> no_number;
    const auto add_counted = [&](const std::string& name, const SpecCount& count) {
        if (count.specs > 0) {
            run(reason, from, to, stack, packages, no_text, no_text, name, no_text, count.specs,
                count.packages, no_number, no_number, no_number, no_text, 0, no_number);
        }
    };
    add_counted("pushed", found_.pushed);
    add_counted("unknown", found_.unknown);
    SQLite::Statement package(database_, "INSERT INTO temp.why_package VALUES (?, ?)");
    for (const ReasonGraph::Package& one : found_.graph.packages) {
        run(package, one.id, one.specs);
    }
    SQLite::Statement edge(database_, "INSERT INTO temp.why_package_edge VALUES (?, ?)");
    for (const auto& [from_package, to_package] : found_.graph.edges) {
        run(edge, from_package, to_package);
    }
    SQLite::Statement change(database_, "INSERT INTO temp.why_change VALUES (?, ?, ?, ?, ?, ?)");
    for (const auto& [of_package, text] : found_.graph.changes) {
        run(change, from, to, stack, packages, of_package, text);
    }
}

bool SpecReasons::is_read_by(const Report& report) {
    return is_of_program(report) && (report.sql.find("spec_reasons") != std::string::npos ||
                                     report.sql.find("why_package") != std::string::npos);
}

}  // namespace cacheledger
