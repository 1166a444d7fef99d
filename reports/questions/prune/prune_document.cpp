#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reports/questions/prune/prune.hpp"
#include "reports/render/document/document.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// People are told what vanishes or loses a version, not of every package that loses a spec.
ResultTable shown_packages(const Prune& prune) {
    ResultTable shown{{"package", "before", "after", "lost", "lost bytes", "versions lost"}, {}};
    for (const auto& row : prune.packages.rows) {
        if (integer(row[5]) > 0 || integer(row[4]) > 0) {
            shown.rows.push_back({row[0], row[1], row[2], row[3], row[7], row[6]});
        }
    }
    leave_out_empty(shown, {"lost bytes"});
    return shown;
}

ResultTable shown_stacks(const Prune& prune) {
    ResultTable shown = prune.stacks;
    std::erase_if(shown.rows, [](const auto& row) { return integer(row.back()) == 0; });
    return shown;
}

ResultTable shown_coverage(const char* wanted, const ResultTable& coverage) {
    ResultTable shown{{wanted, "specs", "before", "after", "percent"}, {}};
    for (const auto& row : coverage.rows) {
        shown.rows.push_back({row[0], row[1], row[2], row[3],
                              fmt::format("{} -> {}", percent_text(std::get<double>(row[4])),
                                          percent_text(std::get<double>(row[5])))});
    }
    return shown;
}

ResultTable shown_broken(const Prune& prune) {
    ResultTable shown{{"package", "version", "hash", "lost dependency", "directly"}, {}};
    for (const auto& row : prune.broken.rows) {
        shown.rows.push_back({row[0], row[1], short_hash(row[2]),
                              fmt::format("{} {}", to_text(row[4]), to_text(short_hash(row[5]))),
                              integer(row[6]) != 0 ? Value("yes") : Value()});
    }
    return shown;
}

// "Kept: a.lock (12); b.lock (5); c.lock (7); 39 more".
std::string echo_of(std::string text, const ResultTable& asked) {
    constexpr std::size_t most_shown = 3;
    const char* between = "";
    for (std::size_t i = 0; i < std::min(asked.rows.size(), most_shown); ++i) {
        text += fmt::format("{}{} ({})", std::exchange(between, "; "), to_text(asked.rows[i][0]),
                            grouped(integer(asked.rows[i][1])));
    }
    return asked.rows.size() <= most_shown
               ? text
               : fmt::format("{}; {} more", text, asked.rows.size() - most_shown);
}

std::string kept_text(const Prune& prune) {
    std::string text = prune.keeps.rows.empty() ? "" : echo_of("Kept: ", prune.keeps);
    if (prune.dependencies > 0) {
        text += fmt::format("; what these need to link and run ({})", grouped(prune.dependencies));
    }
    if (!prune.drops.rows.empty()) {
        text = echo_of(text.empty() ? "Dropped: " : text + ". Dropped: ", prune.drops);
    }
    return text;
}

std::string sentence_of_prune(const Prune& prune) {
    const std::int64_t lost = prune.total("specs", "lost");
    if (lost == 0) {
        return "Nothing would be lost.";
    }
    const std::int64_t listed = prune.total("specs listed", "lost");
    const std::string of_newest =
        fmt::format("the {} that the newest {}.", grouped(prune.total("specs listed", "before")),
                    words_for(std::ssize(prune.series), "snapshot lists", "snapshots list"));
    const std::string which = listed == 0      ? "none of them among "
                              : listed == lost ? "all of them among "
                                               : grouped(listed) + " of them among ";
    return fmt::format("{} of {} would be lost, {}{}", grouped(lost),
                       counted(prune.total("specs", "before"), "build"), which, of_newest);
}

// Without the row of what is not known.
ResultTable shown_totals(const Prune& prune) {
    ResultTable shown = prune.totals;
    std::erase_if(shown.rows, [](const auto& row) { return is_null(row[1]) && is_null(row[3]); });
    return shown;
}

std::vector<DocumentPart> parts_of_prune(const Prune& prune) {
    return {{"Before and after", shown_totals(prune)},
            {"What is wanted, to link and run", shown_coverage("wanted", prune.coverage)},
            {"Environments that would break, to link and run",
             shown_coverage("environment", prune.environments)},
            {"Kept builds that need lost ones to link or run", shown_broken(prune)},
            {"Packages that vanish or lose versions", shown_packages(prune)},
            {"Stacks that lose builds", shown_stacks(prune)}};
}

std::vector<DocumentField> fields_of_prune(SQLite::Database& database, const Prune& prune) {
    ResultTable series{{"series", "snapshot"}, {}};
    for (const SeenSeries& one : prune.series) {
        series.rows.push_back({one.name, one.newest_name});
    }
    std::vector<DocumentField> fields = {{"dependencies", prune.dependencies},
                                         {"series", series},
                                         {"keep", prune.keeps},
                                         {"drop", prune.drops},
                                         {"totals", prune.totals},
                                         {"stacks", prune.stacks},
                                         {"packages", prune.packages},
                                         {"coverage", prune.coverage},
                                         {"environments", prune.environments},
                                         {"broken", prune.broken},
                                         {"remarks", remarks_table(prune.remarks)},
                                         {"lost", pruned_rows(database, false)}};
    if (prune.cost) {
        const auto cost = fields_of_cost(*prune.cost);
        fields.insert(fields.begin() + 1, cost.begin(), cost.end());
    }
    return fields;
}

ResultTable rows_of_list(SQLite::Database& database, const Prune& prune, const std::string& list) {
    return list == "broken"         ? prune.broken
           : list == "stacks"       ? prune.stacks
           : list == "packages"     ? prune.packages
           : list == "coverage"     ? prune.coverage
           : list == "environments" ? prune.environments
                                    : pruned_rows(database, list == "kept");
}

constexpr double rounding = 1e-9;  // of percentages

Gate judge_one(const Prune& prune, const AskedGate& gate) {
    if (gate.percent) {
        const auto lost = prune.total("specs", "lost");
        const auto all = prune.total("specs", "before");
        const double percent =
            all == 0 ? 0 : 100.0 * static_cast<double>(lost) / static_cast<double>(all);
        return {gate.name, percent > *gate.percent + rounding,
                fmt::format("{} of {} would be lost", grouped(lost), counted(all, "spec"))};
    }
    const auto count = gate.name == "broken"    ? std::ssize(prune.broken.rows)
                       : gate.name == "package" ? prune.total("packages", "lost")
                                                : prune.total("specs listed", "lost");
    const std::string lost =
        gate.name == "broken" ? counted(count, "kept spec would lack what it needs",
                                        "kept specs would lack what they need")
        : gate.name == "package"
            ? counted(count, "package") + " would vanish"
            : counted(count, "spec") + " of the newest snapshots would be lost";
    return {gate.name, count > 0, count == 0 ? "none" : lost};
}

}  // namespace

Document document_of(SQLite::Database& database, const Prune& prune) {
    Document document;
    document.command = "prune";
    document.title_of_gates = newest_names(prune.series);
    document.summary = sentence_of_prune(prune);
    document.title = fmt::format("Up to {}: {}", document.title_of_gates, document.summary);
    document.notes = lines_of(document.title, prune.remarks);
    document.lines = document.notes;
    document.lines.insert(document.lines.begin() + 1, kept_text(prune));
    if (prune.cost && prune.cost->builds > 0) {
        document.lines.insert(
            document.lines.begin() + 2,
            fmt::format("Build time of what would be lost: {}.", text_of(*prune.cost)));
    }
    document.parts = [&prune] { return parts_of_prune(prune); };
    document.rows = [&database] { return pruned_rows(database, false); };
    document.fields = [&database, &prune] { return fields_of_prune(database, prune); };
    document.between_tables = ",\n";
    return document;
}

Document document_of_list(SQLite::Database& database, const Prune& prune, const std::string& list) {
    Document document = document_of(database, prune);
    document.lines.clear();
    document.fields = nullptr;
    document.rows = [&database, &prune, list] { return rows_of_list(database, prune, list); };
    document.parts = [rows = document.rows, list] {
        return std::vector<DocumentPart>{
            {.title = list, .table = rows(), .is_apart = false, .shows_empty = true}};
    };
    return document;
}

std::vector<std::string> prune_gate_names() {
    return {"broken", "listed", "package"};
}

std::vector<Gate> judge(const Prune& prune, const std::vector<AskedGate>& gates,
                        std::optional<double> least) {
    std::vector<Gate> judged;
    judged.reserve(gates.size() + prune.coverage.rows.size());
    for (const AskedGate& gate : gates) {
        judged.push_back(judge_one(prune, gate));
    }
    for (const auto& row : prune.coverage.rows) {
        if (!least) {
            break;
        }
        const double percent = std::get<double>(row[5]);
        const bool is_less = percent < *least;
        judged.push_back(
            {fmt::format("fail-under {}", *least), is_less,
             fmt::format("of {} {} would be there, {} than --fail-under {}: {} of {}",
                         to_text(row[0]), percent_text(percent), is_less ? "less" : "not less",
                         *least, grouped(integer(row[3])), counted(integer(row[1]), "spec"))});
    }
    fail_on_unread(judged, fmt::format("{}", fmt::join(prune.not_read, " ")));
    return judged;
}

}  // namespace cacheledger
