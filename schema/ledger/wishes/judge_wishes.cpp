#include "schema/ledger/wishes/judge_wishes.hpp"

#include <SQLiteCpp/Statement.h>
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
#include "schema/ledger/search/search_memory.hpp"
#include "schema/ledger/wishes/package_wishes.hpp"
#include "schema/specs/constraints/target_set.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/sqlite/statements/statement.hpp"

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
    SQLite::Statement select(database,
                             "SELECT wish_id, spec_id, nodes, edge_kinds FROM wish_judgement");
    if (!select.executeStep()) {
        throw DatabaseError("wish_judgement: expected one row, found none");
    }
    return {select.getColumn(0).getInt64(), select.getColumn(1).getInt64(),
            select.getColumn(2).getInt64(), select.getColumn(3).getInt64()};
}

void write_judgement(SQLite::Database& database, const Judgement& judged) {
    SQLite::Statement update(database,
                             "UPDATE wish_judgement SET wish_id = ?, spec_id = ?, nodes = ?, "
                             "edge_kinds = ?");
    rebind(update, judged.wish_id, judged.spec_id, judged.nodes, judged.edge_kinds);
    update.exec();
}

std::int64_t number(SQLite::Database& database, const char* sql) {
    SQLite::Statement select(database, sql);
    select.executeStep();
    return select.getColumn(0).getInt64();
}

std::int64_t nodes_up_to(SQLite::Database& database, std::int64_t spec_id) {
    SQLite::Statement select(database, "SELECT count(*) FROM node WHERE spec_id <= ?");
    rebind(select, spec_id);
    select.executeStep();
    return select.getColumn(0).getInt64();
}

Judgement everything_of(SQLite::Database& database) {
    Judgement all;
    all.wish_id = number(database, "SELECT ifnull(max(wish_id), 0) FROM wish");
    all.spec_id = number(database, "SELECT ifnull(max(spec_id), 0) FROM spec");
    all.nodes = nodes_up_to(database, all.spec_id);
    all.edge_kinds = number(database, "SELECT count(*) FROM edge_kind");
    return all;
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
    SQLite::Statement select(database,
                             "SELECT wish_id, spec, conditions FROM wish "
                             "WHERE wish_id > ? AND wish_id <= ?");
    rebind(select, after, to);
    while (select.executeStep()) {
        StoredWish one{select.getColumn(0).getInt64(), {}};
        one.wish.spec = select.getColumn(1).getString();
        try {
            one.wish.query = parse_spec(one.wish.spec);
            one.wish.conditions = parse_conditions(select.getColumn(2).getString());
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
                rebind(look_, spec_id);
                if (spec_id > after && look_.executeStep()) {
                    specs.push_back({spec_id, look_.getColumn(0).getInt64()});
                }
            }
        }
        return specs_that_meet(database_, wish, specs, memory_);
    }

    void write(const StoredWish& wish, const std::vector<MetBy>& met) {
        for (const MetBy& one : met) {
            rebind(insert_, wish.id, one.spec_id, one.is_sure ? 1 : 0, one.is_preferred ? 1 : 0);
            insert_.exec();
        }
    }

    SQLite::Database& database_;
    SearchMemory memory_;
    SQLite::Statement look_, insert_;
};

// Whether answers that were given may be others by now: a spec that was known from a page has
// dependencies, or dependencies have names that nobody knew ("mpi").
bool may_differ(SQLite::Database& database, const Judgement& before, const Judgement& all) {
    return before.wish_id > all.wish_id || before.edge_kinds != all.edge_kinds ||
           before.nodes != nodes_up_to(database, before.spec_id);
}

}  // namespace

void judge_wishes(SQLite::Database& database) {
    if (number(database, "SELECT EXISTS (SELECT 1 FROM wish)") == 0) {
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
    judged.spec_id =
        std::min(judged.spec_id, number(database, "SELECT ifnull(max(spec_id), 0) FROM spec"));
    judged.nodes = nodes_up_to(database, judged.spec_id);
    if (judged != before) {
        write_judgement(database, judged);
    }
}

}  // namespace cacheledger
