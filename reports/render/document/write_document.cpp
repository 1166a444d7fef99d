#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <set>
#include <utility>

#include "reports/render/charts/draw_chart.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/formats/table_grid.hpp"
#include "reports/render/html/html_page.hpp"
#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/text/sha256.hpp"

namespace cacheledger {

namespace {

bool is_hidden(const DocumentPart& part) {
    return !part.table.columns.empty() && part.table.rows.empty() && !part.shows_empty;
}

void write_part_as_text(DocumentPart part, RenderOptions options, std::ostream& out) {
    if (is_hidden(part)) {
        return;
    }
    out << (part.is_apart ? "\n" : "");
    const bool has_table = !part.table.columns.empty();
    if (!has_table && !part.title.empty()) {
        out << bold_lines(paragraph(visible(part.title), options.width), options.color);
    }
    for (const LabelledWords& line : part.lines) {
        out << alike_line(line.label, line.words, options.width);
    }
    if (!has_table) {
        return;
    }
    const std::string hint = part.group_rows == 0
                                 ? "(--all shows them)"
                                 : fmt::format("(--all shows all {} rows)",
                                               grouped(static_cast<std::int64_t>(part.group_rows)));
    if (!part.is_whole) {
        keep_first(part.table, options.most_rows);
    }
    options.title = std::move(part.title);
    options.more = fmt::format(" {}", hint);
    render_table(part.table, options, out);
    if (part.group_rows > 0 && part.table.rows_left_out == 0) {
        out << hint << "\n";
    }
}

void write_text(const Document& document, const RenderOptions& options, std::ostream& out) {
    bool color = options.color;  // of the first line, which is the headline
    for (const std::string& line : document.lines) {
        out << bold_lines(paragraph(visible(line), options.width), std::exchange(color, false));
    }
    for (DocumentPart& part : document.parts()) {
        write_part_as_text(std::move(part), options, out);
    }
}

void write_markdown(const Document& document, std::ostream& out) {
    std::string_view separator;
    for (const std::string& line : document.lines) {
        out << std::exchange(separator, "\n") << markdown_text(line) << "\n";
    }
    for (const DocumentPart& part : document.all_parts()) {
        const std::string_view title =
            part.is_folded ? "<details><summary>{}</summary>\n\n" : "## {}\n\n";
        out << "\n" << (part.title.empty() ? "" : fmt::format(fmt::runtime(title), part.title));
        if (!is_hidden(part)) {
            render_markdown(part.table, out);
        }
        out << (part.is_folded ? "\n</details>\n" : "");
    }
    if (!document.command_line.empty()) {
        const std::string command = visible(document.command_line);
        const bool has_mark = command.find('`') != std::string::npos;
        out << fmt::format(fmt::runtime(has_mark ? "\n`` {} ``\n" : "\n`{}`\n"), command);
    }
}

void write_page(const Document& document, std::ostream& out) {
    const std::vector<DocumentPart> parts = document.all_parts();
    const auto& lines = document.lines;
    HtmlPage page{
        .title = lines.at(0), .summary = lines.at(1), .remarks = {lines.begin() + 2, lines.end()}};
    page.chart = document.picture ? document.picture(false) : "";
    for (const DocumentPart& part : parts) {
        page.sections.push_back({part.title, part.table});
    }
    write_html_page(page, out);
}

void write_several_as_json(const std::vector<ResultTable>& tables, std::ostream& out) {
    std::string_view separator = "\n";
    out << "[";
    for (const ResultTable& table : tables) {
        render_json_rows(table, separator, out);
    }
    out << "\n]";
}

/// Single values stand in the first line, and each table begins in a line of its own.
void write_json(const Document& document, std::ostream& out) {
    std::string head = "{";
    std::string_view before_table = ",\n";
    std::vector<DocumentField> fields = document.fields();
    if (!document.gates.empty()) {
        fields.insert(fields.end() - 1, {"gates", gates_table(document.gates)});
    }
    for (const DocumentField& field : fields) {
        if (const auto* const value = std::get_if<Value>(&field.value)) {
            head += fmt::format("{}\"{}\": ", head.size() == 1 ? "" : ", ", field.name);
            add_json(head, *value);
            continue;
        }
        out << std::exchange(head, "")
            << fmt::format("{}\"{}\": ", std::exchange(before_table, document.between_tables),
                           field.name);
        if (const auto* const table = std::get_if<ResultTable>(&field.value)) {
            render_json(*table, out);
        } else if (const auto* const nested = std::get_if<NestedRows>(&field.value)) {
            render_json_with_lists(nested->rows, nested->name, nested->lists, out);
        } else {
            write_several_as_json(std::get<std::vector<ResultTable>>(field.value), out);
        }
    }
    out << head << "}\n";
}

/// Each value of the column once, one in each line.
void write_column(const ResultTable& table, std::string_view name, std::ostream& out) {
    const std::size_t column = column_of(table, name);
    std::set<std::string> written;
    for (const auto& row : table.rows) {
        const std::string text = to_text(row.at(column));
        if (written.insert(text).second) {
            out << text << "\n";
        }
    }
}

bool shows_all_parts(const Document& document, Format format) {
    return document.all_parts &&
           (format == Format::markdown || (format == Format::html && document.has_page));
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

// The escapes of a workflow command's message.
std::string github_text(std::string_view text) {
    std::string escaped = visible(text);
    replace_all(escaped, "%", "%25");
    replace_all(escaped, "\r", "%0D");
    replace_all(escaped, "\n", "%0A");
    return escaped;
}

// In a property ':' and ',' would end it.
std::string github_property(std::string_view text) {
    std::string escaped = github_text(text);
    replace_all(escaped, ":", "%3A");
    replace_all(escaped, ",", "%2C");
    return escaped;
}

void write_annotation(std::ostream& out, const char* level, const std::string& title,
                      const std::string& message) {
    out << fmt::format("::{} title={}::{}\n", level, github_property(title), github_text(message));
}

/// Writes a JUnit file: a test suite with a test case for each gate.
void write_junit(const Document& document, std::ostream& out) {
    const std::vector<Gate>& gates = document.gates;
    const auto failed = std::ranges::count_if(gates, &Gate::has_failed);
    const std::string suite =
        xml_text(fmt::format("cacheledger {} {}", document.command, document.title_of_gates));
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out << fmt::format(
        "<testsuites name=\"cacheledger\" tests=\"{0}\" failures=\"{1}\" "
        "errors=\"0\">\n"
        "  <testsuite name=\"{2}\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" "
        "skipped=\"0\">\n",
        gates.size(), failed, suite);
    for (const Gate& gate : gates) {
        const std::string message = xml_text(gate.message);
        out << fmt::format(R"(    <testcase classname="cacheledger.{}" name="{}")",
                           xml_text(document.command), xml_text(gate.name));
        if (gate.has_failed) {
            out << fmt::format(">\n      <failure message=\"{0}\">{0}</failure>\n    </testcase>\n",
                               message);
        } else {
            out << fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", message);
        }
    }
    out << fmt::format("    <system-out>{}</system-out>\n", xml_text(document.summary));
    out << "  </testsuite>\n</testsuites>\n";
}

/// Writes GitHub workflow commands, which a run shows as annotations: an error for each gate that
/// failed; if none did, one notice.
void write_github(const Document& document, std::ostream& out) {
    for (const Gate& gate : document.gates) {
        if (gate.has_failed) {
            write_annotation(out, "error",
                             fmt::format("cacheledger {}: {}", document.command, gate.name),
                             fmt::format("{}: {}", document.title_of_gates, gate.message));
        }
    }
    if (!has_failed(document.gates)) {
        write_annotation(out, "notice", fmt::format("cacheledger {}", document.command),
                         fmt::format("{}: {}", document.title_of_gates, document.summary));
    }
}

constexpr std::size_t most_entries = 100;

// Of a feed without events. When that changed is not known, and the element must be there.
constexpr std::string_view never = "1970-01-01T00:00:00Z";

// A UUID of version 8 (RFC 9562, section 5.8), for which no host must be named.
std::string urn_of(const std::string& key) {
    std::string digits = sha256_of("cacheledger feed\n" + key);
    digits[12] = '8';
    digits[16] = '8';
    const std::string_view all = digits;
    return fmt::format("urn:uuid:{}-{}-{}-{}-{}", all.substr(0, 8), all.substr(8, 4),
                       all.substr(12, 4), all.substr(16, 4), all.substr(20, 12));
}

void write_entry(const FeedEntry& entry, std::ostream& out) {
    out << fmt::format("<entry>\n<title>{}</title>\n<id>{}</id>\n<updated>{}</updated>\n",
                       xml_text(entry.title), urn_of(entry.key), entry.updated);
    for (const auto& [scheme, term] : entry.categories) {
        out << fmt::format("<category scheme=\"urn:cacheledger:{}\" term=\"{}\"/>\n", scheme,
                           xml_text(term));
    }
    std::string html;
    for (const std::string& paragraph : entry.paragraphs) {
        html += fmt::format("<p>{}</p>", html_line(paragraph));
    }
    out << fmt::format("<content type=\"html\">{}</content>\n</entry>\n", xml_text(html));
}

}  // namespace

std::vector<std::string> lines_of(std::string headline, const std::vector<std::string>& remarks) {
    std::vector<std::string> lines = {std::move(headline)};
    lines.insert(lines.end(), remarks.begin(), remarks.end());
    return lines;
}

ResultTable remarks_table(const std::vector<std::string>& remarks) {
    ResultTable table{{"remark"}, {}};
    for (const std::string& remark : remarks) {
        table.rows.push_back({remark});
    }
    return table;
}

ResultTable columns_of(const ResultTable& table, const std::vector<std::string>& names) {
    ResultTable chosen{names, {}};
    chosen.rows.resize(table.rows.size());
    for (const std::string& name : names) {
        const std::size_t column = column_of(table, name);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            chosen.rows[row].push_back(table.rows[row].at(column));
        }
    }
    return chosen;
}

Value short_hash(const Value& hash) {
    constexpr std::size_t digits = 7;
    return is_null(hash) ? hash : Value(fmt::format("/{}", to_text(hash).substr(0, digits)));
}

bool needs_notes(const Document& document, Format format) {
    return format == Format::table  ? document.lines.empty()
           : format == Format::json ? !document.fields
           : is_common(format)      ? !shows_all_parts(document, format)
                                    : format == Format::hashes || format == Format::specs;
}

void write_document(const Document& document, Format format, const RenderOptions& options,
                    std::ostream& out) {
    switch (format) {
        case Format::table:
            return write_text(document, options, out);
        case Format::svg:
            out << document.picture(true);
            return;
        case Format::junit:
            return write_junit(document, out);
        case Format::github:
            return write_github(document, out);
        case Format::hashes:
        case Format::specs:
            return write_column(document.rows(), format == Format::hashes ? "hash" : "spec", out);
        default:
            break;
    }
    if (format == Format::json && document.fields) {
        write_json(document, out);
    } else if (shows_all_parts(document, format)) {
        format == Format::html ? write_page(document, out) : write_markdown(document, out);
    } else {
        RenderOptions style = options;
        style.title = document.title;
        render(document.rows(), format, style, out);
    }
}

std::string xml_text(std::string_view text) {
    std::string xml = visible(text);
    replace_all(xml, "&", "&amp;");
    replace_all(xml, "<", "&lt;");
    replace_all(xml, ">", "&gt;");
    replace_all(xml, "\"", "&quot;");
    replace_all(xml, "'", "&apos;");
    // XML has no U+FFFE and U+FFFF.
    replace_all(xml, "\xef\xbf\xbe", "\\u{fffe}");
    replace_all(xml, "\xef\xbf\xbf", "\\u{ffff}");
    return xml;
}

void write_atom(Feed feed, std::ostream& out) {
    std::ranges::stable_sort(feed.entries, std::ranges::greater(), &FeedEntry::updated);
    feed.entries.resize(std::min(feed.entries.size(), most_entries));
    out << fmt::format(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{}</title>\n<id>{}</id>\n"
        "<updated>{}</updated>\n<author><name>cacheledger</name></author>\n",
        xml_text(feed.title), urn_of(feed.key),
        feed.entries.empty() ? never : feed.entries.front().updated);
    if (!feed.page.empty()) {
        out << fmt::format("<link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n",
                           xml_text(feed.page));
    }
    for (const FeedEntry& entry : feed.entries) {
        write_entry(entry, out);
    }
    out << "</feed>\n";
}

}  // namespace cacheledger
