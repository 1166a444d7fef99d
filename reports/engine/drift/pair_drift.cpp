#include "reports/engine/drift/pair_drift.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

/// The steps of the view stack_drift: the text between its two marks.
std::string definition() {
    constexpr std::string_view first = "-- definition: from here\n";
    constexpr std::string_view last = "-- definition: up to here\n";
    const std::string view = text_named(view_texts, "stack_drift");
    const auto begin = view.find(first) + first.size();
    return view.substr(begin, view.find(last) - begin);
}

bool reads_drift(const Report& report) {
    return report.sql.find("stack_drift") != std::string::npos && is_of_program(report);
}

bool has_pair(const Report& report) {
    return std::ranges::count(report.parameters, "from", &Parameter::name) != 0;
}

}  // namespace

std::string PairDrift::with_definition(std::string_view text) {
    constexpr std::string_view mark = "-- definition:";
    std::string sql(text);
    const auto begin = sql.find(mark);
    return sql.replace(begin, sql.find('\n', begin) + 1 - begin, definition());
}

PairReading& PairDrift::reading() const {
    return shared_ != nullptr ? *shared_ : own_ ? *own_ : own_.emplace(database_);
}

const ListedGraph& PairDrift::listed() const {
    if (!listed_) {
        listed_.emplace(reading().between_snapshots(std::get<std::string>(arguments_.at("from")),
                                                    std::get<std::string>(arguments_.at("to"))));
    }
    return *listed_;
}

std::string PairDrift::steps() {
    return with_definition(drift_texts.front().text);
}

PairDrift::PairDrift(const SQLite::Database& database, const Arguments& arguments,
                     PairReading* reading)
    : database_(database),
      arguments_(arguments),
      sql_(run_steps(database, steps(), arguments)),
      shared_(reading) {}

// Only the two tables change from pair to pair.
void PairDrift::go_to(const Value& from, const Value& to) {
    if (refill_.empty()) {
        const std::string text = steps();
        for (const std::string table : {"drift_pair", "drift_spec"}) {
            const std::string begin = "CREATE TEMP TABLE " + table + " AS\n";
            const auto query = text.find(begin) + begin.size();
            refill_.emplace_back(database_, "DELETE FROM temp." + table);
            refill_.emplace_back(database_,
                                 "INSERT INTO temp." + table + "\n" +
                                     text.substr(query, text.find(";\n\nCREATE ", query) - query));
        }
    }
    arguments_["from"] = from;
    arguments_["to"] = to;
    listed_.reset();
    for (RepeatedStep& step : refill_) {
        step.run(arguments_);
    }
}

PairDrift::~PairDrift() {
    refill_.clear();  // a table that is read can't be dropped
    sqlite3_exec(database_.getHandle(),
                 "DROP VIEW temp.stack_drift; DROP TABLE temp.drift_spec; "
                 "DROP TABLE temp.drift_pair",
                 nullptr, nullptr, nullptr);
}

bool PairDrift::is_read_by(const Report& report) {
    return reads_drift(report) && has_pair(report);
}

bool PairDrift::is_read_for_neighbours(const Report& report) {
    return reads_drift(report) && !has_pair(report);
}

}  // namespace cacheledger
