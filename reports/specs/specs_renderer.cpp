#include "reports/specs/specs_renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <ostream>

#include "reports/specs/differing_variants.hpp"
#include "reports/table/alike_columns.hpp"
#include "reports/table/text_width.hpp"
#include "schema/basics/counted.hpp"

namespace cacheledger {

namespace {

// The columns that a screen has; the other formats have all.
constexpr std::array<const char*, 10> shown_columns = {"package", "version",  "platform", "os",
                                                       "target",  "compiler", "variants", "flags",
                                                       "hash",    "stacks"};

std::size_t index_of(const ResultTable& table, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
}

std::vector<Value> values_of(const ResultTable& table, std::string_view name) {
    const std::size_t index = index_of(table, name);
    std::vector<Value> values;
    for (const auto& row : table.rows) {
        values.push_back(row[index]);
    }
    return values;
}

void replace_column(ResultTable& table, std::string_view name, const std::vector<Value>& values) {
    const std::size_t index = index_of(table, name);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        table.rows[row][index] = row < values.size() ? values[row] : Value();
    }
}

/// Whether each value of a column is always beside the same value of the other one.
bool follows(const ResultTable& table, std::string_view column, std::string_view other) {
    const std::size_t value = index_of(table, column);
    const std::size_t key = index_of(table, other);
    if (value == table.columns.size() || key == table.columns.size()) {
        return false;
    }
    std::map<std::string, std::string> values;
    return std::ranges::all_of(table.rows, [&](const auto& row) {
        const std::string text = to_text(row[value]);
        return values.try_emplace(to_text(row[key]), text).first->second == text;
    });
}

ResultTable select_columns(const ResultTable& table) {
    ResultTable shown;
    shown.rows.resize(table.rows.size());
    for (const char* const name : shown_columns) {
        shown.columns.emplace_back(name);
        const std::size_t index = index_of(table, name);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            shown.rows[row].push_back(table.rows[row][index]);
        }
    }
    return shown;
}

// A value that all builds have, as a spec has it; empty if there is nothing to say.
std::string alike_word(const AlikeColumn& column) {
    const std::string text = to_text(column.value);
    if (column.name == "compiler") {
        return is_null(column.value) ? "(no compiler)" : "%" + text;
    }
    if (column.name == "version" && !text.empty()) {
        return "@" + text;
    }
    return column.name == "stacks" ? "" : text;
}

std::vector<std::string> alike_words(const std::vector<AlikeColumn>& alike,
                                     const std::vector<std::string>& variants) {
    std::vector<std::string> words;
    for (const AlikeColumn& column : alike) {
        const std::string word = visible(alike_word(column));
        if (column.name == "version" && !words.empty()) {
            words.back() += word;
        } else if (!word.empty()) {
            words.push_back(word);
        }
    }
    for (const std::string& variant : variants) {
        words.push_back(visible(variant));
    }
    return words;
}

// "stacks:" and their names, if all builds have the same.
std::vector<std::string> alike_stacks(const std::vector<AlikeColumn>& alike) {
    const auto column = std::ranges::find(alike, "stacks", &AlikeColumn::name);
    if (column == alike.end()) {
        return {};
    }
    std::vector<std::string> words;
    const std::string text = to_text(column->value);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        words.push_back(visible(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return words.empty() ? std::vector<std::string>{"(no stack)"} : words;
}

void render_table_of(const FoundSpecs& found, const RenderOptions& options, std::size_t most_rows,
                     std::ostream& out) {
    ResultTable table = select_columns(found.builds);
    const auto variants = divide_variants(values_of(table, "variants"));
    replace_column(table, "variants", variants.differing);
    std::vector<Value> flags = values_of(table, "flags");
    std::ranges::replace(flags, Value(""), Value());
    replace_column(table, "flags", flags);
    const bool is_of_all = static_cast<std::size_t>(found.all) == table.rows.size();
    const std::size_t compared = table.rows.size();
    // Stacks without `root` and short hashes are known of the rows that are shown.
    std::vector<Value> stacks = found.stacks;
    std::ranges::replace(stacks, Value(""), Value("(no stack)"));
    const std::vector<Value> hashes(found.short_hashes.begin(), found.short_hashes.end());
    replace_column(table, "hash", hashes);
    replace_column(table, "stacks", stacks);
    const auto alike = take_alike_columns(table, {"hash"});
    const std::string label = is_of_all ? "all:" : fmt::format("these {}:", compared);
    if (const auto words = alike_words(alike, variants.alike); !words.empty()) {
        out << alike_line(label, words, options.width);
    }
    if (const auto words = alike_stacks(alike); !words.empty()) {
        out << alike_line(fmt::format("{} in stacks:", label.substr(0, label.size() - 1)), words,
                          options.width);
    }
    if (follows(table, "platform", "os")) {
        table.implied = {"platform"};
    }
    table.rows.resize(std::min(table.rows.size(), most_rows));
    render(table, Format::table, options, out);
}

// All of one build, a line for each word.
void render_one(const FoundSpecs& found, const RenderOptions& options, std::ostream& out) {
    for (std::size_t column = 0; column < found.builds.columns.size(); ++column) {
        const std::string& name = found.builds.columns[column];
        const Value& value = found.builds.rows.front()[column];
        if (name == "snapshot" || name == "knows_dependencies" || is_null(value)) {
            continue;
        }
        std::string text = to_text(name == "stacks" ? found.stacks.front() : value);
        std::vector<std::string> words;
        const char separator = name == "stacks" ? ',' : ' ';
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find(separator, begin), text.size());
            words.push_back(visible(text.substr(begin, end - begin)));
            begin = end + 1;
        }
        if (!words.empty()) {
            out << alike_line(fmt::format("{:<13}", name), words, options.width);
        }
    }
}

}  // namespace

std::string headline(const FoundSpecs& found, std::size_t shown) {
    const auto all = static_cast<std::size_t>(found.all);
    const std::string matches =
        found.asked.empty()
            ? ""
            : fmt::format(" {} {}", words_for(found.all, "matches", "match"), found.asked);
    if (all == 0) {
        return fmt::format("No build{} at {}", found.asked.empty() ? "" : " matches " + found.asked,
                           found.snapshot);
    }
    std::string line =
        fmt::format("{}{} at {}", counted(found.all, "build"), matches, found.snapshot);
    if (shown < all) {
        line += fmt::format("; the first {} (--limit N shows more, --format csv all)",
                            grouped(static_cast<std::int64_t>(shown)));
    }
    return line;
}

void render_specs_text(const FoundSpecs& found, const RenderOptions& options, std::size_t most_rows,
                       std::ostream& out) {
    const std::size_t shown = std::min(found.builds.rows.size(), most_rows);
    out << paragraph(visible(headline(found, shown)), options.width);
    for (const std::string& remark : found.remarks) {
        out << paragraph(visible(remark), options.width);
    }
    if (found.builds.rows.size() == 1) {
        render_one(found, options, out);
    } else if (shown > 0) {
        render_table_of(found, options, most_rows, out);
    } else if (!found.nearest.rows.empty()) {
        RenderOptions style = options;
        style.title = "The nearest builds, and what differs";
        render(found.nearest, Format::table, style, out);
    }
}

}  // namespace cacheledger
