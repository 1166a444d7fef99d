#include "reports/site/data/site_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/site/files/gzip.hpp"

namespace cacheledger {

namespace {

constexpr int level_of_reports = 9;

std::string text(std::string_view words) {
    return script_json(std::string(words));
}

/// A snapshot, pattern or text is a text; only the type `integer` is one.
std::string json_of(const Parameter& parameter) {
    return json_object({
        {"name", text(parameter.name)},
        {"type", text(type_name(parameter.type))},
        {"default", script_json(parameter.default_value.value_or(Value()))},
        {"required", parameter.default_value ? "false" : "true"},
        {"help", text(parameter.help)},
        {"names", parameter.names ? text(word_of(*parameter.names)) : "null"},
    });
}

std::string json_of(const std::optional<Pivot>& pivot) {
    return !pivot ? "null"
                  : json_object({{"rows", text(pivot->rows)},
                                 {"columns", text(pivot->columns)},
                                 {"values", text(pivot->values)},
                                 {"absent", script_json(pivot->absent)}});
}

std::string json_of(const ChartLabel& label) {
    return json_object({{"column", text(label.column)}, {"none", text(label.none)}});
}

std::string json_of(const ChartNumber& number) {
    return json_object(
        {{"column", text(number.column)}, {"below", number.is_below ? "true" : "false"}});
}

std::string json_of(const std::optional<Chart>& chart) {
    return !chart
               ? "null"
               : json_object({
                     {"kind", text(word_of(chart->kind))},
                     {"across", json_array(chart->across,
                                           [](const ChartLabel& one) { return json_of(one); })},
                     {"numbers", json_array(chart->numbers,
                                            [](const ChartNumber& one) { return json_of(one); })},
                     {"parts", json_array(chart->parts)},
                     {"each", chart->each.empty() ? "null" : text(chart->each)},
                 });
}

std::string json_of(const Units& units) {
    return json_array(units, [](const auto& one) {
        return json_object({{"column", text(one.first)}, {"unit", text(one.second)}});
    });
}

std::vector<std::string> read_by(const Report& report) {
    std::vector<std::string> steps;
    if (PairDrift::is_read_by(report) || SpecReasons::is_read_by(report)) {
        steps.emplace_back("stack_drift");
    }
    std::ranges::copy(filled_tables(report), std::back_inserter(steps));
    return steps;
}

std::string json_of(const Report& report) {
    return json_object({
        {"name", text(report.name)},
        {"title", text(report.title)},
        {"description", text(report.description)},
        {"parameters",
         json_array(report.parameters, [](const Parameter& one) { return json_of(one); })},
        {"pivot", json_of(report.pivot)},
        {"totals", json_array(report.totals)},
        {"implied", json_array(report.implied)},
        {"chart", json_of(report.chart)},
        {"caption", report.caption.empty() ? "null" : text(report.caption)},
        {"units", json_of(report.units)},
        {"reads", json_array(read_by(report))},
        {"sql", text(report.sql)},
    });
}

/// The queries behind the words of diff that are no reports, with the steps that they need.
std::string queries() {
    std::vector<std::string> all;
    const auto add = [&](const EmbeddedText& query, const std::vector<std::string>& reads) {
        all.push_back(json_object(
            {{"name", text(query.name)}, {"reads", json_array(reads)}, {"sql", text(query.text)}}));
    };
    for (const EmbeddedText& query : drift_texts) {
        const bool is_of_ledger = query.name == "doubts" || query.name == "stackless";
        if (query.name != "pair_drift" && query.name != "removed" &&
            !query.name.starts_with("neighbour")) {
            add(query, is_of_ledger ? std::vector<std::string>{}
                                    : std::vector<std::string>{"stack_drift"});
        }
    }
    return json_array(all, [](const std::string& query) { return query; });
}

}  // namespace

std::string write_reports(const Catalog& catalog, const WriteFile& write) {
    const std::string described = json_object({
        {"reports",
         json_array(catalog.reports(), [](const Report& report) { return json_of(report); })},
        {"steps", json_object({{"stack_drift", text(PairDrift::steps())}})},
        {"queries", queries()},
    });
    // Packed it is a fifth as large, and each first visit loads it.
    return write_data_file("reports",
                           fmt::format("\"{}\"", base64(Gzip(level_of_reports)(described))), write);
}

}  // namespace cacheledger
