#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "reports/engine/catalog/absent_package.hpp"
#include "reports/engine/catalog/former_specs.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/questions/specs/found_specs.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/search/look_answers.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

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
        found.remarks.push_back(
            fmt::format("{} in other stacks: {}.",
                        counted(static_cast<std::int64_t>(elsewhere.size()),
                                "build that matches is", "builds that match are"),
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
