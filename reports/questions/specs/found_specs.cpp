#include "reports/questions/specs/found_specs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/search/look_answers.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

bool asks_everything(const SpecQuery& query) {
    return query == SpecQuery();
}

/// The SPEC in one spelling: "py-* +mpi"; empty if all builds are asked.
std::string asked_words(const AskedSpecs& asked) {
    std::string query = asks_everything(asked.query) ? "" : asked.query.text();
    if (asked.packages == "*") {
        return query;
    }
    return asked.packages + (query.empty() ? "" : " " + query);
}

/// The builds that match; `specs`: spec_ids, NULL for all.
Arguments arguments_for(const Snapshot& snapshot, const AskedSpecs& asked, const Value& specs) {
    return {{"at", snapshot.name},
            {"package", asked.query.package.value_or(asked.packages)},
            {"specs", specs},
            {"stack", or_null(asked.stack)}};
}

ResultTable read_builds(const SQLite::Database& database, Arguments arguments, std::size_t most) {
    constexpr auto without_limit = std::int64_t{-1};
    arguments["most"] = most == all_rows ? without_limit : static_cast<std::int64_t>(most);
    return run_query(database, "specs", std::string(specs_texts.front().text), arguments);
}

// Caches list no external specs as theirs; asking for each would cost more than the answer.
void count_all(const SQLite::Database& database, const Arguments& arguments, FoundSpecs& found) {
    const ResultTable counts = run_query(
        database, "specs",
        "SELECT count(*), count(*) FILTER (WHERE "
        "(SELECT kind FROM snapshot WHERE name = :at) IN ('lock', 'install') AND "
        "(SELECT o.external FROM node n CROSS JOIN recipe o USING (recipe_id) "
        "WHERE n.spec_id = p.spec_id)) "
        "FROM present_specs p WHERE snapshot = :at AND package GLOB :package AND "
        "(:specs IS NULL OR spec_id IN (SELECT value FROM json_each(:specs))) AND (:stack IS NULL "
        "OR stack_set_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR "
        "stack GLOB :stack))",
        arguments);
    found.all = integer(counts.rows.at(0).at(0));
    found.external = integer(counts.rows.at(0).at(1));
}

std::int64_t external_among(const ResultTable& builds) {
    const std::size_t column = column_of(builds, "external");
    return std::ranges::count_if(builds.rows, [&](const auto& row) {
        return !is_null(row[column]) && integer(row[column]) != 0;
    });
}

// Takes the columns named_stacks and spec_id, which the view specs does not have, out of the rows.
void take_named_stacks(FoundSpecs& found, std::size_t most) {
    found.builds.columns.resize(found.builds.columns.size() - 2);
    for (auto& row : found.builds.rows) {
        found.spec_ids.push_back(integer(row.back()));
        row.pop_back();
        if (found.stacks.size() < most) {
            found.stacks.push_back(row.back());
        }
        row.pop_back();
    }
}

void shorten_hashes(SQLite::Database& database, FoundSpecs& found, std::size_t most) {
    const std::size_t column = column_of(found.builds, "hash");
    HashShortener shortener(database);
    for (std::size_t row = 0; row < std::min(most, found.builds.rows.size()); ++row) {
        found.short_hashes.push_back(shortener.shorten(to_text(found.builds.rows[row][column])));
    }
}

constexpr std::size_t most_nearest = 5;
constexpr std::size_t most_stacks_said = 5;

/// Those that differ in the same way are one row.
ResultTable to_table(SQLite::Database& database, const std::vector<NearSpec>& near) {
    ResultTable table{{"differs", "builds", "hash"}, {}};
    HashShortener shortener(database);
    for (const NearSpec& one : near) {
        const Value words = one.difference.words.empty()
                                ? std::string("nothing but the hash")
                                : fmt::format("{}", fmt::join(one.difference.words, "; "));
        const auto known =
            std::ranges::find_if(table.rows, [&](const auto& row) { return row[0] == words; });
        if (known != table.rows.end()) {
            ++std::get<std::int64_t>((*known)[1]);
        } else if (table.rows.size() < most_nearest) {
            table.rows.push_back({words, std::int64_t{1}, shortener.shorten(one.spec.hash)});
        }
    }
    return table;
}

/// The stacks of builds that match, the most builds first: "e4s (12), ml (3)".
std::string stacks_of(const SQLite::Database& database, const Snapshot& snapshot,
                      const std::vector<std::int64_t>& specs) {
    const auto counted =
        rows<std::optional<std::string>, std::int64_t>(
            database,
            "SELECT t.stack, count(*) AS builds FROM present_specs p "
            "LEFT JOIN stack_set_stacks t USING (stack_set_id) WHERE p.snapshot = ? AND p.spec_id "
            "IN (SELECT value FROM json_each(?)) AND t.stack IS NOT 'root' "
            "GROUP BY t.stack ORDER BY builds DESC, t.stack",
            snapshot.name, fmt::format("[{}]", fmt::join(specs, ",")))
            .to<std::vector<std::pair<std::optional<std::string>, std::int64_t>>>();
    std::vector<std::string> said;
    for (const auto& [stack, builds] : counted) {
        if (said.size() == most_stacks_said) {
            said.push_back(fmt::format("{} more", counted.size() - most_stacks_said));
            break;
        }
        said.push_back(fmt::format("{} ({})", stack.value_or("not known"), builds));
    }
    return fmt::format("{}", fmt::join(said, ", "));
}

/// One spec of the ledger with the hash that is asked, or its beginning, of a package that matches
/// `packages`; nullopt if there is none.
std::optional<SpecWords> words_of_hash(SQLite::Database& database, const std::string& hash,
                                       const std::string& packages) {
    const auto spec_id = only_value<std::optional<std::int64_t>>(
        database,
        "SELECT min(spec_id) FROM hash_names JOIN spec USING (spec_id) JOIN look USING (look_id) "
        "JOIN package k USING (package_id) WHERE hash_names.name >= ? AND hash_names.name < ? "
        "AND k.name GLOB ?",
        hash, end_of_hashes(hash), packages);
    return spec_id ? std::optional(SpecReader(database).read(*spec_id)) : std::nullopt;
}

std::string spec_text(const SpecWords& spec) {
    return spec.version ? fmt::format("{}@{}", spec.package, *spec.version) : spec.package;
}

void explain_hash(SQLite::Database& database, const Snapshot& snapshot, const AskedSpecs& asked,
                  FoundSpecs& found) {
    const std::string& hash = asked.query.hash;
    const auto known = words_of_hash(database, hash, asked.packages);
    if (!known) {
        found.remarks.push_back(
            fmt::format("No spec of {} has a hash that begins with {}.",
                        asked.packages == "*" ? "the ledger"
                                              : fmt::format("a package like '{}'", asked.packages),
                        hash));
        return;
    }
    found.remarks.push_back(
        fmt::format("/{} is {}, which {} does not have ('history /{}' tells "
                    "where it is).",
                    hash, spec_text(*known), snapshot.name, hash));
    auto near =
        nearest_specs(database, snapshot.id, *known, std::numeric_limits<std::size_t>::max());
    for (NearSpec& one : near) {
        if (one.difference.words.empty()) {
            const auto words = words_of_other_builds(database, known->hash, one.spec.hash);
            if (!words.empty()) {
                one.difference.words.push_back(words);
            }
        }
    }
    found.nearest = to_table(database, near);
}

}  // namespace

FoundSpecs find_specs(SQLite::Database& database, const Snapshot& snapshot,
                      const AskedSpecs& asked) {
    const SpecQuery& query = asked.query;
    if (query.package) {
        refuse_unknown_name(database, NameKind::package, *query.package);
    }
    refuse_unknown_targets(query);
    FoundSpecs found;
    found.snapshot = snapshot.name;
    found.asked = asked_words(asked);
    MatchingSpecs matching;
    Value specs;
    if (!asks_everything(query)) {
        matching = matching_specs(database, snapshot.id, query, asked.packages);
        specs = fmt::format("[{}]", fmt::join(matching.specs, ","));
    }
    const Arguments arguments = arguments_for(snapshot, asked, specs);
    const bool is_narrow = query.package || !query.hash.empty();
    const std::size_t most = asked.is_for_table && is_narrow ? all_rows : asked.most;
    found.builds = read_builds(database, arguments, most);
    if (found.builds.rows.size() < most) {
        found.all = std::ssize(found.builds.rows);
        found.external = external_among(found.builds);
    } else {
        count_all(database, arguments, found);
    }
    take_named_stacks(found, asked.most);
    if (asked.is_for_table) {
        shorten_hashes(database, found, asked.most);
    }
    found.remarks = about_build_hash(database, query);
    if (const auto unknown = words_of_unknown(database, query, matching.unknown)) {
        found.remarks.push_back(*unknown + ".");
    }
    if (found.all == 0) {
        explain_no_match(database, snapshot, asked, matching, found);
    }
    return found;
}

FoundSpecs find_specs(SQLite::Database& database, const std::vector<Snapshot>& caches,
                      const AskedSpecs& asked) {
    if (caches.size() == 1) {
        return find_specs(database, caches.front(), asked);
    }
    AskedSpecs all = asked;
    all.most = all_rows;
    FoundSpecs found;
    std::vector<std::string> names;
    std::unordered_map<std::string, std::size_t> places;  // of each build, by hash
    for (const Snapshot& cache : caches) {
        FoundSpecs one = find_specs(database, cache, all);
        const std::size_t hash = column_of(one.builds, "hash");
        if (names.empty() || (found.all == 0 && one.all > 0)) {  // else there is nothing nearer
            found = one;
            found.builds.columns.emplace_back("caches");
            found.builds.rows.clear();
            found.stacks.clear();
            found.short_hashes.clear();
        }
        names.push_back(cache.name);
        for (std::size_t i = 0; i < one.builds.rows.size(); ++i) {
            auto& row = one.builds.rows[i];
            const auto [place, is_new] =
                places.emplace(to_text(row[hash]), found.builds.rows.size());
            if (!is_new) {
                Value& in = found.builds.rows[place->second].back();
                in = to_text(in) + "," + cache.name;
                continue;
            }
            row.emplace_back(cache.name);
            found.builds.rows.push_back(std::move(row));
            found.stacks.push_back(std::move(one.stacks[i]));
            if (asked.is_for_table) {
                found.short_hashes.push_back(std::move(one.short_hashes[i]));
            }
        }
        found.all = std::ssize(found.builds.rows);
        found.external = external_among(found.builds);
    }
    found.snapshot = fmt::format("{}", fmt::join(names, ", "));
    const std::size_t shown = std::min(asked.most, found.builds.rows.size());
    found.stacks.resize(shown);
    if (asked.is_for_table) {
        found.short_hashes.resize(shown);
    } else {
        found.builds.rows.resize(shown);
    }
    return found;
}

void explain_no_match(SQLite::Database& database, const Snapshot& snapshot, const AskedSpecs& asked,
                      const MatchingSpecs& matching, FoundSpecs& found) {
    FormerSpecs former(database, snapshot.id);
    former.ask(asked.typed, asked.query, "this", asked.packages);
    if (auto remark = former.remark()) {
        found.remarks.push_back(*std::move(remark));
    }
    const auto& elsewhere = matching.specs;
    const bool is_undecided = !matching.unknown.empty();
    const SpecQuery& query = asked.query;
    if (!elsewhere.empty()) {
        found.remarks.push_back(fmt::format(
            "{} in other stacks: {}.",
            counted(std::ssize(elsewhere), "build that matches is", "builds that match are"),
            stacks_of(database, snapshot, elsewhere)));
    } else if (asks_only_hash(query)) {
        explain_hash(database, snapshot, asked, found);
    } else if (query.package && !is_undecided) {
        found.nearest = to_table(database, nearest_specs(database, snapshot.id, query,
                                                         std::numeric_limits<std::size_t>::max()));
        if (const auto note =
                note_on_absent_package(ask_names_of(database), {snapshot.name}, *query.package)) {
            found.remarks.push_back(*note + ".");
        }
    }
}

}  // namespace cacheledger
