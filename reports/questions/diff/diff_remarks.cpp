#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "reports/engine/commits/recipe_commits.hpp"
#include "reports/engine/drift/drift_rows.hpp"
#include "reports/questions/diff/diff.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// Few hashes in both are worth a line where both snapshots have so many builds, and less than one
// hash in so many is in both. Of a few builds, and of two snapshots that share much, the sentence
// says enough.
constexpr std::int64_t fewest_builds = 10;
constexpr std::int64_t one_common_in = 10;

void remark_on_hashes(const Diff& diff, std::vector<std::string>& said) {
    const std::int64_t smaller = std::min(diff.compared_from, diff.compared_to);
    if (smaller < fewest_builds || diff.common_specs * one_common_in >= smaller) {
        return;
    }
    // With a filter or a package that is not observed, other hashes may be in both.
    const char* const where = diff.is_of_stacks ? "in these stacks in both snapshots" : "in both";
    if (diff.common_specs == 0) {
        said.push_back(
            fmt::format("{} is {}.", diff.is_of_all() ? "No hash" : "None of these hashes", where));
        return;
    }
    const ComparedNames names = names_of(diff);
    const std::string before = grouped(diff.compared_from);
    const std::string after = grouped(diff.compared_to);
    const std::string all =
        diff.compared_from == diff.compared_to ? before + " hashes"
        : names.is_of_one_series
            ? fmt::format("{} hashes before and {} after", before, after)
            : fmt::format("{} hashes of {} and {} of {}", before, names.from, after, names.to);
    said.push_back(fmt::format("Only {} of {} {} {}.", grouped(diff.common_specs), all,
                               words_for(diff.common_specs, "is", "are"), where));
}

// Pages counted a stack whose index lists a spec, whether or not its binary was there.
void remark_on_kinds(const Diff& diff, std::vector<std::string>& said) {
    const bool of_both = (diff.from_kind == "pages" && diff.to_kind == "index") ||
                         (diff.from_kind == "index" && diff.to_kind == "pages");
    const bool moves = std::ranges::any_of(diff.summary, [](const KindCount& kind) {
        return (kind.kind == "stack-joined" || kind.kind == "stack-left") && kind.count > 0;
    });
    if (of_both && (moves || diff.is_of_stacks)) {
        const bool is_page_first = diff.from_kind == "pages";
        said.push_back(fmt::format(
            "{} is made from pages, {} from indexes. Pages also name stacks that list a build "
            "without having its binary, so a build may join or leave a stack here although nothing "
            "changed.",
            is_page_first ? diff.from : diff.to, is_page_first ? diff.to : diff.from));
    }
}

void remark_on_listed_kinds(const Diff& diff, std::vector<std::string>& said) {
    if (diff.listed_kinds.empty()) {
        return;
    }
    std::int64_t listed_rows = 0;
    std::int64_t rows = 0;
    for (const DiffSection& section : diff.sections) {
        listed_rows += std::ssize(section.table.rows);
        for (const std::string& kind : section.kinds) {
            rows += count_of(diff, kind);
        }
    }
    said.push_back(fmt::format("Only changes of the kind {} are listed: {} of {}.",
                               fmt::join(diff.listed_kinds, " or "), grouped(listed_rows),
                               grouped(rows)));
}

// "develop@... has 2 hash-conflict and 1 dependency-missing findings ..."
void remark_on_findings(const Diff& diff, std::vector<std::string>& said) {
    for (const std::string& snapshot : {diff.from, diff.to}) {
        std::vector<std::string> kinds;
        std::int64_t findings = 0;
        for (const auto& row : diff.findings.rows) {
            if (to_text(row[0]) == snapshot) {
                kinds.push_back(fmt::format("{} {}", grouped(integer(row[2])), to_text(row[1])));
                findings += integer(row[2]);
            }
        }
        if (findings > 0) {
            said.push_back(fmt::format("{} has {} {} (report audit/findings --at '{}').", snapshot,
                                       fmt::join(kinds, " and "), words_for(findings, "finding"),
                                       snapshot));
        }
        if (diff.from == diff.to) {
            return;
        }
    }
}

// "Root hdf5@1.14 moved from the group libraries to apps."
void remark_on_moved_roots(const Diff& diff, std::vector<std::string>& said) {
    constexpr std::size_t most_named = 10;
    std::vector<std::string> moves;
    for (const auto& row : diff.moved_roots.rows) {
        moves.push_back(
            fmt::format("{} from {} to {}", to_text(row[0]), to_text(row[1]), to_text(row[2])));
    }
    if (!moves.empty()) {
        said.push_back(fmt::format("{} moved to another group: {}.",
                                   counted(std::ssize(moves), "root"), listed(moves, most_named)));
    }
}

// The option that a change is about: build_system for "build_system: (none) -> cmake", mpi for
// "~mpi dropped", nullopt for "other combinations of the same values".
std::optional<std::string> option_name(const std::string& change) {
    if (change.starts_with('+') || change.starts_with('~')) {
        return change.substr(1, change.find(' ') - 1);
    }
    const auto colon = change.find(": ");
    return colon == std::string::npos ? std::nullopt : std::optional(change.substr(0, colon));
}

// If most variant changes are about the same single option, the description of specs changed, or
// all recipes at once (`build_system` in docs/formats.md, "Variants"). One sentence says so.
void remark_on_common_option(const Diff& diff, std::vector<std::string>& said) {
    constexpr std::size_t fewest_rows = 10;
    for (const DiffSection& section : diff.sections) {
        const std::size_t column = column_of(section.table, "options");
        if (column == section.table.columns.size() || section.table.rows.size() < fewest_rows) {
            continue;
        }
        std::map<std::string, std::size_t> rows_by_option;
        for (const auto& row : section.table.rows) {
            const auto* const options = std::get_if<std::string>(&row[column]);
            if (options != nullptr && options->find("; ") == std::string::npos) {
                if (const auto option = option_name(*options)) {
                    ++rows_by_option[*option];
                }
            }
        }
        for (const auto& [option, rows] : rows_by_option) {
            if (rows * 2 > section.table.rows.size()) {
                const std::size_t all = section.table.rows.size();
                said.push_back(
                    rows == all
                        ? fmt::format("All {} changes of variants are about {} alone.", all, option)
                        : fmt::format("{} of {} changes of variants are about {} alone.", rows, all,
                                      option));
            }
        }
    }
}

constexpr std::size_t most_packages_hinted = 3;
constexpr std::size_t most_commits_hinted = 2;

// The packages whose builds all differ by the hash alone, or by how many look the same; those with
// most builds first. One that kept a build is none: what all builds have in common did not change.
constexpr const char* with_new_hashes_only =
    "SELECT k.name FROM (SELECT d.package_id, count(*) FILTER (WHERE d.change = 'removed') AS "
    "removed FROM stack_drift d WHERE d.from_snapshot = ?1 AND d.to_snapshot = ?2 AND d.stack "
    "IS NULL GROUP BY d.package_id HAVING min(d.cause IN ('rebuilt', 'copies')) = 1 AND "
    "max(d.cause = 'rebuilt') = 1) r "
    "CROSS JOIN package k USING (package_id) WHERE k.name GLOB ?3 AND r.removed = "
    "(SELECT count(*) FROM present_specs p WHERE p.snapshot = ?1 AND p.package_id = "
    "r.package_id) ORDER BY r.removed DESC, k.name";

std::string hint_words(const std::string& package, const std::vector<RecipeCommit>& commits) {
    std::vector<std::string> words;
    words.reserve(commits.size());
    for (const RecipeCommit& commit : commits) {
        words.push_back(commit_words(commit));
    }
    return fmt::format(
        "Hint: in that time, {} touched the recipe of {}, whose builds all have new hashes: {}",
        counted(std::ssize(commits), "commit"), package, listed(words, most_commits_hinted));
}

}  // namespace

std::vector<std::string> remarks(const Diff& diff) {
    std::vector<std::string> said;
    if (!diff.is_empty()) {
        remark_on_hashes(diff, said);
    }
    if (diff.reasons) {
        said.push_back(*diff.reasons);
    }
    std::ranges::copy(diff.hints, std::back_inserter(said));
    remark_on_moved_roots(diff, said);
    if (!diff.is_empty()) {
        remark_on_common_option(diff, said);
        remark_on_kinds(diff, said);
    }
    std::ranges::move(unobserved_remarks(diff.unobserved), std::back_inserter(said));
    remark_on_findings(diff, said);
    remark_on_listed_kinds(diff, said);
    return said;
}

std::optional<std::string> sentence_of_gone(const Diff& diff) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> names;
    for (const auto& row : diff.needed_gone.rows) {
        const std::string version = is_null(row[1]) ? "" : fmt::format(" {}", to_text(row[1]));
        names.push_back(
            fmt::format("{}{} by {}", to_text(row[0]), version, counted(integer(row[3]), "build")));
    }
    return names.empty() ? std::nullopt
                         : std::optional(fmt::format("Gone, and still needed: {}.",
                                                     listed(names, most_named)));
}

std::vector<std::string> unobserved_remarks(const ResultTable& unobserved) {
    std::vector<std::string> said;
    for (const auto& [kind, when] :
         {std::pair(not_observed_before, "before"), std::pair(not_observed_after, "after")}) {
        if (const auto packages = count_of_kind(unobserved, kind); packages > 0) {
            said.push_back(fmt::format(
                "{} {} left out, because {} not observed {} (report drift/unobserved lists {}).",
                counted(packages, "package"), words_for(packages, "is", "are"),
                words_for(packages, "it was", "they were"), when,
                words_for(packages, "it", "them")));
        }
    }
    for (const std::string when : {"before", "after"}) {
        if (const auto packages = count_of_kind(unobserved, "stacks-unknown-" + when);
            packages > 0) {
            said.push_back(fmt::format(
                "The {} of {} {} no stacks {}: {} builds count as in none (report drift/unobserved "
                "lists {}).",
                words_for(packages, "page", "pages"), counted(packages, "package"),
                words_for(packages, "gives", "give"), when, words_for(packages, "its", "their"),
                words_for(packages, "it", "them")));
        }
    }
    return said;
}

std::vector<std::string> rebuilt_hints(const SQLite::Database& database, const Snapshot& from,
                                       const Snapshot& to, const std::string& package) {
    std::vector<std::string> hints;
    if (!knows_commits(database)) {
        return hints;
    }
    const TimeBetween time(from.taken_at, to.taken_at);
    std::int64_t more = 0;
    for (const auto& [name] :
         rows<std::string>(database, with_new_hashes_only, from.name, to.name, package)) {
        const auto commits = recipe_in(database, name, std::nullopt, time).commits;
        if (!commits.empty() && hints.size() < most_packages_hinted) {
            hints.push_back(hint_words(name, commits));
        } else if (!commits.empty()) {
            ++more;
        }
    }
    if (more > 0) {
        hints.push_back(
            fmt::format("Hint: commits also touched the {} of {} whose builds all have new hashes.",
                        words_for(more, "recipe"), counted(more, "more package")));
    }
    return hints;
}

ResultTable words_of(const Diff& diff) {
    ResultTable table{{"part", "text", "number"}, {}};
    const auto say = [&](const char* part, const std::string& text, const Value& number = {}) {
        table.rows.push_back({part, text, number});
    };
    say("sentence", diff.sentence);
    if (const auto gone = sentence_of_gone(diff)) {
        say("gone", *gone);
    }
    for (const std::string& remark : remarks(diff)) {
        say(diff.reasons == remark ? "reasons" : "remark", remark);
    }
    for (const auto& [kind, count] : diff.summary) {
        say("count", kind, count);
    }
    say("count", "unobserved", std::ssize(diff.unobserved.rows));
    return table;
}

}  // namespace cacheledger
