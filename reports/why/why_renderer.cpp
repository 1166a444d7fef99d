#include "reports/why/why_renderer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "reports/render/renderers.hpp"
#include "reports/table/text_width.hpp"

namespace cacheledger {

namespace {

std::string headline(const Why& why) {
    const std::string pair = fmt::format("{} -> {}: ", why.from, why.to);
    if (why.is_of_specs && why.from == why.to) {
        return pair + "both are the same spec";
    }
    if (why.is_of_specs && why.pushed > 0) {
        return pair + "the second is a dependency of the first, and nothing is new";
    }
    std::vector<std::string> parts;
    if (why.reasons.rows.empty()) {  // else the next line begins with it
        parts.push_back(count_explained(why));
    }
    if (why.pushed > 0) {
        parts.push_back(fmt::format("{} pushed (known before as {})", grouped(why.pushed),
                                    words_for(why.pushed, "a dependency", "dependencies")));
    }
    return parts.empty() ? fmt::format("{} -> {}", why.from, why.to)
                         : pair + fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> sentences(const Why& why) {
    std::vector<std::string> lines = {headline(why)};
    if (auto summary = summary_of(why)) {
        lines.push_back(*std::move(summary));
    }
    for (std::string& remark : remarks(why)) {
        const bool is_in_headline = why.rebuilt == 0 && remark == unexplained(why);
        if (!is_in_headline) {
            lines.push_back(std::move(remark));
        }
    }
    return lines;
}

// The reasons without hashes, which are too long for a screen.
ResultTable shown_reasons(const Why& why, std::size_t most_rows) {
    ResultTable shown = why.reasons;
    keep_first(shown, most_rows);
    shown.columns.erase(shown.columns.begin() + 1);
    for (auto& row : shown.rows) {
        row.erase(row.begin() + 1);
    }
    return shown;
}

}  // namespace

void render_why_text(const Why& why, const RenderOptions& options, std::size_t most_rows,
                     std::ostream& out) {
    for (const std::string& line : sentences(why)) {
        out << paragraph(visible(line), options.width);
    }
    if (why.reasons.rows.empty()) {
        return;
    }
    RenderOptions style = options;
    style.title = "Reasons";
    style.more = more_rows_hint;
    out << "\n";
    render(shown_reasons(why, most_rows), Format::table, style, out);
}

void render_why_markdown(const Why& why, std::ostream& out) {
    for (const std::string& line : sentences(why)) {
        out << markdown_text(line) << "\n\n";
    }
    if (!why.reasons.rows.empty()) {
        render(why.reasons, Format::markdown, {}, out);
    }
}

void render_why_json(const Why& why, std::ostream& out) {
    std::string_view separator;
    std::ostringstream names;
    render_json_rows({{"from", "to", "rebuilt", "pushed", "unknown"},
                      {{why.from, why.to, why.rebuilt, why.pushed, why.unknown}}},
                     separator, names);
    ResultTable words{{"remark"}, {}};
    for (std::string& remark : remarks(why)) {
        words.rows.push_back({std::move(remark)});
    }
    out << names.str().substr(0, names.str().size() - 1) << ",\n\"remarks\": ";
    render_json(words, out);
    out << ",\"reasons\": ";
    render_json(why.reasons, out);
    out << "}\n";
}

}  // namespace cacheledger
