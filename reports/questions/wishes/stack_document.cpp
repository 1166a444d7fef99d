#include <fmt/format.h>

#include <utility>

#include "reports/questions/coverage/coverage_words.hpp"
#include "reports/questions/wishes/stack_coverage.hpp"

namespace cacheledger {

namespace {

// What people are shown: without groups and requirements where there are none.
ResultTable for_people(ResultTable table) {
    for (auto& row : table.rows) {
        for (Value& value : row) {
            if (!is_null(value) && to_text(value).empty()) {
                value = Value();
            }
        }
    }
    for (const char* const column : {"spec_group", "requires"}) {
        leave_out_empty(table, {column});
    }
    return table;
}

ResultTable shown_missing_wishes(const Coverage& coverage) {
    ResultTable shown = coverage.missing;
    const std::size_t nearest = column_of(shown, "nearest");
    const std::size_t differs = column_of(shown, "differs");
    for (auto& row : shown.rows) {
        if (is_null(row[nearest])) {
            row[differs] = "no build";
        }
        row[nearest] = short_hash(row[nearest]);
    }
    return for_people(
        columns_of(shown, {"spec", "spec_group", "requires", "nearest", "stacks", "differs"}));
}

std::vector<DocumentField> fields_of_stack(const StackCoverage& found) {
    const Coverage& coverage = found.coverage;
    std::vector<DocumentField> fields = {{"stack", coverage.wanted},
                                         {"wanted", coverage.runtime.specs},
                                         {"there", coverage.runtime.covered},
                                         {"as_far_as_known", found.as_far_as_known},
                                         {"percent", coverage.runtime.percent()},
                                         {"snapshot", coverage.snapshot},
                                         {"preferred", found.preferred}};
    if (const auto& earlier = coverage.earlier) {
        fields.push_back({"since", earlier->snapshot});
        fields.push_back({"percent_since", earlier->runtime.percent()});
        fields.push_back({"there_since", earlier->runtime.covered});
    }
    fields.push_back({"remarks", remarks_table(coverage.remarks)});
    fields.push_back({"undecided", coverage.undecided});
    fields.push_back({"missing", coverage.missing});
    return fields;
}

}  // namespace

Document document_of(const StackCoverage& found, const CoverageConditions& conditions) {
    const Coverage& coverage = found.coverage;
    Document document = headed_document(coverage, false);
    document.gates = gates_of(coverage, conditions);
    document.parts = [&coverage] {
        return std::vector<DocumentPart>{{"Missing", shown_missing_wishes(coverage)},
                                         {"Not known", for_people(coverage.undecided)}};
    };
    document.all_parts = [&coverage] {
        std::vector<DocumentPart> parts = {{"Missing", shown_missing_wishes(coverage)},
                                           {"Not known", for_people(coverage.undecided)}};
        std::erase_if(parts, [](const DocumentPart& part) { return part.table.rows.empty(); });
        return parts;
    };
    document.rows = [&coverage] { return coverage.missing; };
    document.fields = [&found] { return fields_of_stack(found); };
    return document;
}

}  // namespace cacheledger
