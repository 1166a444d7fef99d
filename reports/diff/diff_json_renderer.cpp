#include <sstream>

#include "reports/diff/diff_renderer.hpp"
#include "reports/render/renderers.hpp"

namespace cacheledger {

namespace {

ResultTable names_table(const Diff& diff) {
    return {{"from", "to", "sentence", "from_specs", "to_specs"},
            {{diff.from, diff.to, diff.sentence, diff.asked_from, diff.asked_to}}};
}

}  // namespace

void render_diff_json(const Diff& diff, const DiffView& view, std::ostream& out) {
    std::string_view separator;
    std::ostringstream names;
    render_json_rows(names_table(diff), separator, names);
    out << names.str().substr(0, names.str().size() - 1) << ",\n\"summary\": ";
    render_json(counts_by_kind(diff), out);
    out << ",\"causes\": ";
    render_json(diff.causes, out);
    ResultTable words{{"remark"}, {}};
    for (std::string& remark : remarks(diff)) {
        words.rows.push_back({std::move(remark)});
    }
    out << ",\"unobserved\": ";
    render_json(diff.unobserved, out);
    out << ",\"remarks\": ";
    render_json(words, out);
    if (!diff.by.columns.empty()) {
        out << ",\"by\": ";
        render_json(diff.by, out);
    }
    if (!view.gates.columns.empty()) {
        out << ",\"gates\": ";
        render_json(view.gates, out);
    }
    out << ",\"changes\": [";
    separator = "\n";
    if (!view.is_summary) {
        for (const DiffSection& section : diff.sections) {
            render_json_rows(section.table, separator, out);
        }
    }
    out << "\n]}\n";
}

}  // namespace cacheledger
