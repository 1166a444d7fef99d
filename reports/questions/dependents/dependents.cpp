#include "reports/questions/dependents/dependents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/run/run_report.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

using Counts = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;  // direct, all

void count(Counts& counts, const std::string& name, bool is_direct) {
    auto& [direct, all] = counts[name];
    direct += is_direct ? 1 : 0;
    ++all;
}

/// The counts as rows, the most first.
ResultTable to_table(const char* name, const Counts& counts) {
    ResultTable table{{name, "direct", "all"}, {}};
    for (const auto& [key, number] : counts) {
        table.rows.push_back({key, number.first, number.second});
    }
    std::ranges::stable_sort(
        table.rows, [](const auto& a, const auto& b) { return integer(a[2]) > integer(b[2]); });
    return table;
}

/// Finds the specs that are asked for. Returns their spec_ids as a JSON array, and sets what
/// `found` says of them.
std::string find_asked(SQLite::Database& database, const std::string& spec, DependentSpecs& found) {
    const SpecQuery query = read_asked_spec(spec);
    if (asks_only_hash(query)) {
        found.spec = find_hash(database, "/" + query.hash);
        return only_value<std::string>(
            database, "SELECT json_group_array(spec_id) FROM spec WHERE hash = ?", found.spec);
    }
    found.spec = query.text();
    if (query.package) {
        refuse_unknown_name(database, NameKind::package, *query.package);
    }
    refuse_unknown_targets(query);
    const MatchingSpecs asked = matching_specs(database, query);
    if (asked.specs.empty() && asked.unknown.empty()) {
        throw UsageError(fmt::format("no spec of the ledger matches '{}'; for the nearest: {}",
                                     found.spec, command_hint({"specs", query.text()})));
    }
    found.undecided = std::ssize(asked.unknown);
    return fmt::format("[{}]", fmt::join(asked.specs, ","));
}

/// Counts the builds with these ids that the snapshot has. If there are none, says so.
void find_present(SQLite::Database& database, const std::string& ids, DependentSpecs& found) {
    std::vector<std::string> packages;
    for (auto&& [package, builds] : rows<std::string, std::int64_t>(
             database,
             "SELECT k.name, sum((SELECT count(*) FROM present_specs p WHERE p.snapshot = ?1 "
             "AND p.package_id = l.package_id AND p.look_id = x.look_id AND p.spec_id = "
             "x.spec_id)) FROM json_each(?2) j CROSS JOIN spec x ON x.spec_id = j.value "
             "CROSS JOIN look l USING (look_id) CROSS JOIN package k USING (package_id) "
             "GROUP BY k.name",
             found.snapshot, ids)) {
        found.present += builds;
        packages.push_back(std::move(package));
    }
    if (found.present > 0 || packages.empty()) {
        return;
    }
    const auto note =
        packages.size() == 1
            ? note_on_absent_package(ask_names_of(database), {found.snapshot}, packages.front())
            : std::nullopt;
    found.absence =
        found.all > 0
            ? fmt::format("{} has no binary of it: it is external, or missing.", found.snapshot)
        : note ? *note + "."
               : fmt::format("{} has no build that matches {}.", found.snapshot, found.spec);
}

/// The names of a list "a,b"; '(no stack)' for an empty or unknown one.
std::vector<std::string> stacks_in(const Value& list) {
    auto names = split(to_text(list), ',');
    return names.empty() ? std::vector<std::string>{"(no stack)"} : names;
}

bool is_nothing_known(const DependentSpecs& found) {
    return !found.is_known && found.unknown > 0;
}

// Where no dependencies are known, "0 builds need it" would be an answer to another question.
std::string headline(const DependentSpecs& found, const std::string& title) {
    if (is_nothing_known(found)) {
        return fmt::format(
            "{}: nothing is known of what needs it: no source lists the dependencies of the {} "
            "there.",
            title, counted(found.unknown, "build"));
    }
    return fmt::format("{}: {} it directly, {} in all, of {}", title,
                       counted(found.direct, "build needs", "builds need"), grouped(found.all),
                       counted(std::ssize(found.packages.rows), "package"));
}

std::vector<std::string> remarks_on_dependents(const DependentSpecs& found) {
    std::vector<std::string> said;
    if (!found.absence.empty()) {
        said.push_back(found.absence);
    }
    if (found.undecided > 0) {
        said.push_back(fmt::format("{} match {}; what needs them is left out.",
                                   counted(found.undecided, "more build may", "more builds may"),
                                   found.spec));
    }
    if (found.unknown > 0) {
        said.push_back(fmt::format("The dependencies of {} of {} are not known: {} need it, too.",
                                   counted(found.unknown, "spec"), found.snapshot,
                                   words_for(found.unknown, "it may", "they may")));
    }
    return said;
}

}  // namespace

bool names_a_hash(const std::string& text) {
    // What has more of a path is one.
    return is_dag_hash(text) ||
           (text.starts_with('/') && text.find_first_of("/.", 1) == std::string::npos);
}

std::string find_hash(const SQLite::Database& database, const std::string& text) {
    const std::string beginning = text.starts_with('/') ? text.substr(1) : text;
    const auto found = all_values<std::string>(
        database,
        "SELECT DISTINCT x.hash FROM hash_names n CROSS JOIN spec x USING (spec_id) "
        "WHERE n.name >= ?1 AND n.name < ?1 || '~' ORDER BY x.hash LIMIT 6",
        beginning);
    if (found.empty() || beginning.empty()) {
        throw UsageError(fmt::format("no spec has the hash '{}'", text));
    }
    if (found.size() > 1) {
        throw UsageError(fmt::format("several builds have a hash that begins with '{}': /{}",
                                     beginning, fmt::join(found, ", /")));
    }
    return found.front();
}

DependentSpecs find_dependents(SQLite::Database& database, const Catalog& catalog,
                               const std::string& snapshot, const std::string& spec,
                               const std::string& deptypes) {
    DependentSpecs found;
    found.snapshot = find_snapshot(database, snapshot).name;
    const std::string asked = find_asked(database, spec, found);
    found.dependents = run_report(database, catalog.find("audit/dependents"),
                                  {{"at", found.snapshot}, {"spec", asked}, {"deptype", deptypes}});
    Counts packages;
    Counts stacks;
    for (const auto& row : found.dependents.rows) {
        const bool is_direct = integer(row[3]) != 0;
        found.direct += is_direct ? 1 : 0;
        ++found.all;
        count(packages, std::get<std::string>(row[0]), is_direct);
        for (const std::string& name : stacks_in(row[5])) {
            count(stacks, name, is_direct);
        }
    }
    find_present(database, asked, found);
    found.packages = to_table("package", packages);
    found.stacks = to_table("stack", stacks);
    const auto present_specs = [&](const char* which) {
        return only_value<std::int64_t>(
            database,
            fmt::format("SELECT count(*) FROM present_specs WHERE snapshot = ? {}", which),
            found.snapshot);
    };
    found.unknown = present_specs("AND spec_id NOT IN (SELECT spec_id FROM node)");
    found.is_known = found.all > 0 || present_specs("") > found.unknown;
    return found;
}

Document document_of(const DependentSpecs& found) {
    const auto packages = std::ssize(found.packages.rows);
    Document document;
    document.title = fmt::format("{} at {}", found.spec, found.snapshot);
    document.notes = remarks_on_dependents(found);
    document.lines = lines_of(headline(found, document.title), document.notes);
    if (is_nothing_known(found)) {
        document.lines.pop_back();  // of the unknown ones: the headline says it
    }
    document.parts = [&found] {
        return std::vector<DocumentPart>{{"By stack", found.stacks},
                                         {"By package", found.packages}};
    };
    document.rows = [&found] { return found.dependents; };
    document.fields = [&found, packages] {
        return std::vector<DocumentField>{
            {"spec", found.spec},           {"snapshot", found.snapshot},
            {"direct", found.direct},       {"all", found.all},
            {"packages", packages},         {"unknown", found.unknown},
            {"undecided", found.undecided}, {"present", found.present},
            {"stacks", found.stacks},       {"dependents", found.dependents}};
    };
    return document;
}

}  // namespace cacheledger
