#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/timeline/timeline.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace seen_before_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
using Lines = std::vector<std::string>;

namespace {

/// app links curl, which links zlib; tool is never in the cache.
class Past {
  public:
    Past() {
        ledger_.add({"zlib", "zlib"});
        ledger_.add({"tool", "tool"});
        ledger_.add({"curl", "curl", {{"zlib"}}});
        ledger_.add({"app", "app", {{"curl"}, {"tool", "run"}}});
        ledger_.take({{"zlib"}, {"zlib", "curl", "app"}, {"zlib", "app"}, {"zlib", "app"}});
        ledger_.take_lock({"zlib", "tool", "curl", "app"}, {"app"});
    }

    SQLite::Database& database() { return ledger_.database(); }
    WantedGraph wanted() {
        return wanted_of_snapshot(database(), find_snapshot(database(), "lock@0"));
    }
    Coverage cover(const std::string& snapshot) {
        return cover_graph(database(), find_snapshot(database(), snapshot), wanted());
    }
    Coverage cover_text(const std::string& list, const std::string& snapshot) {
        return cover_list(database(), find_snapshot(database(), snapshot), "list",
                          read_spec_list(list, "list"));
    }

  private:
    GraphLedger ledger_;
};

/// "curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)".
Lines seen(const Coverage& coverage) {
    Lines lines;
    const auto value = [&](const std::vector<Value>& row, const char* column) {
        const Value& found = row[column_of(coverage.missing, column)];
        return is_null(found) ? std::string("-") : to_text(found);
    };
    for (const auto& row : coverage.missing.rows) {
        lines.push_back(fmt::format("{}: {} ({} {}, now in {})", value(row, "package"),
                                    value(row, "seen"), value(row, "where"),
                                    value(row, "last_seen"), value(row, "now_in")));
    }
    return lines;
}

}  // namespace

TEST_CASE("What is missing has a past: when it was last there, or that it was never seen") {
    Past past;
    const Coverage coverage = past.cover("develop@3");
    CHECK(seen(coverage) ==
          Lines{"curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)",
                "tool: never seen (- -, now in -)"});
    CHECK(coverage.past ==
          "Of what must be built, 1 was in another snapshot and 1 was never seen.");
    CHECK(coverage.better == "develop@1 has more: 3 of 4 binaries.");
}

TEST_CASE("What an older snapshot lacks may be there now") {
    Past past;
    const Coverage coverage = past.cover("develop@0");
    CHECK(seen(coverage)[0] ==
          "curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)");
    CHECK(seen(coverage)[2] ==
          "app: now in develop (develop@3 1970-01-01T00:00:03Z, now in develop)");
    CHECK(
        coverage.past ==
        "Of what must be built, 1 is in another snapshot now, 1 was in another snapshot and 1 was "
        "never seen.");
}

TEST_CASE("Lines of a list have a past, too, and hashes are compared with all snapshots") {
    Past past;
    const Coverage coverage = past.cover_text("zlib\ncurl@1.0\ntool\ncurl@2:\n", "develop@3");
    CHECK(seen(coverage) ==
          Lines{"curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)",
                "tool: never seen (- -, now in -)", "curl: never seen (- -, now in -)"});
    CHECK(coverage.past == "Of what is missing, 1 was in another snapshot and 2 were never seen.");
    const auto hash = std::get<std::string>(past.cover("develop@3").missing.rows[0][1]);
    const Coverage of_hash = past.cover_text("/" + hash + "\n", "develop@3");
    CHECK(of_hash.past == "What is missing was in develop until 1970-01-01.");
    CHECK(of_hash.better == "develop@1 has all 1 binary.");
}

TEST_CASE("A ledger with one snapshot tells no past") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"curl", "curl", {{"zlib"}}});
    ledger.take({{"zlib"}});
    ledger.take_lock({"zlib", "curl"}, {"curl"});
    auto& database = ledger.database();
    const Coverage coverage =
        cover_graph(database, find_snapshot(database, "develop@0"),
                    wanted_of_snapshot(database, find_snapshot(database, "lock@0")));
    CHECK_FALSE(coverage.past);
    CHECK(coverage.missing.columns.back() == "differs");
}

TEST_CASE("Snapshots are compared, the best first") {
    Past past;
    const EachSnapshot each =
        cover_each(past.database(), "develop", {"spack.lock", past.wanted(), {}});
    Lines lines;
    for (const EachSnapshot::One& one : each.snapshots) {
        lines.push_back(fmt::format("{} {}/{} {}", one.snapshot, one.runtime.covered,
                                    one.runtime.specs, one.to_build.value()));
    }
    CHECK(lines ==
          Lines{"develop@1 3/4 1", "develop@3 2/4 2", "develop@2 2/4 2", "develop@0 1/4 3"});
    for (const EachSnapshot::One& one : each.snapshots) {  // the long way
        const Coverage coverage = past.cover(one.snapshot);
        CHECK(coverage.runtime.covered == one.runtime.covered);
        CHECK(std::ssize(coverage.to_build.rows) == one.to_build);
    }
}

TEST_CASE("Lines of lists and lock files are one in a comparison of snapshots") {
    Past past;
    const SpecList list = read_spec_list("zlib\ncurl\n", "list");
    const EachSnapshot each =
        cover_each(past.database(), "develop@[01]", {"2 files", past.wanted(), list.specs});
    REQUIRE(each.snapshots.size() == 2);
    CHECK(each.snapshots[0].runtime.covered == 5);
    CHECK(each.snapshots[0].runtime.specs == 6);
    CHECK(each.snapshots[1].to_build == 3);
    CHECK_THROWS_WITH(cover_each(past.database(), "lock*", {"x", past.wanted(), {}}),
                      ContainsSubstring("no snapshot of a cache matches"));
}

TEST_CASE("A spec is found in all series, caches and lock files alike") {
    Past past;
    const auto told = [&](const std::string& spec, const std::string& pattern) {
        Lines lines;
        for (const auto& one : where_used(past.database(), parse_spec(spec), pattern).series) {
            lines.push_back(fmt::format("{} {} {}/{} {}", one.series, one.kind, one.builds, one.all,
                                        one.last.name));
        }
        return lines;
    };
    CHECK(told("curl", "*") == Lines{"lock lock 1/1 lock@0", "develop index 0/1 develop@1"});
    CHECK(told("zlib", "dev*") == Lines{"develop index 1/1 develop@3"});
    CHECK(told("tool", "develop").empty());
    CHECK_THROWS_WITH(told("curl", "x*"), ContainsSubstring("no series matches"));
    CHECK_THROWS_AS(told("curly", "*"), UsageError);
}

}  // namespace seen_before_test
