#include "schema/ledger/wishes/judge_wishes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/wishes/package_wishes.hpp"
#include "schema/specs/constraints/target_set.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

/// Up to where something was judged, and what may change answers that were given.
struct Judgement {
    std::int64_t wish_id = 0;
    std::int64_t spec_id = 0;
    std::int64_t nodes = 0;       // among these specs
    std::int64_t edge_kinds = 0;  // that the ledger has

    bool operator==(const Judgement&) const = default;
};

Judgement judgement_of(SQLite::Database& database) {
    for (const auto& [wish_id, spec_id, nodes, edge_kinds] :
         rows<std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
             database, "SELECT wish_id, spec_id, nodes, edge_kinds FROM wish_judgement")) {
        return {wish_id, spec_id, nodes, edge_kinds};
    }
    throw DatabaseError("wish_judgement: expected one row, found none");
}

void write_judgement(SQLite::Database& database, const Judgement& judged) {
    execute(database,
            "UPDATE wish_judgement SET wish_id = ?, spec_id = ?, nodes = ?, edge_kinds = ?",
            judged.wish_id, judged.spec_id, judged.nodes, judged.edge_kinds);
}

std::int64_t last_spec(SQLite::Database& database) {
    return only_value<std::int64_t>(database, "SELECT ifnull(max(spec_id), 0) FROM spec");
}

std::int64_t nodes_up_to(SQLite::Database& database, std::int64_t spec_id) {
    return only_value<std::int64_t>(database, "SELECT count(*) FROM node WHERE spec_id <= ?",
                                    spec_id);
}

Judgement everything_of(SQLite::Database& database) {
    const std::int64_t spec_id = last_spec(database);
    return {only_value<std::int64_t>(database, "SELECT ifnull(max(wish_id), 0) FROM wish"), spec_id,
            nodes_up_to(database, spec_id),
            only_value<std::int64_t>(database, "SELECT count(*) FROM edge_kind")};
}

/// A wish of the ledger.
struct StoredWish {
    std::int64_t id = 0;
    Wish wish;
};
using WishesByPackage = std::map<std::optional<std::string>, std::vector<StoredWish>>;

/// The wishes behind `after` and up to `to`. One that names a hash stands apart, without a package.
WishesByPackage read_wishes(SQLite::Database& database, std::int64_t after, std::int64_t to) {
    WishesByPackage wishes;
    for (auto&& [id, spec, conditions] : rows<std::int64_t, std::string, std::string>(
             database,
             "SELECT wish_id, spec, conditions FROM wish WHERE wish_id > ? AND wish_id <= ?", after,
             to)) {
        StoredWish one{id, {}};
        one.wish.spec = std::move(spec);
        try {
            one.wish.query = parse_spec(one.wish.spec);
            one.wish.conditions = parse_conditions(conditions);
        } catch (const std::invalid_argument& error) {
            throw DatabaseError(fmt::format("wish '{}': {}", one.wish.spec, error.what()));
        }
        const auto& query = one.wish.query;
        const auto key = query.hash.empty() ? query.package : std::nullopt;
        wishes[key].push_back(std::move(one));
    }
    return wishes;
}

/// Judges wishes, and writes what meets them.
class WishJudge {
  public:
    explicit WishJudge(SQLite::Database& database)
        : database_(database),
          memory_(database),
          look_(database, "SELECT look_id FROM spec WHERE spec_id = ?"),
          insert_(database, "INSERT INTO wish_spec VALUES (?, ?, ?, ?)") {}

    /// With the specs behind `after`.
    void judge(const WishesByPackage& wishes, std::int64_t after) {
        for (const auto& [package, of_package] : wishes) {
            if (!package) {
                for (const StoredWish& one : of_package) {
                    write(one, those_with_hash(one.wish, after));
                }
                continue;
            }
            std::vector<SpecAndLook> specs;
            for (const SpecAndLook& spec : memory_.of_package(*package)) {
                if (spec.spec_id > after) {
                    specs.push_back(spec);
                }
            }
            if (specs.empty()) {
                continue;
            }
            PackageWishes asked(database_, package, std::move(specs), memory_);
            for (const StoredWish& one : of_package) {
                write(one, asked.that_meet(one.wish));
            }
        }
    }

  private:
    std::vector<MetBy> those_with_hash(const Wish& wish, std::int64_t after) {
        std::vector<SpecAndLook> specs;
        const MatchingSpecs found = matching_specs(database_, wish.query);
        for (const auto* ids : {&found.specs, &found.unknown}) {
            for (const std::int64_t spec_id : *ids) {
                const auto look = spec_id > after ? look_(spec_id).first() : std::nullopt;
                if (look) {
                    specs.push_back({spec_id, *look});
                }
            }
        }
        return specs_that_meet(database_, wish, specs, memory_);
    }

    void write(const StoredWish& wish, const std::vector<MetBy>& met) {
        for (const MetBy& one : met) {
            insert_(wish.id, one.spec_id, one.is_sure, one.is_preferred);
        }
    }

    SQLite::Database& database_;
    SearchMemory memory_;
    Select<std::int64_t> look_;
    Write insert_;
};

// Whether answers that were given may be others by now: a spec that was known from a page has
// dependencies, or dependencies have names that nobody knew ("mpi").
bool may_differ(SQLite::Database& database, const Judgement& before, const Judgement& all) {
    return before.wish_id > all.wish_id || before.edge_kinds != all.edge_kinds ||
           before.nodes != nodes_up_to(database, before.spec_id);
}

}  // namespace

void judge_wishes(SQLite::Database& database) {
    if (!only_value<bool>(database, "SELECT EXISTS (SELECT 1 FROM wish)")) {
        return;
    }
    learn_targets(database);  // those that came in this transaction
    Judgement before = judgement_of(database);
    const Judgement all = everything_of(database);
    if (all == before) {
        return;  // a row that is written makes another state of the ledger
    }
    if (may_differ(database, before, all)) {
        database.exec("DELETE FROM wish_spec");
        before = {};
    }
    WishJudge judge(database);
    if (all.wish_id > before.wish_id) {
        judge.judge(read_wishes(database, before.wish_id, all.wish_id), 0);
    }
    if (all.spec_id > before.spec_id && before.wish_id > 0) {
        judge.judge(read_wishes(database, 0, before.wish_id), before.spec_id);
    }
    write_judgement(database, all);
}

void forget_judged_specs(SQLite::Database& database) {
    database.exec(
        "DELETE FROM wish_spec WHERE spec_id IN (SELECT DISTINCT spec_id FROM wish_spec w "
        "WHERE NOT EXISTS (SELECT 1 FROM spec x WHERE x.spec_id = w.spec_id))");
    const Judgement before = judgement_of(database);
    Judgement judged = before;
    judged.spec_id = std::min(judged.spec_id, last_spec(database));
    judged.nodes = nodes_up_to(database, judged.spec_id);
    if (judged != before) {
        write_judgement(database, judged);
    }
}

}  // namespace cacheledger
