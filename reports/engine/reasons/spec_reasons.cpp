#include "reports/engine/reasons/spec_reasons.hpp"

#include <algorithm>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/sqlite/statements/rows.hpp"

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
    const Write reason(database_, insert_reason);
    for (const Reason& one : found_.reasons) {
        reason(from, to, stack, packages, one.package, one.hash, one.name, one.change, one.specs,
               one.packages, one.builds, one.reach, one.same_as, one.name_space, one.by_recipe,
               one.depth);
    }
    const auto add_counted = [&](const std::string& name, const SpecCount& count) {
        if (count.specs > 0) {
            reason(from, to, stack, packages, std::nullopt, std::nullopt, name, std::nullopt,
                   count.specs, count.packages, std::nullopt, std::nullopt, std::nullopt,
                   std::nullopt, 0, std::nullopt);
        }
    };
    add_counted("pushed", found_.pushed);
    add_counted("unknown", found_.unknown);
    const Write package(database_, "INSERT INTO temp.why_package VALUES (?, ?)");
    for (const ReasonGraph::Package& one : found_.graph.packages) {
        package(one.id, one.specs);
    }
    const Write edge(database_, "INSERT INTO temp.why_package_edge VALUES (?, ?)");
    for (const auto& [from_package, to_package] : found_.graph.edges) {
        edge(from_package, to_package);
    }
    const Write change(database_, "INSERT INTO temp.why_change VALUES (?, ?, ?, ?, ?, ?)");
    for (const auto& [of_package, text] : found_.graph.changes) {
        change(from, to, stack, packages, of_package, text);
    }
}

bool SpecReasons::is_read_by(const Report& report) {
    return is_of_program(report) && (report.sql.find("spec_reasons") != std::string::npos ||
                                     report.sql.find("why_package") != std::string::npos);
}

}  // namespace cacheledger
