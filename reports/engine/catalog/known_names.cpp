#include "reports/engine/catalog/known_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "reports/engine/server/connection.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/finding_kind.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

struct Kind {
    std::string_view word;  ///< in a report's header
    std::string_view what;  ///< in messages
    const char* names;      ///< a query for the names in the ledger; nullptr: there is none
    const char* where;      ///< the report that lists those of a snapshot, or the command that
                            ///< lists all; nullptr: the message lists them
};

// In the order of NameKind.
constexpr std::array<Kind, 9> kinds = {{
    {"package", "package", "SELECT name FROM package", "coverage/packages"},
    {"stack", "stack", "SELECT name FROM stack UNION ALL SELECT '(no stack)'", "coverage/stacks"},
    {"series", "series", "SELECT name FROM series", "snapshots"},
    {"cause", "cause", nullptr, nullptr},
    {"kind", "kind of finding", "SELECT DISTINCT kind FROM finding", nullptr},
    {"target", "target", "SELECT target FROM arch WHERE target IS NOT NULL", nullptr},
    {"system", "system", "SELECT platform || '-' || os FROM arch WHERE platform || os IS NOT NULL",
     nullptr},
    {"compiler", "compiler", "SELECT spec FROM compiler UNION ALL SELECT '(no compiler)'", nullptr},
    {"version", "version", "SELECT version FROM version", "coverage/versions"},
}};

std::string where_listed(std::string_view where) {
    return where.find('/') == std::string_view::npos
               ? "to see all: " + command_hint({std::string(where)})
               : "to see those of a snapshot: " + command_hint({"report", std::string(where)});
}

const Kind& about(NameKind kind) {
    return kinds.at(static_cast<std::size_t>(kind));
}

using Names = std::vector<std::string>;

/// Packages like a pattern; `limit`: what ends the statement.
std::string known_packages(const std::string& pattern, const char* limit) {
    return fmt::format("SELECT name FROM package WHERE glob({}, name){}", quoted_text(pattern),
                       limit);
}

/// Those of which a snapshot has builds.
std::string packages_of(const std::string& snapshot, const std::string& pattern,
                        const char* limit) {
    return fmt::format(
        "SELECT k.name FROM snapshot s CROSS JOIN package k WHERE s.name = {} AND glob({}, k.name) "
        "AND EXISTS (SELECT 1 FROM presence p WHERE p.series_id = s.series_id AND p.package_id = "
        "k.package_id AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > "
        "s.taken_at)){}",
        quoted_text(snapshot), quoted_text(pattern), limit);
}

/// The series with snapshots that have builds of such packages, the one with the newest snapshot
/// first.
std::string series_of(const std::string& pattern) {
    return fmt::format(
        "SELECT r.name FROM series r WHERE EXISTS (SELECT 1 FROM package k JOIN presence p ON "
        "p.series_id = r.series_id AND p.package_id = k.package_id WHERE glob({}, k.name)) ORDER "
        "BY (SELECT max(s.taken_at) FROM snapshot s WHERE s.series_id = r.series_id) DESC, r.name",
        quoted_text(pattern));
}

/// That of a snapshot.
std::string series_of_snapshot(const std::string& snapshot) {
    return fmt::format(
        "SELECT r.name FROM snapshot s JOIN series r ON r.series_id = s.series_id WHERE s.name = "
        "{}",
        quoted_text(snapshot));
}

/// Those of builds that are not external, or of which nobody knows.
std::string not_external(const std::string& which) {
    return fmt::format(
        "SELECT k.name FROM package k JOIN look l ON l.package_id = k.package_id JOIN spec x ON "
        "x.look_id = l.look_id LEFT JOIN node n ON n.spec_id = x.spec_id LEFT JOIN recipe r ON "
        "r.recipe_id = n.recipe_id WHERE {} AND coalesce(r.external, 0) = 0 LIMIT 1",
        which);
}

std::string who_lacks(const Names& snapshots) {
    return snapshots.size() == 1
               ? fmt::format("{} has no build", snapshots.front())
               : fmt::format("neither {} has a build", fmt::join(snapshots, " nor "));
}

/// Of series that have a package, what to say where these snapshots lack it.
std::string which_have_it(const AskNames& ask, const Names& snapshots, const Names& series) {
    constexpr std::size_t most_series = 5;
    Names own;
    for (const std::string& snapshot : snapshots) {
        std::ranges::move(ask(series_of_snapshot(snapshot)), std::back_inserter(own));
    }
    Names of_own;
    Names others;
    for (const std::string& one : series) {
        (std::ranges::find(own, one) == own.end() ? others : of_own).push_back(one);
    }
    const std::string rest = listed(others, most_series);
    if (of_own.empty()) {
        return fmt::format("snapshots of other series have it: {}", rest);
    }
    return fmt::format("other snapshots of {} have it{}", listed(of_own, most_series),
                       others.empty() ? "" : ", and so have some of other series: " + rest);
}

Names packages_near(const AskNames& ask, const Names& snapshots, const std::string& package) {
    Names names;
    for (const std::string& snapshot : snapshots) {
        std::ranges::move(ask(packages_of(snapshot, "*", "")), std::back_inserter(names));
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return nearest_names(package, names);
}

}  // namespace

std::vector<std::string> known_names(SQLite::Database& database, NameKind kind) {
    std::vector<std::string> names;
    if (kind == NameKind::cause) {
        names.assign(cause_words.begin(), cause_words.end());
    } else if (kind == NameKind::finding) {  // the query adds kinds that other versions wrote
        names.assign(finding_kinds.begin(), finding_kinds.end());
    }
    if (const char* const sql = about(kind).names) {
        for (const auto& [name] : rows<std::string>(database, sql)) {
            names.push_back(name);
        }
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
    }
    return names;
}

std::optional<NameKind> find_name_kind(std::string_view word) {
    const auto* const found = std::ranges::find(kinds, word, &Kind::word);
    return found == kinds.end() ? std::nullopt
                                : std::optional(static_cast<NameKind>(found - kinds.begin()));
}

std::string_view word_of(NameKind kind) {
    return about(kind).word;
}

void refuse_unknown_name(SQLite::Database& database, NameKind kind, const std::string& name) {
    const auto names = known_names(database, kind);
    if (std::ranges::find(names, name) == names.end()) {
        const auto& [word, what, sql, where] = about(kind);
        refuse_unknown(what, name, names,
                       where == nullptr ? fmt::format("there are: {}", fmt::join(names, ", "))
                                        : where_listed(where));
    }
}

std::optional<std::string> check_pattern(SQLite::Database& database, NameKind kind,
                                         const std::string& pattern) {
    if (pattern.find_first_of("*?[") == std::string::npos) {
        refuse_unknown_name(database, kind, pattern);
        return std::nullopt;
    }
    const bool fits =
        std::ranges::any_of(known_names(database, kind), [&](const std::string& name) {
            return name == pattern || sqlite3_strglob(pattern.c_str(), name.c_str()) == 0;
        });
    return fits ? std::nullopt
                : std::optional(fmt::format("no {} is like '{}'", about(kind).what, pattern));
}

void refuse_unknown_pattern(SQLite::Database& database, NameKind kind, const std::string& pattern) {
    if (auto note = check_pattern(database, kind, pattern)) {
        throw UsageError(*note);
    }
}

AskNames ask_names_of(SQLite::Database& database) {
    return [&database](const std::string& sql) { return all_values<std::string>(database, sql); };
}

std::string why_in_no_snapshot(const AskNames& ask, const std::string& which) {
    return ask(not_external(which)).empty() ? "it is external" : "other builds only depend on it";
}

std::optional<std::string> note_on_absent_package(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::string& package) {
    constexpr const char* one = " LIMIT 1";
    if (snapshots.empty() || ask(known_packages(package, one)).empty() ||
        std::ranges::any_of(snapshots, [&](const std::string& snapshot) {
            return !ask(packages_of(snapshot, package, one)).empty();
        })) {
        return std::nullopt;
    }
    std::string note = fmt::format("{} of {} at all", who_lacks(snapshots), package);
    if (const Names near = packages_near(ask, snapshots, package); !near.empty()) {
        note += fmt::format("; near are: {}", fmt::join(near, ", "));
    }
    const Names series = ask(series_of(package));
    if (series.empty()) {
        const std::string of_package = fmt::format("glob({}, k.name)", quoted_text(package));
        return fmt::format("{}; it is in no snapshot: {}", note,
                           why_in_no_snapshot(ask, of_package));
    }
    note += "; " + which_have_it(ask, snapshots, series);
    const bool is_name = package.find_first_of("*?[") == std::string::npos;
    return note + (is_name ? fmt::format(" ('history {}' tells when)", package) : "");
}

std::vector<std::string> notes_on_absent_packages(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::vector<std::string>& packages) {
    std::vector<std::string> notes;
    for (const std::string& package : packages) {
        if (auto note = note_on_absent_package(ask, snapshots, package)) {
            notes.push_back(std::move(*note));
        }
    }
    return notes;
}

void FormerSpecs::ask(const std::string& typed, const SpecQuery& query, const std::string& name,
                      const std::string& packages) {
    const auto former = parse_as_before_1_0(typed);
    if (!former || parse_spec(typed) != query) {
        return;
    }
    const MatchingSpecs matching = snapshot_id_
                                       ? matching_specs(database_, *snapshot_id_, *former, packages)
                                       : matching_specs(database_, *former);
    if (matching.specs.empty() || ++found_ > 1) {
        return;
    }
    first_ = fmt::format("{} asked for '{}{}', which {}", name,
                         packages == "*" ? "" : packages + " ", former->text(),
                         counted(std::ssize(matching.specs), "build matches", "builds match"));
}

std::optional<std::string> FormerSpecs::remark() const {
    if (found_ == 0) {
        return std::nullopt;
    }
    const std::string more =
        found_ == 1 ? "" : fmt::format("; so it was with {}", counted(found_ - 1, "more spec"));
    return fmt::format("Before Spack 1.0 {}{}.", first_, more);
}

}  // namespace cacheledger
