#include <sstream>

#include "reports/diff/diff_renderer.hpp"
#include "reports/render/renderers.hpp"

namespace cacheledger {

namespace {

ResultTable names_table(const Diff& diff) {
    return {{"from", "to"}, {{diff.from, diff.to}}};
}

ResultTable summary_table(const Diff& diff) {
    ResultTable table{{"kind", "count"}, {}};
    for (const KindCount& kind : diff.summary) {
        table.rows.push_back({kind.kind, kind.count});
    }
    return table;
}

}  // namespace

void render_diff_json(const Diff& diff, std::ostream& out) {
    std::string_view separator;
    std::ostringstream names;
    render_json_rows(names_table(diff), separator, names);
    out << names.str().substr(0, names.str().size() - 1) << ",\n\"summary\": ";
    render_json(summary_table(diff), out);
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
    out << ",\"changes\": [";
    separator = "\n";
    for (const DiffSection& section : diff.sections) {
        render_json_rows(section.table, separator, out);
    }
    out << "\n]}\n";
}

}  // namespace cacheledger
