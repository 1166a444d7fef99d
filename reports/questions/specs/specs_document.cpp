#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/questions/specs/found_specs.hpp"
#include "reports/questions/why/told_apart.hpp"
#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/spelling/variants.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

const std::vector<std::string> look_columns = {"package", "version",  "platform", "os",
                                               "target",  "compiler", "variants"};

/// For each row "hdf5@1.14.3 linux ubuntu22.04 zen3 gcc@13.2.0 +mpi", from the columns behind
/// `group`; of the variants those that the groups of a package do not have in common.
std::vector<std::string> words_of_looks(const ResultTable& alike) {
    std::map<Value, std::vector<Value>> variants;  // by package
    for (const auto& row : alike.rows) {
        variants[row[1]].push_back(row[look_columns.size()]);
    }
    for (auto& [package, of_package] : variants) {
        of_package = divide_variants(of_package).differing;
        std::ranges::reverse(of_package);
    }
    std::vector<std::string> looks;
    for (const auto& row : alike.rows) {
        std::string words = to_text(row[1]) + (is_null(row[2]) ? "" : "@" + to_text(row[2]));
        std::vector<Value> more(row.begin() + 3, row.begin() + 7);
        more.push_back(variants[row[1]].back());
        variants[row[1]].pop_back();
        for (const Value& word : more) {
            words += is_null(word) ? "" : " " + to_text(word);
        }
        looks.push_back(std::move(words));
    }
    return looks;
}

std::vector<DocumentPart> parts_of_alike(SQLite::Database& database, const ResultTable& alike,
                                         std::size_t most_groups) {
    HashShortener shortener(database);
    std::vector<DocumentPart> parts;
    const auto looks = words_of_looks(alike);
    for (std::size_t i = 0; i < alike.rows.size(); ++i) {
        const auto& row = alike.rows[i];
        if (integer(row[0]) > std::ssize(parts)) {
            if (parts.size() == most_groups) {
                break;
            }
            parts.push_back({looks[i], {{"hash", "what tells it apart"}, {}}});
            parts.back().is_whole = true;
        }
        parts.back().table.rows.push_back(
            {shortener.shorten(to_text(row[row.size() - 2])),
             is_null(row.back()) ? Value("nothing known") : row.back()});
    }
    return parts;
}

using Words = std::vector<std::string>;

Words words_of(const Value& variants) {
    Words words;
    if (!is_null(variants)) {
        for (const Variant& variant : parse_variant_text(to_text(variants)).variants) {
            words.push_back(variant_text(variant.name, variant.values));
        }
    }
    return words;
}

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

ResultTable alike_builds(SQLite::Database& database, const FoundSpecs& found) {
    const ResultTable looks = columns_of(found.builds, look_columns);
    std::map<std::vector<Value>, std::vector<std::size_t>> groups;  // places in the rows
    for (std::size_t i = 0; i < looks.rows.size(); ++i) {
        groups[looks.rows[i]].push_back(i);
    }
    std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
    std::vector<std::vector<std::size_t>> in_order;
    SpecSet starts(number_of_places(database));
    for (const auto& [look, places] : groups) {
        in_order.push_back(places);
        for (const std::size_t place : places) {
            add_spec(starts, found.spec_ids[place]);
        }
    }
    std::ranges::sort(in_order);
    const SpecGraph graph(database, starts);
    TellingApart telling(database, graph);
    ResultTable alike{look_columns, {}};
    alike.columns.insert(alike.columns.begin(), "group");
    alike.columns.insert(alike.columns.end(), {"hash", "differs"});
    const std::size_t hash = column_of(found.builds, "hash");
    for (std::size_t group = 0; group < in_order.size(); ++group) {
        const auto& places = in_order[group];
        std::vector<std::uint32_t> specs;
        for (const std::size_t place : places) {
            specs.push_back(static_cast<std::uint32_t>(found.spec_ids[place]));
        }
        const auto words = telling.words_of(specs);
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::vector<Value> row = looks.rows[places[i]];
            row.insert(row.begin(), static_cast<std::int64_t>(group + 1));
            row.push_back(found.builds.rows[places[i]][hash]);
            row.push_back(words[i].empty() ? Value() : Value(words[i]));
            alike.rows.push_back(std::move(row));
        }
    }
    return alike;
}

Document document_of_alike(SQLite::Database& database, const FoundSpecs& found,
                           std::size_t most_groups) {
    ResultTable alike = alike_builds(database, found);
    const std::int64_t groups = alike.rows.empty() ? 0 : integer(alike.rows.back().front());
    const std::string of =
        fmt::format("the {}{} at {}", counted(found.num_builds(), "build"),
                    found.asked.empty() ? "" : " that match " + found.asked, found.snapshot);
    Document document;
    document.title =
        groups == 0 ? fmt::format("No two of {} look the same", of)
                    : fmt::format("{} of {} look the same as others, in {}",
                                  grouped(std::ssize(alike.rows)), of, counted(groups, "group"));
    document.lines = lines_of(document.title, found.remarks);
    if (groups > static_cast<std::int64_t>(most_groups)) {
        document.lines.push_back(
            fmt::format("The first {} groups (--limit N shows more).", most_groups));
    }
    document.notes = found.remarks;
    document.parts = [&database, alike, most_groups] {
        return parts_of_alike(database, alike, most_groups);
    };
    document.rows = [alike] { return alike; };
    return document;
}

DividedVariants divide_variants(const std::vector<Value>& variants) {
    std::map<std::string, Words> known;  // builds have few variant sets in common
    for (const Value& one : variants) {
        known.try_emplace(to_text(one), words_of(one));
    }
    std::map<std::string, std::size_t> counts;
    for (const auto& [text, words] : known) {
        for (const std::string& word : words) {
            ++counts[word];
        }
    }
    DividedVariants divided;
    if (!known.empty()) {
        std::ranges::copy_if(known.begin()->second, std::back_inserter(divided.alike),
                             [&](const auto& word) { return counts[word] == known.size(); });
    }
    for (const Value& one : variants) {
        Words left;
        std::ranges::copy_if(known[to_text(one)], std::back_inserter(left),
                             [&](const auto& word) { return counts[word] < known.size(); });
        Value& differing = divided.differing.emplace_back();
        if (!left.empty()) {
            differing = fmt::format("{}", fmt::join(left, " "));
        }
    }
    return divided;
}

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
