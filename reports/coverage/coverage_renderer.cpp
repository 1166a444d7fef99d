#include "reports/coverage/coverage_renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "reports/render/renderers.hpp"
#include "reports/table/text_width.hpp"
#include "schema/basics/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t shown_digits = 7;  // of a hash

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
    line_column,
    spec_column,
};

bool is_set(const Value& value) {
    return !is_null(value) && std::get<std::int64_t>(value) != 0;
}

Value short_hash(const Value& hash) {
    return is_null(hash) ? hash : Value(fmt::format("/{}", to_text(hash).substr(0, shown_digits)));
}

Value shown_difference(const std::vector<Value>& row) {
    if (is_null(row[nearest_column])) {
        return is_null(row[package_column]) ? Value() : Value("no build of the package");
    }
    const std::string words = to_text(row[differs_column]);
    return words.empty() ? "nothing but the hash" : words;
}

std::vector<Value> shown_row_of_graph(const std::vector<Value>& row) {
    return {row[package_column],          row[version_column],
            short_hash(row[hash_column]), is_set(row[frontier_column]) ? Value("yes") : Value(),
            row[dependents_column],       short_hash(row[nearest_column]),
            shown_difference(row)};
}

ResultTable shown_missing(const Coverage& coverage, bool is_runtime) {
    ResultTable shown{
        {"package", "version", "hash", "frontier", "dependents", "nearest", "differs"}, {}};
    for (const auto& row : coverage.missing.rows) {
        if (is_set(row[runtime_column]) == is_runtime) {
            shown.rows.push_back(shown_row_of_graph(row));
        }
    }
    return shown;
}

ResultTable shown_lines(const Coverage& coverage) {
    ResultTable shown{{"line", "spec", "nearest", "differs"}, {}};
    for (const auto& row : coverage.missing.rows) {
        shown.rows.push_back({row[line_column], row[spec_column], short_hash(row[nearest_column]),
                              shown_difference(row)});
    }
    return shown;
}

// "632 of 634 specs are there (99.6 %)"
std::string count_text(const CoverageCount& count, std::string_view one = {},
                       std::string_view several = {}) {
    const std::string all = one.empty() ? grouped(count.specs) : counted(count.specs, one, several);
    return fmt::format("{} of {} ({})", grouped(count.covered), all, percent_text(count.percent()));
}

}  // namespace

std::string percent_text(double percent) {
    return fmt::format("{:.1f} %", std::floor(percent * 10) / 10);
}

std::string subject(const Coverage& coverage) {
    return fmt::format("{} at {}", coverage.wanted, coverage.snapshot);
}

std::string sentence(const Coverage& coverage) {
    if (!coverage.all) {
        return count_text(coverage.runtime, "spec is there", "specs are there");
    }
    return count_text(coverage.runtime, "spec needed to link and run is there",
                      "specs needed to link and run are there") +
           "; with build dependencies " + count_text(*coverage.all);
}

std::string headline(const Coverage& coverage) {
    return fmt::format("{}: {}", subject(coverage), sentence(coverage));
}

void render_coverage_text(const Coverage& coverage, const RenderOptions& options,
                          std::size_t most_rows, std::ostream& out) {
    out << paragraph(visible(headline(coverage)), options.width);
    for (const std::string& remark : coverage.remarks) {
        out << paragraph(visible(remark), options.width);
    }
    if (coverage.all) {
        render_part_with_rows(shown_missing(coverage, true),
                              "Missing to link and run (frontier: all it needs is there)", options,
                              most_rows, out);
        render_part_with_rows(shown_missing(coverage, false), "Missing to build only", options,
                              most_rows, out);
    } else {
        render_part_with_rows(shown_lines(coverage), "Missing", options, most_rows, out);
        render_part_with_rows(coverage.undecided, "Not known", options, most_rows, out);
    }
}

void render_coverage_json(const Coverage& coverage, const ResultTable& gates, std::ostream& out) {
    const auto of_all = [&](const auto& get) {
        return coverage.all ? Value(get(*coverage.all)) : Value();
    };
    std::string_view separator;
    std::ostringstream head;
    render_json_rows(
        {{"wanted", "percent", "percent_all", "snapshot", "specs", "covered", "specs_all",
          "covered_all", "external"},
         {{coverage.wanted, coverage.runtime.percent(),
           of_all([](const CoverageCount& all) { return all.percent(); }), coverage.snapshot,
           coverage.runtime.specs, coverage.runtime.covered,
           of_all([](const CoverageCount& all) { return all.specs; }),
           of_all([](const CoverageCount& all) { return all.covered; }), coverage.external}}},
        separator, head);
    ResultTable remarks{{"remark"}, {}};
    for (const std::string& remark : coverage.remarks) {
        remarks.rows.push_back({remark});
    }
    out << head.str().substr(0, head.str().size() - 1) << ",\n\"remarks\": ";
    render_json(remarks, out);
    out << ",\"undecided\": ";
    render_json(coverage.undecided, out);
    if (!gates.columns.empty()) {
        out << ",\"gates\": ";
        render_json(gates, out);
    }
    out << ",\"missing\": ";
    render_json(coverage.missing, out);
    out << "}\n";
}

}  // namespace cacheledger
