#include <fmt/format.h>

#include <algorithm>

#include "reports/questions/specs/differing_variants.hpp"
#include "reports/questions/specs/found_specs.hpp"
#include "reports/render/table/alike_columns.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// The columns that a screen has; the other formats have all.
const std::vector<std::string> shown_columns = {"package",  "version",  "platform", "os",
                                                "target",   "compiler", "variants", "flags",
                                                "external", "hash",     "stacks"};

std::vector<Value> values_of(const ResultTable& table, std::string_view name) {
    const std::size_t index = column_of(table, name);
    std::vector<Value> values;
    for (const auto& row : table.rows) {
        values.push_back(row[index]);
    }
    return values;
}

void replace_column(ResultTable& table, std::string_view name, const std::vector<Value>& values) {
    const std::size_t index = column_of(table, name);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        table.rows[row][index] = row < values.size() ? values[row] : Value();
    }
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
    if (column.name == "external" && !text.empty()) {
        return "external: " + text;
    }
    return column.name == "stacks" ? "" : text;
}

// Where each external spec is; NULL for builds.
std::vector<Value> external_words(const ResultTable& builds) {
    const std::size_t external = column_of(builds, "external");
    std::vector<Value> words = values_of(builds, "external_path");
    for (std::size_t row = 0; row < words.size(); ++row) {
        const bool is_external = builds.rows[row][external] == Value(std::int64_t{1});
        if (is_external && is_null(words[row])) {
            words[row] = "yes";
        }
    }
    return words;
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

std::vector<std::string> visible_words(const std::string& text, char separator) {
    std::vector<std::string> words = split(text, separator);
    std::ranges::transform(words, words.begin(), [](const auto& word) { return visible(word); });
    return words;
}

// The names of the stacks, if all builds have the same.
std::vector<std::string> alike_stacks(const std::vector<AlikeColumn>& alike) {
    const auto column = std::ranges::find(alike, "stacks", &AlikeColumn::name);
    if (column == alike.end()) {
        return {};
    }
    auto words = visible_words(to_text(column->value), ',');
    return words.empty() ? std::vector<std::string>{"(no stack)"} : words;
}

// A table of the first builds; in lines above it what is the same in all.
DocumentPart table_of_builds(const FoundSpecs& found) {
    DocumentPart part;
    ResultTable& table = part.table;
    std::vector<std::string> columns = shown_columns;
    if (found.builds.columns.back() == "caches") {
        columns.emplace_back("caches");
    }
    table = columns_of(found.builds, columns);
    const auto variants = divide_variants(values_of(table, "variants"));
    replace_column(table, "variants", variants.differing);
    std::vector<Value> flags = values_of(table, "flags");
    std::ranges::replace(flags, Value(""), Value());
    replace_column(table, "flags", flags);
    replace_column(table, "external", external_words(found.builds));
    leave_out_empty(table, {"external"});
    // Stacks without `root` and short hashes are known of the rows that are shown.
    std::vector<Value> stacks = found.stacks;
    std::ranges::replace(stacks, Value(""), Value("(no stack)"));
    replace_column(table, "stacks", stacks);
    replace_column(table, "hash",
                   std::vector<Value>(found.short_hashes.begin(), found.short_hashes.end()));
    const std::size_t compared = table.rows.size();
    const bool is_of_all = static_cast<std::size_t>(found.all) == compared;
    const auto alike = take_alike_columns(table, {"hash", "caches"});
    const std::string which = is_of_all ? "all" : fmt::format("these {}", compared);
    if (const auto words = alike_words(alike, variants.alike); !words.empty()) {
        part.lines.push_back({fmt::format("{}:", which), words});
    }
    if (const auto words = alike_stacks(alike); !words.empty()) {
        part.lines.push_back({fmt::format("{} in stacks:", which), words});
    }
    table.is_cut = found.short_hashes.size() < compared;
    table.rows.resize(std::min(compared, found.short_hashes.size()));
    return part;
}

// All of one build, a line for each word.
DocumentPart all_of_one(const FoundSpecs& found) {
    DocumentPart part;
    for (std::size_t column = 0; column < found.builds.columns.size(); ++column) {
        const std::string& name = found.builds.columns[column];
        const Value& value = found.builds.rows.front()[column];
        if (name == "snapshot" || name == "knows_dependencies" || is_null(value)) {
            continue;
        }
        const bool is_list = name == "stacks";
        auto words =
            visible_words(to_text(is_list ? found.stacks.front() : value), is_list ? ',' : ' ');
        if (!words.empty()) {
            part.lines.push_back({fmt::format("{:<13}", name), std::move(words)});
        }
    }
    return part;
}

std::string headline_of_specs(const FoundSpecs& found) {
    const std::size_t shown = found.stacks.size();
    const auto all = static_cast<std::size_t>(found.all);
    const std::string matches =
        found.asked.empty()
            ? ""
            : fmt::format(" {} {}", found.num_builds() < 2 ? "matches" : "match", found.asked);
    const std::string builds =
        found.num_builds() == 0 ? "No build" : counted(found.num_builds(), "build");
    std::string line = fmt::format("{}{} at {}", builds, matches, found.snapshot);
    if (found.external > 0) {
        line += fmt::format("{} {}", found.num_builds() == 0 ? ": only" : ", and",
                            counted(found.external, "external spec"));
    }
    if (shown < all) {
        line += fmt::format("; the first {} (--limit N shows more, --format csv all)",
                            grouped(static_cast<std::int64_t>(shown)));
    }
    return line;
}

std::vector<DocumentPart> parts_of_specs(const FoundSpecs& found) {
    if (found.builds.rows.empty() && found.nearest.rows.empty()) {
        return {};
    }
    DocumentPart part = found.builds.rows.size() == 1 ? all_of_one(found)
                        : !found.builds.rows.empty()
                            ? table_of_builds(found)
                            : DocumentPart{"The nearest builds, and what differs", found.nearest};
    part.is_apart = false;
    part.is_whole = true;
    return {std::move(part)};
}

}  // namespace

Document document_of(FoundSpecs& found) {
    Document document;
    document.title = headline_of_specs(found);
    document.lines = lines_of(document.title, found.remarks);
    document.notes = found.remarks;
    if (found.num_builds() == 0) {
        document.notes = document.lines;
    }
    for (const auto& row : found.nearest.rows) {
        document.notes.push_back(fmt::format("near: /{} ({}), {}", to_text(row[2]),
                                             counted(integer(row[1]), "build"), to_text(row[0])));
    }
    document.parts = [&found] { return parts_of_specs(found); };
    document.rows = [&found] { return std::move(found.builds); };
    return document;
}

}  // namespace cacheledger
