#include "reports/questions/diff/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace diff_test {

using namespace cacheledger;

namespace {

using Specs = std::vector<PrintedSpec>;

const std::string before_name = "develop@2025-03-01T00:00:00Z";
const std::string after_name = "develop@2025-03-02T00:00:00Z";

/// A ledger of two snapshots, which are compared.
class Comparison {
  public:
    Comparison(const std::vector<PrintedPage>& before, const std::vector<PrintedPage>& after) {
        ledger_.take("2025-03-01", before);
        ledger_.take("2025-03-02", after);
    }

    Diff diff(const Arguments& filters = {}, const std::string& from = before_name,
              const std::string& to = after_name) {
        return compare_snapshots(ledger_.database(), catalog_, from, to, filters);
    }

    Diff part(const DiffScope& scope) {
        return compare_snapshots(ledger_.database(), catalog_, before_name, after_name, {}, scope);
    }

  private:
    TempLedger ledger_;
    Catalog catalog_;
};

std::map<std::string, std::int64_t> counts(const Diff& diff) {
    std::map<std::string, std::int64_t> counts;
    for (const KindCount& kind : diff.summary) {
        if (kind.count != 0) {
            counts[kind.kind] = kind.count;
        }
    }
    return counts;
}

std::int64_t sum(const ResultTable& table, std::size_t column) {
    std::int64_t total = 0;
    for (const auto& row : table.rows) {
        total += std::get<std::int64_t>(row.at(column));
    }
    return total;
}

/// One change of each kind.
Comparison every_kind() {
    const PrintedPage zlib_before = {"zlib",
                                     {{.hash = hash_of("b"), .version = "1"},
                                      {.hash = hash_of("c"), .version = "2", .target = "zen3"},
                                      {.hash = hash_of("d"), .version = "3", .compiler = "gcc@11"},
                                      {.hash = hash_of("e"), .version = "4", .variants = {"+pic"}},
                                      {.hash = hash_of("f"), .version = "5"},
                                      {.hash = hash_of("g"), .version = "6"},
                                      {.hash = hash_of("h"), .version = "7", .stacks = {"e4s"}}}};
    const PrintedPage zlib_after = {"zlib",
                                    {{.hash = hash_of("i"), .version = "1.1"},
                                     {.hash = hash_of("j"), .version = "2", .target = "zen4"},
                                     {.hash = hash_of("k"), .version = "3", .compiler = "gcc@13"},
                                     {.hash = hash_of("l"), .version = "4", .variants = {"~pic"}},
                                     {.hash = hash_of("m"), .version = "5"},
                                     {.hash = hash_of("g"), .version = "6"},
                                     {.hash = hash_of("n"), .version = "6"},
                                     {.hash = hash_of("h"), .version = "7", .stacks = {"ml"}}}};
    return {{{"hwloc", {{.hash = hash_of("o")}}}, zlib_before},
            {{"mpich", {{.hash = hash_of("p")}, {.hash = hash_of("q")}}}, zlib_after}};
}

}  // namespace

TEST_CASE("A diff counts the rows of each kind") {
    const Diff diff = every_kind().diff();
    CHECK(diff.from == before_name);
    CHECK(diff.to == after_name);
    CHECK(counts(diff) == std::map<std::string, std::int64_t>{{"package-added", 1},
                                                              {"package-removed", 1},
                                                              {"version-added", 1},
                                                              {"version-removed", 1},
                                                              {"target-changed", 1},
                                                              {"compiler-changed", 1},
                                                              {"variants-changed", 1},
                                                              {"rebuilt", 1},
                                                              {"copies-changed", 1},
                                                              {"stack-joined", 1},
                                                              {"stack-left", 1},
                                                              {"spec-added", 8},
                                                              {"spec-removed", 6}});
    CHECK_FALSE(diff.is_empty());
}

TEST_CASE("The causes of a diff add up") {
    const Diff diff = every_kind().diff();
    CHECK(diff.from_specs == 8);
    CHECK(diff.to_specs == 10);
    CHECK(diff.common_specs == 2);
    CHECK(diff.causes.columns == Lines{"cause", "added", "removed"});
    CHECK(diff.causes.rows.size() == 7);
    CHECK(sum(diff.causes, 1) == 8);
    CHECK(sum(diff.causes, 2) == 6);
    CHECK(diff.from_specs - diff.common_specs == 6);
    CHECK(diff.to_specs - diff.common_specs == 8);
}

TEST_CASE("What is not asked of a diff is left out, and the rest stays the same") {
    Comparison both = every_kind();
    const Diff all = both.diff();
    DiffScope scope;
    scope.lists_rebuilt = false;
    const Diff counted = both.part(scope);
    CHECK(counts(counted) == counts(all));
    CHECK(counted.sentence == all.sentence);
    CHECK(counted.rows_of("rebuilt").columns == Lines{"kind", "added", "removed"});
    CHECK(sum(counted.rows_of("rebuilt"), 1) == 1);
    CHECK(sum(counted.rows_of("rebuilt"), 2) == 1);

    scope = {};
    scope.words = DiffWords::none;
    scope.kinds = {"version-removed"};
    const Diff rows = both.part(scope);
    CHECK(rows.sentence.empty());
    CHECK(rows.causes.rows == all.causes.rows);
    CHECK(all_changes(rows).columns == all_changes(all).columns);
    for (std::size_t i = 0; i < all.sections.size(); ++i) {
        const auto& asked = rows.sections[i].table.rows;
        if (all.sections[i].kinds.back() == "version-removed") {
            CHECK(asked == all.sections[i].table.rows);
        } else {
            CHECK(asked.empty());
        }
    }
}

TEST_CASE("All changes are in one table") {
    const Diff diff = every_kind().diff();
    const ResultTable all = all_changes(diff);
    std::size_t rows = 0;
    for (const DiffSection& section : diff.sections) {
        rows += section.table.rows.size();
        CHECK(section.table.columns.at(0) == "kind");
    }
    CHECK(all.rows.size() == rows);
    CHECK(rows == 11);
    CHECK(all.columns.at(0) == "kind");
    CHECK(all.columns.at(1) == "package");
    for (const auto& row : all.rows) {
        CHECK(row.size() == all.columns.size());
    }
    const auto column = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(all.columns.begin(), all.columns.end(), name) -
                                        all.columns.begin());
    };
    REQUIRE(column("lost") < all.columns.size());
    REQUIRE(column("gained") < all.columns.size());
    for (const auto& row : all.rows) {
        if (to_text(row[0]) == "compiler-changed") {
            CHECK(to_text(row[column("lost")]) == "gcc@11");
            CHECK(to_text(row[column("gained")]) == "gcc@13");
            CHECK(is_null(row[column("hash")]));
        }
    }
}

TEST_CASE("The way back exchanges added and removed") {
    Comparison comparison = every_kind();
    const Diff back = comparison.diff({}, after_name, before_name);
    CHECK(counts(back)["spec-added"] == 6);
    CHECK(counts(back)["spec-removed"] == 8);
    CHECK(counts(back)["stack-joined"] == 1);
}

TEST_CASE("A diff can be narrowed to packages, and counts all specs none the less") {
    const Diff diff = every_kind().diff({{"package", "m*"}});
    CHECK(counts(diff) ==
          std::map<std::string, std::int64_t>{{"package-added", 1}, {"spec-added", 2}});
    CHECK(diff.from_specs == 8);
    CHECK(diff.common_specs == 0);
}

TEST_CASE("Within a stack, joining it is being added") {
    const Diff diff = every_kind().diff({{"stack", "ml"}});
    CHECK(counts(diff) ==
          std::map<std::string, std::int64_t>{{"package-added", 1}, {"spec-added", 1}});
    CHECK(diff.from_specs == 0);
    CHECK(diff.to_specs == 1);
    CHECK(diff.common_specs == 0);
}

TEST_CASE("Within several stacks, a spec can move from one to another") {
    const Diff diff = every_kind().diff({{"stack", "*[4l]*"}});  // e4s, ml
    CHECK(counts(diff)["stack-joined"] == 1);
    CHECK(counts(diff)["stack-left"] == 1);
    CHECK(diff.common_specs == 2);
}

TEST_CASE("What the other snapshot does not know of is left out and counted") {
    const PrintedPage zlib = {"zlib", {{.hash = hash_of("b")}}};
    const PrintedPage hwloc = {"hwloc", {{.hash = hash_of("c")}, {.hash = hash_of("d")}}};
    TempLedger ledger;
    ledger.take("2025-03-01", {zlib}, {.partial = true});
    ledger.take("2025-03-02", {hwloc}, {.partial = true});
    const Catalog catalog;
    const Diff diff = compare_snapshots(ledger.database(), catalog, before_name, after_name, {});
    CHECK(diff.is_empty());
    CHECK(diff.from_specs == 1);
    CHECK(diff.to_specs == 3);
    CHECK(diff.common_specs == 1);
    CHECK(remarks(diff) == Lines{"1 package is left out, because it was not observed before "
                                 "(report drift/unobserved lists it)."});
    const Diff back = compare_snapshots(ledger.database(), catalog, after_name, before_name, {});
    CHECK(back.is_empty());
    CHECK(back.common_specs == 1);
    CHECK(remarks(back) == Lines{"1 package is left out, because it was not observed after "
                                 "(report drift/unobserved lists it)."});
}

TEST_CASE("Within a stack, specs whose page gives no stacks are counted") {
    TempLedger ledger;
    const PrintedPage page = {"zlib", {{.hash = hash_of("b")}}};
    ledger.take("2025-03-01", {page});
    ledger.take("2025-03-02", {page, {"hwloc", {{.hash = hash_of("c")}}}});
    ledger.database().exec(
        "UPDATE presence SET stack_set_id = NULL "
        "WHERE spec_id = (SELECT spec_id FROM spec WHERE hash GLOB 'b*')");
    const Catalog catalog;
    const auto said = [&](const Arguments& filters) {
        return remarks(
            compare_snapshots(ledger.database(), catalog, before_name, after_name, filters));
    };
    CHECK(said({}).empty());
    CHECK(said({{"stack", "e4s"}}).at(0) ==
          "The page of 1 package gives no stacks before: its builds count as in none (report "
          "drift/unobserved lists it).");
    CHECK(said({{"stack", "e4s"}}).at(1) ==
          "The page of 1 package gives no stacks after: its builds count as in none (report "
          "drift/unobserved lists it).");
}

TEST_CASE("A snapshot may be given by any of its names") {
    Comparison comparison = every_kind();
    const Diff diff = comparison.diff({}, "latest~1", "develop");
    CHECK(diff.from == before_name);
    CHECK(diff.to == after_name);
    CHECK(diff.from_specs == 8);
    CHECK(diff.common_specs == 2);
}

TEST_CASE("A snapshot does not differ from itself") {
    Comparison comparison = every_kind();
    const Diff diff = comparison.diff({}, after_name, after_name);
    CHECK(diff.is_empty());
    CHECK(diff.common_specs == 10);
    CHECK(all_changes(diff).rows.empty());
    CHECK(remarks(diff).empty());
}

TEST_CASE("Diffs of one ledger do not disturb each other") {
    Comparison comparison = every_kind();
    const auto first = counts(comparison.diff());
    comparison.diff({}, after_name, after_name);
    CHECK(counts(comparison.diff()) == first);
}

TEST_CASE("Of ten builds or more it is said if few hashes are in both") {
    const auto page = [](char first, int common, int builds) {
        std::vector<PrintedSpec> specs;
        for (int i = 0; i < builds; ++i) {
            const std::string stem = {i < common ? 'z' : first, static_cast<char>('a' + i / 20),
                                      static_cast<char>('a' + i % 20)};
            specs.push_back({.hash = hash_of(stem)});
        }
        return std::vector<PrintedPage>{{"zlib", specs}};
    };
    const auto said = [&](int common, int before, int after, const Arguments& filters = {}) {
        Comparison comparison(page('b', common, before), page('c', common, after));
        return remarks(comparison.diff(filters));
    };
    CHECK(said(0, 9, 9).empty());
    CHECK(said(0, 10, 10) == Lines{"No hash is in both."});
    CHECK(said(0, 10, 10, {{"stack", "e4s"}}) ==
          Lines{"No hash is in these stacks in both snapshots."});
    CHECK(said(0, 10, 10, {{"package", "hwloc"}}).empty());
    CHECK(said(1, 11, 11) == Lines{"Only 1 of 11 hashes is in both."});
    CHECK(said(1, 10, 10).empty());
    CHECK(said(2, 30, 21) == Lines{"Only 2 of 30 hashes before and 21 after are in both."});
    CHECK(remarks(every_kind().diff()).empty());
}

TEST_CASE("A variant that changes everywhere is said once") {
    std::vector<PrintedPage> before;
    std::vector<PrintedPage> after;
    Specs same;
    for (const char letter : std::string("bcdefghijk")) {
        const std::string package(1, letter);
        before.push_back({package, {{.hash = hash_of(package), .variants = {"+pic"}}}});
        after.push_back(
            {package,
             {{.hash = hash_of(package + "2"), .variants = {"+pic", "build_system=cmake"}}}});
        same.push_back({.hash = hash_of(package + "3")});
    }
    before.push_back({"zlib", same});
    after.push_back({"zlib", same});
    // Other combinations of what was there are no change of one option.
    std::vector<PrintedPage> straight;
    std::vector<PrintedPage> crossed;
    for (const char letter : std::string("bcdefghijk")) {
        const std::string package(1, letter);
        straight.push_back({package,
                            {{.hash = hash_of(package + "b"), .variants = {"+x", "+y"}},
                             {.hash = hash_of(package + "c"), .variants = {"~x", "~y"}}}});
        crossed.push_back({package,
                           {{.hash = hash_of(package + "d"), .variants = {"+x", "~y"}},
                            {.hash = hash_of(package + "e"), .variants = {"~x", "+y"}}}});
    }
    straight.push_back({"zlib", same});
    crossed.push_back({"zlib", same});
    CHECK(remarks(Comparison(straight, crossed).diff()).empty());

    CHECK(remarks(Comparison(before, after).diff()) ==
          Lines{"All 10 changes of variants are about build_system alone."});
}

TEST_CASE("A package whose version changed is one row, with the step between the versions") {
    std::map<std::string, std::string> hashes;
    const auto page = [&](const std::string& name, const Lines& versions) {
        Specs specs;
        for (const std::string& version : versions) {
            const char letter = static_cast<char>('a' + hashes.size());
            const auto& hash =
                hashes.try_emplace(name + version, hash_of(std::string(1, letter))).first->second;
            specs.push_back({.hash = hash, .version = version});
        }
        return PrintedPage{.package = name, .specs = specs};
    };
    Comparison comparison({page("hdf5", {"1.14.3", "1.12.2"}), page("zlib", {"1.3"}),
                           page("tmux", {"3.2a"}), page("cmake", {"3.27.9"}), page("gone", {"1"})},
                          {page("hdf5", {"2.0.0"}), page("zlib", {"1.3", "1.4"}),
                           page("tmux", {"3.3a"}), page("cmake", {"3.27.10"}), page("new", {"1"})});
    Diff diff = comparison.diff();
    const auto pairs = [&] {
        Lines lines;
        for (const auto& row : version_pairs(diff).rows) {
            lines.push_back(fmt::format("{}: {} -> {}, {} +{} -{}", to_text(row[0]),
                                        to_text(row[1]), to_text(row[2]), to_text(row[3]),
                                        to_text(row[4]), to_text(row[5])));
        }
        return lines;
    };
    CHECK(pairs() == Lines{"hdf5: 1.12.2, 1.14.3 -> 2.0.0, major +1 -2",
                           "cmake: 3.27.9 -> 3.27.10, patch +1 -1",
                           "tmux: 3.2a -> 3.3a, other +1 -1"});
    diff.root_packages = {"tmux"};
    CHECK(pairs().front().starts_with("tmux"));
    CHECK(diff.rows_of("version-added").rows.size() == 8);  // they stay, with zlib 1.4
    for (const DiffSection& section : diff.sections) {
        if (section.kinds.front() == "version-added") {
            CHECK(without_pairs(section, version_pairs(diff)).table.rows.size() == 1);
        }
    }
}

TEST_CASE("A diff says the bytes that were added and removed, as far as sizes are known") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "zlib"})
        .add({.stem = "b", .package = "zlib", .version = "1.1"})
        .add({.stem = "c", .package = "hdf5"})
        .add({.stem = "d", .package = "curl"});
    graph.take({{"a", "c"}, {"b", "c", "d"}});
    SQLite::Database& database = graph.database();
    const Catalog catalog;
    const auto diff = [&](bool asks_sizes) {
        DiffScope scope;
        scope.asks_sizes = asks_sizes;
        return compare_snapshots(database, catalog, "develop@0", "develop@1", {}, scope);
    };
    const auto has_bytes = [](const Diff& one) { return one.added_bytes.has_value(); };
    CHECK_FALSE(has_bytes(diff(true)));
    execute(database, "UPDATE spec SET size = '1000' WHERE hash = ?", hash_of("a"));
    execute(database, "UPDATE spec SET size = '30' WHERE hash = ?", hash_of("b"));
    Diff partly = diff(true);  // the size of curl is not known
    CHECK(std::ranges::count(document_of(partly, true).lines,
                             "Bytes: at least 30 B added, 1 kB removed (2 of 3 sizes known).") ==
          1);
    execute(database, "UPDATE spec SET size = '4' WHERE hash = ?", hash_of("d"));
    CHECK_FALSE(has_bytes(diff(false)));
    Diff sized = diff(true);
    CHECK(sized.added_bytes == 34);
    CHECK(sized.removed_bytes == 1000);
    const Document document = document_of(sized, true);
    CHECK(std::ranges::count(document.lines, "Bytes: 34 B added, 1 kB removed.") == 1);
}

}  // namespace diff_test
