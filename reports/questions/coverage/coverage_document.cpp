#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "reports/questions/coverage/cached_builds.hpp"
#include "reports/questions/coverage/coverage.hpp"

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

// Where the ledger has seen one of them. That it has seen none is a sentence.
bool shows_seen(const ResultTable& table) {
    const std::size_t column = column_of(table, "seen");
    return column < table.columns.size() && std::ranges::any_of(table.rows, [&](const auto& row) {
               return row[column] != Value(std::string(never_seen));
           });
}

bool is_set(const Value& value) {
    return !is_null(value) && integer(value) != 0;
}

Value shown_difference(const std::vector<Value>& row) {
    if (is_null(row[nearest_column])) {
        return is_null(row[package_column]) ? Value() : Value("no build");
    }
    const std::string words = to_text(row[differs_column]);
    return words.empty() ? "nothing but the hash" : words;
}

void shorten(ResultTable& table) {
    for (const std::string_view name : {"hash", "nearest"}) {
        const std::size_t column = column_of(table, name);
        for (auto& row : table.rows) {
            row.at(column) = short_hash(row.at(column));
        }
    }
}

// What is missing as people are shown it.
ResultTable shown_missing(const Coverage& coverage) {
    ResultTable shown = coverage.missing;
    for (auto& row : shown.rows) {
        row[differs_column] = shown_difference(row);
    }
    return shown;
}

// What is needed to link and to run, or what is not.
ResultTable missing_for(const Coverage& coverage, bool is_runtime) {
    ResultTable shown = shown_missing(coverage);
    std::erase_if(shown.rows,
                  [&](const auto& row) { return is_set(row[runtime_column]) != is_runtime; });
    for (auto& row : shown.rows) {
        row[frontier_column] = is_set(row[frontier_column]) ? Value("yes") : Value();
    }
    shorten(shown);
    std::vector<std::string> columns = {"package",    "version", "hash",   "frontier",
                                        "dependents", "nearest", "differs"};
    if (shows_seen(shown)) {
        columns.emplace_back("seen");
    }
    return columns_of(shown, columns);
}

// Of a list.
ResultTable missing_lines(ResultTable missing) {
    std::vector<std::string> columns = {"line", "spec", "requires", "nearest", "differs"};
    leave_out_empty(missing, {"requires"});
    if (std::ranges::find(missing.columns, "requires") == missing.columns.end()) {
        std::erase(columns, "requires");
    }
    if (shows_seen(missing)) {
        columns.emplace_back("seen");
    }
    return columns_of(missing, columns);
}

ResultTable by_table(const Coverage& coverage) {
    ResultTable table{{coverage.is_by_group ? "group" : "root", "hash", "roots", "percent", "specs",
                       "covered", "builds", "alone", "first"},
                      {}};
    for (const RootCoverage& one : coverage.by) {
        table.rows.push_back({one.name.empty() ? Value() : Value(one.name),
                              one.hash.empty() ? Value() : Value(one.hash), one.roots,
                              one.runtime.percent(), one.runtime.specs, one.runtime.covered,
                              one.to_build, one.alone, listed(one.first, one.first.size())});
    }
    return table;
}

// Roots that come whole from the cache are a line of their own.
std::vector<DocumentPart> by_parts(const Coverage& coverage, bool is_whole) {
    constexpr std::size_t most_first = 2;
    const std::string what = coverage.is_by_group ? "group" : "root";
    ResultTable shown{{what, "percent", "to_build", "alone", "first", "hash"}, {}};
    std::vector<std::string> whole;
    for (const RootCoverage& one : coverage.by) {
        const std::string name = one.name.empty() ? "(no group)" : one.name;
        if (one.to_build == 0) {
            whole.push_back(name);
            continue;
        }
        shown.rows.push_back({name, percent_text(one.runtime.percent()), one.to_build, one.alone,
                              listed(one.first, is_whole ? one.first.size() : most_first),
                              one.hash});
    }
    if (coverage.is_by_group || !is_whole) {
        shown = columns_of(shown, {what, "percent", "to_build", "alone", "first"});
    }
    std::vector<DocumentPart> parts = {
        {fmt::format("By {} (alone: no other {} needs it; first: can be built at once)", what,
                     what),
         std::move(shown)}};
    if (!whole.empty()) {
        DocumentPart& part = parts.emplace_back();
        part.lines.push_back({fmt::format("Whole: "), {listed(whole, whole.size())}});
    }
    return parts;
}

// Not `is_whole`: as a screen has them.
std::vector<DocumentPart> parts_of_coverage(const Coverage& coverage, bool with_build_dependencies,
                                            bool is_whole) {
    std::vector<DocumentPart> parts = parts_of_caches(coverage, is_whole);
    std::vector<DocumentPart> others;
    if (!coverage.by.empty()) {
        others = by_parts(coverage, is_whole);
    } else if (coverage.is_list()) {
        ResultTable missing = shown_missing(coverage);
        if (!is_whole) {
            shorten(missing);
        }
        others = {{"Missing", missing_lines(std::move(missing))},
                  {"Not known", coverage.undecided}};
    } else if (!with_build_dependencies) {
        others = {build_part(coverage, is_whole)};
    } else if (is_whole) {
        others = {{"Missing", coverage.missing}};
    } else {
        others = {{"Missing to link and run (frontier: all it needs is there)",
                   missing_for(coverage, true)},
                  {"Missing to build only", missing_for(coverage, false)}};
    }
    if (is_whole && coverage.by.empty()) {
        std::erase_if(others, [](const DocumentPart& part) { return part.table.rows.empty(); });
    }
    std::ranges::move(others, std::back_inserter(parts));
    return parts;
}

std::vector<DocumentField> fields_of_coverage(const Coverage& coverage) {
    std::vector<DocumentField> fields = count_fields(coverage);
    add_cache_fields(coverage, fields);
    fields.push_back({"undecided", coverage.undecided});
    fields.push_back({"causes", coverage.cause.causes});
    fields.push_back({"to_build", coverage.to_build});
    if (!coverage.by.empty()) {
        fields.push_back({coverage.is_by_group ? "groups" : "roots", by_table(coverage)});
    }
    fields.push_back({"missing", coverage.missing});
    return fields;
}

// Of what must be built, behind the version.
void add_times(const Coverage& coverage, ResultTable& shown) {
    const auto place = static_cast<std::ptrdiff_t>(column_of(shown, "version")) + 1;
    shown.columns.insert(shown.columns.begin() + place, "time");
    for (std::size_t i = 0; i < shown.rows.size(); ++i) {
        const Value& seconds = coverage.to_build.rows[i].back();
        Value time;
        if (!is_null(seconds)) {
            time = duration_text(std::llround(std::get<double>(seconds) * 1000));
        }
        shown.rows[i].insert(shown.rows[i].begin() + place, std::move(time));
    }
}

}  // namespace

DocumentPart build_part(const Coverage& coverage, bool is_whole) {
    const ResultTable missing = shown_missing(coverage);
    std::map<std::string, const std::vector<Value>*> by_hash;
    for (const auto& row : missing.rows) {
        by_hash.emplace(to_text(row[hash_column]), &row);
    }
    std::vector<std::string> columns = {"wave", "package", "version", "hash", "nearest", "differs"};
    ResultTable shown{columns, {}};
    const std::size_t seen = column_of(missing, "seen");
    const bool has_seen = seen < missing.columns.size();
    if (has_seen) {
        shown.columns.emplace_back("seen");
    }
    for (const auto& row : coverage.to_build.rows) {
        const std::vector<Value>& found = *by_hash.at(to_text(row[2]));
        shown.rows.push_back(
            {row[0], row[1], row[3], row[2], found[nearest_column], found[differs_column]});
        if (has_seen) {
            shown.rows.back().push_back(found[seen]);
        }
    }
    if (!shows_seen(shown)) {
        shown = columns_of(shown, columns);
    }
    if (coverage.cost && coverage.cost->known > 0) {
        add_times(coverage, shown);
    }
    if (!is_whole) {
        shorten(shown);
    }
    return {"To build, in waves: each needs only what is there or in earlier waves",
            std::move(shown)};
}

std::vector<DocumentField> count_fields(const Coverage& coverage) {
    const auto& all = coverage.all;
    std::vector<DocumentField> fields = {{"wanted", coverage.wanted},
                                         {"percent", coverage.runtime.percent()},
                                         {"percent_all", all ? Value(all->percent()) : Value()},
                                         {"snapshot", coverage.snapshot},
                                         {"specs", coverage.runtime.specs},
                                         {"covered", coverage.runtime.covered},
                                         {"specs_all", all ? Value(all->specs) : Value()},
                                         {"covered_all", all ? Value(all->covered) : Value()},
                                         {"external", coverage.external}};
    if (all) {
        fields.push_back({"builds", std::ssize(coverage.to_build.rows)});
        fields.push_back({"builds_before_1_2", all->specs - all->covered});
    }
    if (const auto& to_fetch = coverage.to_fetch) {
        fields.push_back({"fetch_builds", to_fetch->builds});
        fields.push_back({"fetch_known", to_fetch->known});
        fields.push_back({"fetch_bytes", to_fetch->bytes});
    }
    if (coverage.cost) {
        std::ranges::move(fields_of_cost(*coverage.cost), std::back_inserter(fields));
        const auto milliseconds = coverage.longest_chain_milliseconds;
        fields.push_back({"longest_chain_seconds",
                          coverage.cost->known == 0 ? Value() : Value(seconds_of(milliseconds))});
        fields.push_back({"longest_chain", coverage.longest_chain});
    }
    if (const auto& earlier = coverage.earlier) {
        fields.push_back({"since", earlier->snapshot});
        fields.push_back({"percent_since", earlier->runtime.percent()});
        fields.push_back({"covered_since", earlier->runtime.covered});
    }
    fields.push_back({"remarks", remarks_table(all_remarks(coverage))});
    return fields;
}

Document headed_document(const Coverage& coverage, bool with_build_dependencies) {
    Document document;
    document.command = "coverage";
    document.title_of_gates = fmt::format("{} at {}", coverage.wanted, coverage.snapshot);
    const std::string percents = percents_of(coverage);
    const std::string sentence = sentence_of(coverage, with_build_dependencies);
    document.summary = fmt::format("{}: {}", percents, sentence);
    document.title = fmt::format("{}: {}", document.title_of_gates, percents);
    document.lines = {document.title, sentence};
    if (coverage.cost && coverage.cost->builds > 0) {
        document.lines.push_back(sentence_of_cost(coverage));
    }
    if (coverage.cause.sentence) {
        document.lines.push_back(*coverage.cause.sentence);
    }
    if (coverage.to_fetch) {
        document.lines.push_back(sentence_of(*coverage.to_fetch));
    }
    if (coverage.past) {
        document.lines.push_back(*coverage.past);
    }
    if (!with_build_dependencies && !coverage.built_before_1_2.empty()) {
        document.lines.push_back(sentence_of_old_installer(coverage.built_before_1_2));
    }
    std::ranges::move(all_remarks(coverage), std::back_inserter(document.lines));
    document.notes = document.lines;
    return document;
}

Document document_of(const Coverage& coverage, const CoverageConditions& conditions,
                     bool with_build_dependencies) {
    Document document = headed_document(coverage, with_build_dependencies);
    document.gates = gates_of(coverage, conditions);
    document.parts = [&coverage, with_build_dependencies] {
        return parts_of_coverage(coverage, with_build_dependencies, false);
    };
    document.all_parts = [&coverage, with_build_dependencies] {
        return parts_of_coverage(coverage, with_build_dependencies, true);
    };
    document.rows = [&coverage] {
        return coverage.by.empty() ? coverage.missing : by_table(coverage);
    };
    document.fields = [&coverage] { return fields_of_coverage(coverage); };
    return document;
}

ResultTable install_lines(const Coverage& coverage, bool lists_there) {
    if (coverage.is_list()) {
        return columns_of(coverage.missing, {"spec"});
    }
    ResultTable lines{{"spec", "hash"}, {}};
    const ResultTable& table = lists_there ? coverage.there : coverage.to_build;
    const std::size_t package = column_of(table, "package");
    const std::size_t hash = column_of(table, "hash");
    for (const auto& row : table.rows) {
        lines.rows.push_back(
            {fmt::format("{}/{}", to_text(row[package]), to_text(row[hash])), row[hash]});
    }
    return lines;
}

}  // namespace cacheledger
