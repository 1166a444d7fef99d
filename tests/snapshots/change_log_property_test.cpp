#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "ingest/stored/commit_log.hpp"
#include "schema/check/check.hpp"
#include "schema/sqlite/statement.hpp"
#include "schema/transactions/change_log.hpp"
#include "schema/transactions/write_transaction.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_fixture.hpp"

// Whether the log of what was written names all that differs from a copy
// (schema/transactions/change_log.hpp).
using namespace cacheledger;

namespace {

/// A table, and the row that its rows belong to: themselves, if they have ids.
struct Owned {
    std::string table;
    std::string owner;
    std::string column;
};

/// A table of intervals: what names a thing, beside the series.
struct Intervals {
    std::string table;
    std::string thing;
    std::string spec;  ///< the id that `changed_range` may name
};

const std::vector<Owned> owned_tables = {
    {"package", "package", "package_id"},
    {"version", "version", "version_id"},
    {"arch", "arch", "arch_id"},
    {"compiler", "compiler", "compiler_id"},
    {"variant", "variant", "variant_id"},
    {"variant_set", "variant_set", "variant_set_id"},
    {"variant_set_member", "variant_set", "variant_set_id"},
    {"stack", "stack", "stack_id"},
    {"stack_set", "stack_set", "stack_set_id"},
    {"stack_set_member", "stack_set", "stack_set_id"},
    {"look", "look", "look_id"},
    {"spec", "spec", "spec_id"},
    {"series", "series", "series_id"},
    {"snapshot", "snapshot", "snapshot_id"},
    {"observation_exception", "snapshot", "snapshot_id"},
    {"snapshot_file", "snapshot", "snapshot_id"},
    {"unobserved_stack", "snapshot", "snapshot_id"},
    {"commit_snapshot", "snapshot", "snapshot_id"},
    {"page", "page", "page_id"},
    {"finding", "finding", "finding_id"},
    {"recipe", "recipe", "recipe_id"},
    {"target_definition", "target_definition", "target_definition_id"},
    {"edge_kind", "edge_kind", "edge_kind_id"},
    {"spec_build_hash", "spec_build_hash", "spec_build_hash_id"},
    {"node", "node", "spec_id"},
    {"dependency", "node", "spec_id"},
};
const std::vector<Intervals> interval_tables = {
    {"presence", "package_id || ' ' || look_id || ' ' || spec_id", "spec_id"},
    {"page_presence", "package_id", "0"},
    {"root_presence", "environment || ' ' || root || ' ' || number", "0"},
};

struct Interval {
    std::int64_t series_id = 0;
    std::int64_t spec_id = 0;
    std::set<std::int64_t> ends;
    std::string row;
    bool operator==(const Interval&) const = default;
};

using OwnedRows = std::map<std::pair<std::string, std::int64_t>, std::vector<std::string>>;
using IntervalRows = std::map<std::pair<std::string, std::string>, std::vector<Interval>>;

/// All rows of a ledger at one time.
struct Copy {
    std::int64_t written_id = 0;
    OwnedRows owned;         ///< by table and owner
    IntervalRows intervals;  ///< by table and thing
    std::map<std::string, std::int64_t> greatest;
};

// The row as text, all columns.
std::string row_text(SQLite::Statement& query) {
    std::string text;
    for (int i = 0; i < query.getColumnCount(); ++i) {
        const SQLite::Column column = query.getColumn(i);
        text += column.isNull() ? "NULL|" : column.getString() + "|";
    }
    return text;
}

Copy copy_of(SQLite::Database& database) {
    Copy copy;
    copy.written_id = newest_written(database);
    for (const auto& [table, owner, column] : owned_tables) {
        SQLite::Statement query(database,
                                fmt::format("SELECT {}, * FROM {} ORDER BY 1", column, table));
        while (query.executeStep()) {
            const std::int64_t id = query.getColumn(0).getInt64();
            copy.owned[{table, id}].push_back(row_text(query));
            if (table == owner) {
                copy.greatest[table] = id;
            }
        }
    }
    for (const auto& [table, thing, spec] : interval_tables) {
        SQLite::Statement query(
            database, fmt::format("SELECT series_id || ' ' || {}, {}, series_id, valid_from, "
                                  "ifnull(valid_to, -1), * FROM {}",
                                  thing, spec, table));
        while (query.executeStep()) {
            const auto column = [&](int i) { return query.getColumn(i).getInt64(); };
            copy.intervals[{table, query.getColumn(0).getString()}].push_back(
                {column(2), column(1), {column(3), column(4)}, row_text(query)});
        }
    }
    return copy;
}

/// What the log says changed since a row of `written`.
class Told {
  public:
    Told(SQLite::Database& database, std::int64_t since) {
        list_changed_rows(database, since);
        SQLite::Statement rows(database, "SELECT table_name, row_id FROM temp.changed_row");
        while (rows.executeStep()) {
            rows_.emplace(rows.getColumn(0).getString(), rows.getColumn(1).getInt64());
        }
        SQLite::Statement moments(
            database,
            "SELECT series_id, taken_at FROM written WHERE written_id > ? AND what <> 'filled'");
        rebind(moments, since);
        while (moments.executeStep()) {
            moments_.emplace(moments.getColumn(0).getInt64(), moments.getColumn(1).getInt64());
        }
    }

    bool has(const std::string& table, std::int64_t id) const {
        return rows_.contains({table, id});
    }
    bool has(const std::string& table, const Interval& interval) const {
        return has(table, interval.spec_id) ||
               std::ranges::any_of(interval.ends, [&](std::int64_t moment) {
                   return moments_.contains({interval.series_id, moment});
               });
    }

  private:
    std::set<std::pair<std::string, std::int64_t>> rows_;
    std::set<std::pair<std::int64_t, std::int64_t>> moments_;
};

// The keys of `a` and `b` under which they have other rows.
template <typename Rows>
std::vector<typename Rows::key_type> differences(const Rows& a, const Rows& b) {
    std::vector<typename Rows::key_type> keys;
    const auto compare = [&](const Rows& left, const Rows& right) {
        for (const auto& [key, rows] : left) {
            const auto found = right.find(key);
            if (found == right.end() || found->second != rows) {
                keys.push_back(key);
            }
        }
    };
    compare(a, b);
    compare(b, a);
    return keys;
}

template <typename Rows>
typename Rows::mapped_type at(const Rows& rows, const typename Rows::key_type& key) {
    const auto found = rows.find(key);
    return found == rows.end() ? typename Rows::mapped_type() : found->second;
}

std::string owner_of(const std::string& table) {
    return std::ranges::find(owned_tables, table, &Owned::table)->owner;
}

// What differs from the copy, and the log does not say so.
std::vector<std::string> untold(const Copy& copy, const Copy& now, SQLite::Database& database) {
    std::vector<std::string> lines;
    const Told told(database, copy.written_id);
    const bool is_same = now.written_id == copy.written_id;
    for (const auto& key : differences(copy.owned, now.owned)) {
        const auto& [table, id] = key;
        const std::string owner = owner_of(table);
        const auto greatest = copy.greatest.find(owner);
        const bool is_new = greatest == copy.greatest.end() || id > greatest->second;
        if (is_same || (!is_new && !told.has(owner, id))) {
            lines.push_back(
                fmt::format("{} {}: {} -> {}", table, id, at(copy.owned, key), at(now.owned, key)));
        }
    }
    for (const auto& key : differences(copy.intervals, now.intervals)) {
        std::vector<Interval> both = at(copy.intervals, key);
        const std::vector<Interval> later = at(now.intervals, key);
        both.insert(both.end(), later.begin(), later.end());
        if (is_same || std::ranges::none_of(both, [&](const Interval& interval) {
                return told.has(key.first, interval);
            })) {
            std::string rows;
            for (const Interval& interval : both) {
                rows += " " + interval.row;
            }
            lines.push_back(fmt::format("{} {}:{}", key.first, key.second, rows));
        }
    }
    return lines;
}

/// A ledger to which anything happens.
class Life {
  public:
    explicit Life(unsigned seed) : random_(seed) {}

    void step() {
        const int what = below(20);
        const auto names = ledger_.rows("SELECT name FROM snapshots");
        if (what < 4 && !names.empty()) {
            const std::string name =
                names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
            told_.push_back("forget " + name);
            forget(ledger_.database(), name);
        } else if (what == 4 && maybe()) {
            told_.push_back("keep the newest two");
            keep_newest(ledger_.database(), 2);
        } else if (what == 4) {
            told_.push_back("keep the newest of two days of each group");
            forget(ledger_.database(), {.daily = 2}, {}, [](std::size_t, std::size_t) {});
        } else if (what == 5 && !names.empty()) {
            log_commit();
        } else if (what < 12) {
            take_pages();
        } else {
            take_graph();
        }
    }

    SQLite::Database& database() { return ledger_.database(); }
    std::string told() const { return fmt::format("{}", fmt::join(told_, "\n")); }
    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

  private:
    bool maybe() { return below(2) == 0; }
    std::string day() { return fmt::format("2025-03-{:02}", 1 + below(7)); }

    template <typename Value>
    Value any(const std::vector<Value>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    std::string hash(int number) {
        return hash_of(std::string("h") + static_cast<char>('a' + number));
    }
    static std::string package(int number) { return fmt::format("p{}", number % 3); }
    std::string version(int number) {
        return fmt::format("1.{}", number + (below(9) == 0 ? 1 : 0));
    }
    std::vector<std::string> stacks() {
        return any<std::vector<std::string>>({{"e4s", "root"}, {"ml"}, {"e4s", "ml"}, {"root"}});
    }
    std::vector<std::string> variants(int number) {
        return number % 2 == 0
                   ? std::vector<std::string>{"+pic"}
                   : std::vector<std::string>{"libs=shared,static", fmt::format("n={}", number)};
    }
    static std::string compiler(int number) {
        return number % 4 == 0 ? "gcc@14.1.0" : "gcc@13.2.0";
    }

    // What was given before, if it is not to be made.
    template <typename Given, typename Make>
    Given again_or(std::map<std::string, Given>& before, const std::string& key, Make make) {
        const auto found = before.find(key);
        if (found != before.end() && below(3) == 0) {
            told_.push_back("again: ");
            return found->second;
        }
        return before[key] = make();
    }

    template <typename Load>
    void load(const std::string& what, Load take) {
        told_.push_back(what);
        try {
            take();
        } catch (const std::exception& error) {  // a refusal: nothing is written
            told_.back() += fmt::format(" (refused: {})", error.what());
        }
    }

    void take_pages() {
        const std::string moment = day();
        const std::string tag = maybe() ? "develop" : "develop-" + moment;
        const auto pages = again_or(pages_, tag + moment, [&] {
            std::map<std::string, PrintedPage> made;
            for (int number = 0; number < 12; ++number) {
                if (below(3) == 0) {
                    continue;
                }
                PrintedPage& page = made[package(number)];
                page.package = package(number);
                page.tag = tag;
                page.specs.push_back({.hash = hash(number),
                                      .version = version(number),
                                      .compiler = maybe() ? "none" : compiler(number),
                                      .variants = variants(number),
                                      .stacks = stacks(),
                                      .more = below(4) == 0 ? R"(, "size": "7")" : ""});
            }
            std::vector<PrintedPage> all;
            for (const auto& [name, page] : made) {
                if (all.empty() || below(5) > 0) {
                    all.push_back(page);
                }
            }
            return all;
        });
        IngestOptions options;
        options.partial = below(4) == 0;
        options.replace = maybe();
        options.if_changed = maybe();
        options.keep_going = true;
        load(fmt::format("pages {} {}, partial {}, replace {}, if changed {}", tag, moment,
                         options.partial, options.replace, options.if_changed),
             [&] {
                 if (!pages.empty()) {
                     ledger_.take(moment, pages, options);
                 }
             });
    }

    MadeNode node(int number) {
        MadeNode node{package(number), hash(number)};
        const bool virtuals = maybe();
        for (int child = number % 2; child < number; child += 3) {
            node.edges.push_back({package(child), hash(child), child == 0 ? dep_build : dep_link,
                                  virtuals ? std::optional<std::string>("c") : std::nullopt});
        }
        if (maybe()) {
            node.recipe.package_hash = std::nullopt;
        }
        node.version = version(number);
        node.variants = variants(number);
        node.compiler = maybe() ? "none" : compiler(number);
        node.features = below(3) == 0 ? std::optional<std::string>("avx") : std::nullopt;
        node.text = fmt::format("{}", below(4));
        return node;
    }

    MadeInput any_input(bool is_lock) {
        MadeInput input;
        input.tag = is_lock ? "casper" : "develop";
        MadeFile lock{"", {}, GraphKind::lock};
        std::map<std::string, MadeFile> files;
        for (int number = 0; number < 12; ++number) {
            if (below(4) == 0) {
                continue;
            }
            input.nodes.push_back(node(number));
            if (maybe()) {
                lock.present.push_back(hash(number));
                if (maybe()) {
                    lock.roots.emplace_back(any<std::string>({"one", "other"}), hash(number));
                }
                for (const std::string& label : stacks()) {
                    files[label].label = label;
                    files[label].present.push_back(hash(number));
                }
            }
        }
        if (is_lock) {
            input.files = {lock};
            return input;
        }
        if (below(3) == 0) {
            files.erase("ml");
            input.unread.push_back({"ml"});
        }
        files["e4s"].label = "e4s";
        for (const auto& [label, file] : files) {
            input.files.push_back(file);
        }
        return input;
    }

    void take_graph() {
        const bool is_lock = below(3) == 0;
        const std::string moment = day();
        const MadeInput made = again_or(inputs_, (is_lock ? "lock" : "index") + moment,
                                        [&] { return any_input(is_lock); });
        IngestOptions options;
        options.taken_at = parse_moment(moment).value();
        options.keep_going = true;
        options.replace = maybe();
        options.if_changed = maybe();
        const bool has_sizes = below(3) == 0;
        const bool has_files = maybe();
        load(fmt::format("{} {}, replace {}, if changed {}, sizes {}", is_lock ? "lock" : "index",
                         moment, options.replace, options.if_changed, has_sizes),
             [&] {
                 load_graph(ledger_, options, [&](Intake&) {
                     GraphInput input = make_input(made);
                     for (int number = 0; has_sizes && number < 12; number += 2) {
                         input.sizes.push_back(
                             {dag_hash(hash(number)), static_cast<std::uint64_t>(5 + below(3))});
                     }
                     for (GraphSource& file : input.files) {
                         file.sha256 = has_files ? std::string(64, 'a') : "";
                     }
                     return input;
                 });
             });
    }

    void log_commit() {
        told_.push_back("note a commit");
        WriteTransaction transaction(ledger_.database());
        const auto snapshots = ledger_.rows("SELECT snapshot_id FROM snapshot");
        const std::int64_t snapshot_id = std::stoll(any(snapshots));
        Digest commit{};
        commit[0] = static_cast<std::uint8_t>(below(3));
        SQLite::Statement tag(ledger_.database(), "SELECT tag FROM snapshot WHERE snapshot_id = ?");
        rebind(tag, snapshot_id);
        tag.executeStep();
        CommitLog(ledger_.database())
            .add(commit, "", {{tag.getColumn(0).getString(), {snapshot_id}}}, 9);
        transaction.commit();
    }

    std::mt19937 random_;
    TempLedger ledger_;
    std::map<std::string, std::vector<PrintedPage>> pages_;
    std::map<std::string, MadeInput> inputs_;
    std::vector<std::string> told_;
};

unsigned first_seed() {
    const char* const seed = std::getenv("CACHELEDGER_FIRST_SEED");
    return seed == nullptr ? 1U : static_cast<unsigned>(std::stoul(seed));
}

// More seeds from the environment: CACHELEDGER_SEEDS=1000.
unsigned seeds() {
    const char* const number = std::getenv("CACHELEDGER_SEEDS");
    return number == nullptr ? 8U : static_cast<unsigned>(std::stoul(number));
}

}  // namespace

TEST_CASE("What differs from any copy is named by the log, whatever happens to a ledger") {
    for (unsigned seed = first_seed(); seed < first_seed() + seeds(); ++seed) {
        Life life(seed);
        std::vector<Copy> copies = {copy_of(life.database())};
        for (int step = 0; step < 25; ++step) {
            life.step();
            const Copy now = copy_of(life.database());
            INFO("seed " << seed << ":\n" << life.told());
            for (const Copy& copy : copies) {
                INFO("since " << copy.written_id);
                REQUIRE(untold(copy, now, life.database()) == std::vector<std::string>{});
            }
            copies.push_back(now);
        }
        INFO("seed " << seed << ":\n" << life.told());
        CHECK(find_problems(life.database(), 10) == std::vector<std::string>{});
    }
}
