#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace views_test {

using namespace cacheledger;

namespace {

const std::string b = hash_of("b");
const std::string c = hash_of("c");
const std::string d = hash_of("d");

/// hwloc and zlib on the first of March; on the second hwloc is gone, zlib has a new spec and an
/// old one in another stack.
class SmallLedger {
  public:
    SmallLedger() {
        const PrintedSpec darwin{.hash = b,
                                 .version = "2.11.1",
                                 .compiler = "apple-clang@16.0.0",
                                 .platform = "darwin",
                                 .os = "sequoia",
                                 .target = "aarch64",
                                 .variants = {"~cuda", "+xml"},
                                 .stacks = {"ml"}};
        PrintedSpec linux_spec{.hash = c,
                               .version = "1.3.1",
                               .compiler = "none",
                               .variants = {"libs=static,shared", "+pic"}};
        ledger_.take("2025-03-01T06:00:00Z", {{"hwloc", {darwin}}, {"zlib", {linux_spec}}});
        linux_spec.stacks = {"root", "ml", "e4s"};
        PrintedSpec added = linux_spec;
        added.hash = d;
        ledger_.take("2025-03-02T06:00:00Z",
                     {{"zlib", {linux_spec, added}, "develop", R"({"num_specs": 1})"}});
    }

    Lines columns_of(const std::string& view) {
        return ledger_.rows(fmt::format("SELECT name FROM pragma_table_info('{}')", view));
    }
    Lines rows(const std::string& sql) { return ledger_.rows(sql); }
    std::string pages() const { return (ledger_.folder().path() / "pages").string(); }

  private:
    TempLedger ledger_;
};

/// The first columns of a view; later ones may be added.
Lines first_columns(SmallLedger& ledger, const std::string& view, std::size_t number) {
    Lines columns = ledger.columns_of(view);
    columns.resize(std::min(columns.size(), number));
    return columns;
}

void check_columns(const std::string& view, const Lines& columns) {
    SmallLedger ledger;
    CHECK(first_columns(ledger, view, columns.size()) == columns);
}

const std::string first = "develop@2025-03-01T06:00:00Z";
const std::string second = "develop@2025-03-02T06:00:00Z";

}  // namespace

TEST_CASE("The columns of the public views are stable") {
    check_columns("snapshots", {"snapshot_id", "name", "tag", "series", "taken_at", "source",
                                "packages", "specs"});
    check_columns("specs", {"snapshot_id", "snapshot", "tag", "taken_at", "package", "version",
                            "hash", "compiler", "compiler_name", "compiler_version", "os",
                            "platform", "target", "variants", "stacks"});
    check_columns("spec_stacks", {"snapshot_id", "snapshot", "package", "hash", "stack"});
    check_columns("spec_variants", {"hash", "package", "name", "value"});
    check_columns("changes",
                  {"snapshot_id", "snapshot", "series", "taken_at", "package", "hash", "change"});
    check_columns("pages", {"snapshot_id", "snapshot", "package", "path", "digest", "num_specs"});
    check_columns("findings", {"snapshot_id", "snapshot", "package", "path", "kind", "detail"});
    check_columns("spec_drift", {"from_id",      "to_id",         "from_snapshot",
                                 "to_snapshot",  "change",        "cause",
                                 "package_id",   "look_id",       "spec_id",
                                 "stack_set_id", "group_look_id", "group_compiler_id",
                                 "group_added",  "group_removed", "package",
                                 "version",      "hash",          "compiler",
                                 "os",           "platform",      "target",
                                 "variants",     "stacks"});
    SmallLedger ledger;
    CHECK(ledger.columns_of("latest_specs") == ledger.columns_of("specs"));
}

TEST_CASE("The view latest_specs has the specs of the snapshot that latest names") {
    TempLedger ledger;
    const auto take = [&](const std::string& moment, const std::string& tag) {
        ledger.take(moment, {{"zlib", {{.hash = hash_of(tag.substr(0, 1))}}, tag}});
    };
    const auto check_newest = [&](const std::string& tag) {
        const std::string name = find_snapshot(ledger.database(), "latest").name;
        CHECK(name.starts_with(tag + "@"));
        const auto newest = ledger.rows("SELECT * FROM latest_specs");
        CHECK(newest.size() == 1);
        CHECK(newest == ledger.rows("SELECT * FROM specs WHERE snapshot = '" + name + "'"));
    };
    CHECK(ledger.rows("SELECT * FROM latest_specs").empty());
    take("2025-03-01", "environment");
    ledger.database().exec("UPDATE snapshot SET kind = 'lock'");
    check_newest("environment");
    take("2025-02-01", "c");
    take("2025-02-01", "b");
    check_newest("b");
    take("2025-02-01", "develop");
    check_newest("develop");
    take("2025-02-02", "c");
    check_newest("c");
}

TEST_CASE("The view spec_drift says each spec in words") {
    SmallLedger ledger;
    CHECK(ledger.rows(fmt::format(
              "SELECT change, cause, package, version, hash, compiler, os, platform, target, "
              "variants, stacks FROM spec_drift WHERE from_snapshot = '{}' AND to_snapshot = '{}' "
              "ORDER BY change",
              first, second)) ==
          Lines{fmt::format("added|copies|zlib|1.3.1|{}|NULL|ubuntu24.04|linux|x86_64_v3|"
                            "libs=shared,static +pic|e4s,ml,root",
                            d),
                fmt::format("removed|package|hwloc|2.11.1|{}|apple-clang@16.0.0|sequoia|darwin|"
                            "aarch64|~cuda +xml|ml",
                            b)});
}

TEST_CASE("The view snapshots") {
    SmallLedger ledger;
    CHECK(
        ledger.rows("SELECT name, tag, series, taken_at, source, packages, specs FROM snapshots "
                    "ORDER BY taken_at") ==
        Lines{
            fmt::format("{}|develop|develop|2025-03-01T06:00:00Z|{}|2|2", first, ledger.pages()),
            fmt::format("{}|develop|develop|2025-03-02T06:00:00Z|{}|1|2", second, ledger.pages())});
}

TEST_CASE("The view specs") {
    SmallLedger ledger;
    const std::string select =
        "SELECT snapshot, tag, taken_at, package, version, hash, compiler, compiler_name, "
        "compiler_version, os, platform, target, variants, stacks FROM specs WHERE snapshot = '";
    const std::string zlib = "NULL|NULL|NULL|ubuntu24.04|linux|x86_64_v3|libs=shared,static +pic|";
    CHECK(ledger.rows(select + first + "' ORDER BY package") ==
          Lines{fmt::format("{}|develop|2025-03-01T06:00:00Z|hwloc|2.11.1|{}|apple-clang@16.0.0|"
                            "apple-clang|16.0.0|sequoia|darwin|aarch64|~cuda +xml|ml",
                            first, b),
                fmt::format("{}|develop|2025-03-01T06:00:00Z|zlib|1.3.1|{}|{}e4s,root", first, c,
                            zlib)});
    CHECK(ledger.rows(select + second + "' ORDER BY hash") ==
          Lines{fmt::format("{}|develop|2025-03-02T06:00:00Z|zlib|1.3.1|{}|{}e4s,ml,root", second,
                            c, zlib),
                fmt::format("{}|develop|2025-03-02T06:00:00Z|zlib|1.3.1|{}|{}e4s,ml,root", second,
                            d, zlib)});
}

TEST_CASE("The view spec_stacks") {
    SmallLedger ledger;
    CHECK(ledger.rows(fmt::format("SELECT snapshot, package, hash, stack FROM spec_stacks WHERE "
                                  "snapshot = '{}' ORDER BY package, stack",
                                  first)) == Lines{fmt::format("{}|hwloc|{}|ml", first, b),
                                                   fmt::format("{}|zlib|{}|e4s", first, c),
                                                   fmt::format("{}|zlib|{}|root", first, c)});
}

TEST_CASE("The view spec_variants") {
    SmallLedger ledger;
    CHECK(ledger.rows("SELECT * FROM spec_variants WHERE hash < 'd' ORDER BY hash, name, value") ==
          Lines{b + "|hwloc|cuda|false", b + "|hwloc|xml|true", c + "|zlib|libs|shared",
                c + "|zlib|libs|static", c + "|zlib|pic|true"});
}

TEST_CASE("The view changes") {
    SmallLedger ledger;
    CHECK(ledger.rows("SELECT snapshot, series, taken_at, package, hash, change FROM changes "
                      "ORDER BY snapshot, hash") ==
          Lines{fmt::format("{}|develop|2025-03-01T06:00:00Z|hwloc|{}|added", first, b),
                fmt::format("{}|develop|2025-03-01T06:00:00Z|zlib|{}|added", first, c),
                fmt::format("{}|develop|2025-03-02T06:00:00Z|hwloc|{}|removed", second, b),
                fmt::format("{}|develop|2025-03-02T06:00:00Z|zlib|{}|stacks", second, c),
                fmt::format("{}|develop|2025-03-02T06:00:00Z|zlib|{}|added", second, d)});
}

TEST_CASE("What a series first observes is no change, but in its first snapshot") {
    TempLedger ledger;
    const auto changes = [&] {
        return ledger.rows(
            "SELECT substr(taken_at, 9, 2), package, substr(hash, 1, 1), change FROM changes "
            "ORDER BY taken_at, hash");
    };
    const PrintedPage hwloc{"hwloc", {{.hash = b}}};
    const PrintedPage zlib{"zlib", {{.hash = c}}};
    ledger.take("2025-03-01", {hwloc}, {.partial = true});
    ledger.take("2025-03-02", {hwloc, zlib});
    ledger.take("2025-03-03", {hwloc, {"zlib", {{.hash = c, .stacks = {"ml"}}, {.hash = d}}}});
    CHECK(changes() == Lines{"01|hwloc|b|added", "03|zlib|c|stacks", "03|zlib|d|added"});

    // Before that it was observed not to be there.
    ledger.take("2025-02-28", {{"ncurses", {}}});
    CHECK(changes() ==
          Lines{"01|hwloc|b|added", "02|zlib|c|added", "03|zlib|c|stacks", "03|zlib|d|added"});
}

TEST_CASE("The view pages") {
    SmallLedger ledger;
    CHECK(ledger.rows("SELECT snapshot, package, path, length(digest), num_specs FROM pages "
                      "ORDER BY snapshot, package") ==
          Lines{first + "|hwloc|develop/hwloc.md|40|1", first + "|zlib|develop/zlib.md|40|1",
                second + "|zlib|develop/zlib.md|40|2"});
}

TEST_CASE("The view findings") {
    SmallLedger ledger;
    CHECK(ledger.rows("SELECT snapshot, package, path, kind, detail FROM findings") ==
          Lines{second + "|zlib|develop/zlib.md|meta-mismatch|num_specs: meta says 1, spec_details "
                         "has 2"});
}

TEST_CASE("Filtering specs on one snapshot reads no table as a whole") {
    SmallLedger ledger;
    for (const std::string& step :
         ledger.rows("EXPLAIN QUERY PLAN SELECT * FROM specs WHERE snapshot = 'x'")) {
        INFO(step);
        CHECK(step.find("SCAN") == std::string::npos);
    }
}

TEST_CASE("Each view can be read where the schema is not trusted") {
    TempLedger ledger;
    const auto views = ledger.rows("SELECT name FROM sqlite_schema WHERE type = 'view'");
    ledger.database().exec("PRAGMA trusted_schema = OFF");
    for (const std::string& view : views) {
        INFO(view);
        CHECK_NOTHROW(ledger.rows("SELECT * FROM " + view + " LIMIT 0"));
    }
}

TEST_CASE("The views of pairs are marked") {
    Lines marked;
    for (const SchemaPart& part : schema_parts()) {
        if (part.comment.find("A view of pairs") != std::string::npos) {
            marked.push_back(part.name);
        }
    }
    std::ranges::sort(marked);
    CHECK(marked == Lines{"look_groups", "spec_distances", "spec_drift", "stack_drift"});
}

}  // namespace views_test
