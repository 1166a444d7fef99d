#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/drift/change_words.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/questions/diff/diff.hpp"
#include "reports/render/drawing/svg.hpp"
#include "schema/text/counted.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

constexpr const char* title_of_causes = "Builds added and removed, by cause";

// The cause or kind `name`, with what differs where that is not the target: "target (operating
// system)". Only screens say so: other programs read the name.
std::string shown_name(const Diff& diff, const std::string& name) {
    const std::string differs = words_of_systems(diff.systems);
    return (name == "target" || name == "target-changed") && differs != "target"
               ? fmt::format("{} ({})", name, differs)
               : name;
}

// The causes that there are, those of most specs first.
ResultTable shown_causes(const Diff& diff) {
    ResultTable shown = diff.causes;
    const auto specs = [](const std::vector<Value>& row) {
        return integer(row[1]) + integer(row[2]);
    };
    std::erase_if(shown.rows, [&](const auto& row) { return specs(row) == 0; });
    std::ranges::stable_sort(shown.rows, std::ranges::greater(), specs);
    for (auto& row : shown.rows) {
        row[0] = shown_name(diff, to_text(row[0]));
    }
    add_totals(shown, {"added", "removed"});
    return shown;
}

// How many rows and specs each kind has.
ResultTable shown_kinds(const Diff& diff) {
    ResultTable shown{{"kind", "rows", "specs"}, {}};
    for (const DiffSection* const section : sections_by_impact(diff)) {
        for (const std::string& kind : section->kinds) {
            DiffSection one = *section;
            std::erase_if(one.table.rows,
                          [&](const auto& row) { return std::get<std::string>(row[0]) != kind; });
            if (!one.table.rows.empty()) {
                shown.rows.push_back(
                    {shown_name(diff, kind), std::ssize(one.table.rows), specs_of_section(one)});
            }
        }
    }
    return shown;
}

// The columns to show to people: without `kind` if the heading says it, and without lists of
// hashes, which are too long for a screen.
ResultTable columns_of_diff(const ResultTable& table, bool says_kind) {
    std::vector<std::string> names(table.columns.begin() + (says_kind ? 0 : 1),
                                   table.columns.end());
    std::erase_if(names, [](const std::string& name) { return name.starts_with("hashes"); });
    return columns_of(table, names);
}

// Of the rows that are there: --kind leaves some out.
std::string counts_of_kinds(const Diff& diff, const DiffSection& section) {
    std::vector<std::string> counts;
    for (const std::string& kind : section.kinds) {
        const std::int64_t count = std::ranges::count_if(section.table.rows, [&](const auto& row) {
            return std::get<std::string>(row[0]) == kind;
        });
        if (count > 0) {
            counts.push_back(fmt::format("{} {}", grouped(count), shown_name(diff, kind)));
        }
    }
    return fmt::format("{}", fmt::join(counts, ", "));
}

std::string title_of(const Diff& diff, const DiffSection& section) {
    const std::string differs = words_of_systems(diff.systems);
    return section.kinds.front() != "target-changed" || differs == "target" ? section.title
           : differs == "operating system" ? "Operating systems gained and lost"
                                           : "Systems gained and lost";
}

// A section that is too long is shown in groups, if they are clearly fewer than its rows.
DocumentPart part_of_section(const Diff& diff, const DiffSection& section, std::size_t most_rows) {
    const bool says_kind = section.kinds.size() > 1;
    const std::size_t rows = section.table.rows.size();
    DocumentPart part{
        fmt::format("{}: {}", title_of(diff, section), counts_of_kinds(diff, section)), {}};
    if (rows > most_rows) {
        ResultTable groups = columns_of_diff(groups_by_impact(section), says_kind);
        if (groups.rows.size() * 4 <= rows * 3) {
            part.title += fmt::format(", by {}", groups.columns[says_kind ? 1 : 0]);
            part.table = std::move(groups);
            part.group_rows = rows;
            return part;
        }
    }
    part.table = columns_of_diff(rows_by_impact(section), says_kind);
    return part;
}

// Of more than three versions the newest: "1.14.3 and 21 older ones".
std::string shown_versions(const Value& versions) {
    constexpr std::string_view separator = ", ";
    constexpr std::int64_t most_shown = 3;
    const std::string all = to_text(versions);
    const std::int64_t older = std::ranges::count(all, ',');
    return older < most_shown
               ? all
               : fmt::format("{} and {} older ones",
                             all.substr(all.rfind(separator) + separator.size()), grouped(older));
}

// "hdf5  1.14.3 -> 2.0.0".
DocumentPart part_of_pairs(const ResultTable& pairs) {
    DocumentPart part{
        fmt::format("Versions that changed: {}", counted(std::ssize(pairs.rows), "package")),
        {{"package", "change", "step", "added", "removed"}, {}}};
    for (const auto& row : pairs.rows) {
        part.table.rows.push_back(
            {row[0], fmt::format("{} -> {}", shown_versions(row[1]), shown_versions(row[2])),
             row[3], row[4], row[5]});
    }
    return part;
}

// What both documents for people have: the causes, then the table by kind (`shows_kinds`) or
// `section_part` of each.
std::vector<DocumentPart> parts_of_diff(const Diff& diff, bool is_summary, bool shows_kinds,
                                        const auto& section_part) {
    if (diff.is_empty()) {
        return {};
    }
    if (!diff.by.columns.empty()) {
        const bool has_moves = column_of(diff.by, "joined_stack") < diff.by.columns.size();
        DocumentPart part{has_moves ? "Builds added, removed and moved, by cause" : title_of_causes,
                          diff.by};
        part.shows_empty = true;
        std::ranges::replace(part.table.columns, "target", shown_name(diff, "target"));
        part.table.is_matrix = true;  // zeros show as dots, a narrow screen has groups of columns
        return {std::move(part)};
    }
    std::vector<DocumentPart> parts;
    parts.push_back({.title = title_of_causes, .table = shown_causes(diff), .is_whole = true});
    if (is_summary && shows_kinds) {
        parts.push_back({.title = "Changes, by kind",
                         .table = shown_kinds(diff),
                         .shows_empty = true,
                         .is_whole = true});
    }
    if (is_summary) {
        return parts;
    }
    if (!diff.needed_gone.rows.empty()) {
        parts.push_back({"Gone, and still needed to link and run", diff.needed_gone});
    }
    const ResultTable pairs = version_pairs(diff);
    if (!pairs.rows.empty()) {
        parts.push_back(part_of_pairs(pairs));
    }
    for (const DiffSection* const section : sections_by_impact(diff)) {
        if (pairs.rows.empty() || section != section_of_versions(diff)) {
            parts.push_back(section_part(*section));
        } else if (const DiffSection rest = without_pairs(*section, pairs);
                   !rest.table.rows.empty()) {
            parts.push_back(section_part(rest));
        }
    }
    return parts;
}

// "Bytes: 1.3 GB added, 820 MB removed.", "Bytes: at least ... (41 of 44 sizes known)."
std::string sentence_of_bytes(const Diff& diff) {
    const auto shown = [](std::int64_t bytes) {
        return chart_text(static_cast<double>(bytes), "bytes");
    };
    return fmt::format(
        "Bytes: {}{} added, {} removed{}.", diff.unknown_sizes == 0 ? "" : "at least ",
        shown(*diff.added_bytes), shown(*diff.removed_bytes),
        diff.unknown_sizes == 0
            ? ""
            : fmt::format(" ({} of {} sizes known)", grouped(diff.sizes - diff.unknown_sizes),
                          grouped(diff.sizes)));
}

std::vector<DocumentField> fields_of_diff(Diff& diff, bool is_summary,
                                          const std::vector<std::string>& said) {
    std::vector<DocumentField> fields = {{"from", diff.from},
                                         {"to", diff.to},
                                         {"sentence", diff.sentence},
                                         {"from_specs", diff.asked_from},
                                         {"to_specs", diff.asked_to},
                                         {"summary", counts_by_kind(diff)},
                                         {"causes", diff.causes},
                                         {"unobserved", diff.unobserved},
                                         {"remarks", remarks_table(said)}};
    if (!diff.by.columns.empty()) {
        fields.push_back({"by", diff.by});
    }
    if (diff.added_bytes) {
        fields.push_back({"added_bytes", *diff.added_bytes});
        fields.push_back({"removed_bytes", *diff.removed_bytes});
        fields.push_back({"unknown_sizes", diff.unknown_sizes});
    }
    fields.push_back({"gone", diff.needed_gone});
    fields.push_back({"version_pairs", version_pairs(diff)});
    std::vector<ResultTable> changes;
    for (DiffSection& section : diff.sections) {
        if (!is_summary) {
            changes.push_back(std::move(section.table));
        }
    }
    fields.push_back({"changes", std::move(changes)});
    return fields;
}

}  // namespace

Document document_of(Diff& diff, bool is_summary, std::size_t most_rows, bool shows_kinds) {
    const auto said = remarks(diff);
    Document document;
    document.command = "diff";
    document.title = fmt::format("{}{} -> {}{}", diff.from, diff.is_in_letters ? " (A)" : "",
                                 diff.to, diff.is_in_letters ? " (B)" : "");
    document.title_of_gates = document.title;
    document.summary = diff.sentence;
    auto shown = said;
    if (const auto gone = sentence_of_gone(diff)) {
        shown.insert(shown.begin(), *gone);
    }
    if (diff.added_bytes) {
        shown.insert(shown.begin(), sentence_of_bytes(diff));
    }
    document.lines = lines_of(document.title, lines_of(diff.sentence, shown));
    document.notes = unobserved_remarks(diff.unobserved);
    document.parts = [&diff, is_summary, most_rows, shows_kinds] {
        return parts_of_diff(diff, is_summary, shows_kinds, [&](const DiffSection& section) {
            return part_of_section(diff, section, most_rows);
        });
    };
    document.all_parts = [&diff, is_summary, shows_kinds] {
        return parts_of_diff(diff, is_summary, shows_kinds, [&](const DiffSection& section) {
            DocumentPart part{title_of(diff, section), rows_by_impact(section)};
            part.is_folded =
                section.kinds.front() == "rebuilt" || section.kinds.front() == "copies-changed";
            return part;
        });
    };
    document.rows = [&diff, is_summary] {
        return !diff.by.columns.empty() ? diff.by
               : is_summary             ? counts_by_kind(diff)
                                        : all_changes(diff);
    };
    document.fields = [&diff, is_summary, said] { return fields_of_diff(diff, is_summary, said); };
    return document;
}

std::vector<std::string> diff_gate_names() {
    auto names = change_kinds();
    names.insert(names.end(), {"spec-added", "spec-removed"});
    for (const std::string_view cause : cause_words) {
        if (std::ranges::find(names, cause) == names.end()) {  // `rebuilt` is both
            names.emplace_back(cause);
        }
    }
    return names;
}

namespace {

constexpr std::size_t most_named = 5;

bool is_cause(const std::string& name) {
    const auto kinds = change_kinds();
    return std::ranges::find(cause_words, name) != cause_words.end() &&
           std::ranges::find(kinds, name) == kinds.end();
}

// "hwloc (2 specs), mpich (1 spec), 3 more": the packages of a kind, or the stacks.
std::string names_of_kind(const Diff& diff, const std::string& kind) {
    std::vector<std::string> named;
    std::size_t more = 0;
    for (const DiffSection& section : diff.sections) {
        if (std::ranges::find(section.kinds, kind) == section.kinds.end()) {
            continue;
        }
        const ResultTable groups = groups_by_impact(section);
        const auto counts = std::ranges::find_if(groups.columns, [](const std::string& column) {
            return column == "specs" || column == "added";
        });
        for (const auto& row : groups.rows) {
            if (std::get<std::string>(row[0]) != kind) {
                continue;
            }
            if (named.size() == most_named) {
                ++more;
                continue;
            }
            std::int64_t specs = 0;
            for (auto column = static_cast<std::size_t>(counts - groups.columns.begin());
                 column < row.size(); ++column) {
                specs += integer(row[column]);
            }
            named.push_back(fmt::format("{} ({})", to_text(row[1]), counted(specs, "spec")));
        }
    }
    if (more > 0) {
        named.push_back(fmt::format("{} more", more));
    }
    return fmt::format("{}", fmt::join(named, ", "));
}

Gate judge_kind(const Diff& diff, const std::string& kind) {
    const std::int64_t count = count_of(diff, kind);
    if (count == 0) {
        return {kind, false, "none"};
    }
    const std::string names = names_of_kind(diff, kind);
    return {kind, true,
            fmt::format("{} {}{}{}", grouped(count), kind, names.empty() ? "" : ": ", names)};
}

Gate judge_cause(const Diff& diff, const std::string& cause) {
    for (const auto& row : diff.causes.rows) {
        const auto added = integer(row[1]);
        const auto removed = integer(row[2]);
        if (std::get<std::string>(row[0]) == cause && added + removed > 0) {
            return {cause, true,
                    fmt::format("{} added and {} removed with the cause {}", grouped(added),
                                grouped(removed), cause)};
        }
    }
    return {cause, false, "none"};
}

/// Whether it is more, by more than what calculating with them rounds: 1194 of 12000 are 9.95 %.
bool is_over(double percent, double gate) {
    constexpr double rounding = 1e-9;
    return percent > gate + rounding;
}

// Two digits at least, and as many as tell it from the gate: "8.3", "0.012", "5.04".
std::string fall_text(double percent, double gate) {
    const int most_digits = 9;
    for (int digits = 1; digits < most_digits; ++digits) {
        std::string text = percent < 1 ? fmt::format("{:.{}g}", percent, digits + 1)
                                       : fmt::format("{:.{}f}", percent, digits);
        if (is_over(parse_number<double>(text).value_or(percent), gate) == is_over(percent, gate)) {
            return text;
        }
    }
    return fmt::format("{}", percent);
}

Gate judge_fall(const Diff& diff, const AskedGate& gate) {
    const auto before = static_cast<double>(diff.compared_from);
    const auto fall = static_cast<double>(diff.compared_from - diff.compared_to);
    const std::string numbers = fmt::format("from {} to {}", grouped(diff.compared_from),
                                            counted(diff.compared_to, "spec"));
    if (fall <= 0) {
        return {gate.name, false, numbers};
    }
    const double percent = 100 * fall / before;
    return {gate.name, is_over(percent, *gate.percent),
            fmt::format("{} % fewer, {}", fall_text(percent, *gate.percent), numbers)};
}

}  // namespace

std::vector<Gate> judge(const Diff& diff, const std::vector<AskedGate>& gates) {
    std::vector<Gate> judged;
    judged.reserve(gates.size());
    for (const AskedGate& gate : gates) {
        judged.push_back(gate.percent          ? judge_fall(diff, gate)
                         : is_cause(gate.name) ? judge_cause(diff, gate.name)
                                               : judge_kind(diff, gate.name));
    }
    return judged;
}

}  // namespace cacheledger
