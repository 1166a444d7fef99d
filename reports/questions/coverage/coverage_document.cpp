#include <fmt/format.h>

#include <cmath>

#include "reports/questions/coverage/coverage.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// The columns of Coverage::missing.
enum MissingColumn : std::uint8_t {
    package_column,
    hash_column,
    version_column,
    runtime_column,
    frontier_column,
    dependents_column,
    nearest_column,
    differs_column,
};

bool is_set(const Value& value) {
    return !is_null(value) && integer(value) != 0;
}

Value shown_difference(const std::vector<Value>& row) {
    if (is_null(row[nearest_column])) {
        return is_null(row[package_column]) ? Value() : Value("no build of the package");
    }
    const std::string words = to_text(row[differs_column]);
    return words.empty() ? "nothing but the hash" : words;
}

// What is missing as people are shown it: what is needed to link and to run, or what is not. All of
// a list is not.
ResultTable shown_missing(const Coverage& coverage, bool is_runtime,
                          const std::vector<std::string>& columns) {
    ResultTable shown = coverage.missing;
    std::erase_if(shown.rows,
                  [&](const auto& row) { return is_set(row[runtime_column]) != is_runtime; });
    for (auto& row : shown.rows) {
        row[differs_column] = shown_difference(row);
        row[hash_column] = short_hash(row[hash_column]);
        row[nearest_column] = short_hash(row[nearest_column]);
        row[frontier_column] = is_set(row[frontier_column]) ? Value("yes") : Value();
    }
    return columns_of(shown, columns);
}

// "632 of 634 specs are there (99.6 %)"
std::string count_text(const CoverageCount& count, std::string_view one = {},
                       std::string_view several = {}) {
    const std::string all = one.empty() ? grouped(count.specs) : counted(count.specs, one, several);
    return fmt::format("{} of {} ({})", grouped(count.covered), all, percent_text(count.percent()));
}

// How much is there.
std::string sentence_of_coverage(const Coverage& coverage) {
    if (!coverage.all) {
        return count_text(coverage.runtime, "spec is there", "specs are there");
    }
    return fmt::format("{}; with build dependencies {}",
                       count_text(coverage.runtime, "spec needed to link and run is there",
                                  "specs needed to link and run are there"),
                       count_text(*coverage.all));
}

Gate judge_coverage(const CoverageCount& count, double least) {
    const double percent = count.percent();
    return {fmt::format("fail-under {}", least), percent < least,
            fmt::format("{} is {} --fail-under {}: {} of {} there", percent_text(percent),
                        percent < least ? "less than" : "not less than", least,
                        grouped(count.covered), counted(count.specs, "spec is", "specs are"))};
}

std::vector<DocumentPart> parts_of_coverage(const Coverage& coverage) {
    if (!coverage.all) {
        return {{"Missing", shown_missing(coverage, false, {"line", "spec", "nearest", "differs"})},
                {"Not known", coverage.undecided}};
    }
    const std::vector<std::string> columns = {"package",    "version", "hash",   "frontier",
                                              "dependents", "nearest", "differs"};
    return {{"Missing to link and run (frontier: all it needs is there)",
             shown_missing(coverage, true, columns)},
            {"Missing to build only", shown_missing(coverage, false, columns)}};
}

std::vector<DocumentField> fields_of_coverage(const Coverage& coverage) {
    const auto& all = coverage.all;
    return {{"wanted", coverage.wanted},
            {"percent", coverage.runtime.percent()},
            {"percent_all", all ? Value(all->percent()) : Value()},
            {"snapshot", coverage.snapshot},
            {"specs", coverage.runtime.specs},
            {"covered", coverage.runtime.covered},
            {"specs_all", all ? Value(all->specs) : Value()},
            {"covered_all", all ? Value(all->covered) : Value()},
            {"external", coverage.external},
            {"remarks", remarks_table(coverage.remarks)},
            {"undecided", coverage.undecided},
            {"missing", coverage.missing}};
}

}  // namespace

std::string percent_text(double percent) {
    return fmt::format("{:.1f} %", std::floor(percent * 10) / 10);
}

Document document_of(const Coverage& coverage, std::optional<double> least) {
    Document document;
    document.command = "coverage";
    document.title_of_gates = fmt::format("{} at {}", coverage.wanted, coverage.snapshot);
    document.summary = sentence_of_coverage(coverage);
    document.title = fmt::format("{}: {}", document.title_of_gates, document.summary);
    document.lines = lines_of(document.title, coverage.remarks);
    document.notes = document.lines;
    if (least) {
        document.gates = {judge_coverage(coverage.runtime, *least)};
    }
    document.parts = [&coverage] { return parts_of_coverage(coverage); };
    document.rows = [&coverage] { return coverage.missing; };
    document.fields = [&coverage] { return fields_of_coverage(coverage); };
    return document;
}

}  // namespace cacheledger
