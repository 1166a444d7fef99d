#include "reports/site/site_reports.hpp"

#include <fmt/format.h>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/site/gzip.hpp"

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

std::vector<std::string> read_by(const Report& report) {
    std::vector<std::string> steps;
    if (PairDrift::is_read_by(report) || SpecReasons::is_read_by(report)) {
        steps.emplace_back("stack_drift");
    }
    if (SpecReasons::is_read_by(report)) {
        steps.emplace_back("spec_reasons");
    }
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
        {"reads", json_array(read_by(report))},
        {"sql", text(report.sql)},
    });
}

}  // namespace

void write_reports(const Catalog& catalog, const WriteFile& write) {
    const std::string described = json_object({
        {"reports",
         json_array(catalog.reports(), [](const Report& report) { return json_of(report); })},
        {"steps", json_object({{"stack_drift", text(PairDrift::steps())},
                               {"spec_reasons", text(SpecReasons::steps())}})},
    });
    // Packed it is a fifth as large, and each first visit loads it.
    write_data_file("reports", fmt::format("\"{}\"", base64(Gzip(level_of_reports)(described))),
                    write);
}

}  // namespace cacheledger
