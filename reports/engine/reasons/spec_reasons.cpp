#include "reports/engine/reasons/spec_reasons.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_steps.hpp"
#include "reports/engine/reasons/pairs.hpp"
#include "reports/engine/reasons/spread.hpp"

namespace cacheledger {

namespace {

std::string text_of_step(std::string_view name) {
    return std::string(std::ranges::find(why_texts, name, &EmbeddedText::name)->text);
}

std::string run_all(const SQLite::Database& database, std::string_view asked,
                    const Arguments& arguments) {
    std::string text;
    const auto run_step = [&](std::string_view step) {
        text += run_steps(database, text_of_step(step), arguments);
    };
    run_step(asked);
    run_step("graphs");
    if (asked == "asked_specs") {
        pair_builds(database);
    }
    run_step("own");
    run_step("edges");
    // The statements between the marks count by recursion, which takes seconds if everything is
    // new. The program counts the same faster. Who asks for the text gets the statements.
    constexpr std::string_view first = "-- counted: from here\n";
    constexpr std::string_view last = "-- counted: up to here\n";
    const std::string reasons = text_of_step("reasons");
    const auto begin = reasons.find(first);
    const auto end = reasons.find(last);
    text += run_steps(database, reasons.substr(0, begin), arguments);
    count_reasons(database);
    text += reasons.substr(begin, end - begin);
    return text + run_steps(database, reasons.substr(end), arguments);
}

}  // namespace

SpecReasons::SpecReasons(const SQLite::Database& database, const PairDrift& /*drift*/,
                         const Arguments& arguments)
    : database_(database), sql_(run_all(database, "asked_snapshots", arguments)) {}

SpecReasons::SpecReasons(const SQLite::Database& database, const std::string& from,
                         const std::string& to)
    : database_(database), sql_(run_all(database, "asked_specs", {{"from", from}, {"to", to}})) {}

SpecReasons::~SpecReasons() {
    std::string drops = "DROP VIEW IF EXISTS temp.spec_reasons;";
    try {
        const auto tables = run_query(
            database_, "why",
            "SELECT name FROM pragma_table_list WHERE schema = 'temp' AND name GLOB 'why_*'", {});
        for (const auto& row : tables.rows) {
            drops += "DROP TABLE temp." + std::get<std::string>(row[0]) + ";";
        }
    } catch (const std::exception&) {  // they vanish with the connection
    }
    sqlite3_exec(database_.getHandle(), drops.c_str(), nullptr, nullptr, nullptr);
}

std::string SpecReasons::steps() {
    std::string all;
    for (const char* const step : {"asked_snapshots", "graphs", "own", "edges", "reasons"}) {
        all += text_of_step(step);
    }
    return all;
}

bool SpecReasons::is_read_by(const Report& report) {
    return report.sql.find("spec_reasons") != std::string::npos && is_of_program(report);
}

std::int64_t SpecReasons::rebuilt() const {
    return query_number(database_, "why", "SELECT count(*) FROM why_explained");
}

}  // namespace cacheledger
