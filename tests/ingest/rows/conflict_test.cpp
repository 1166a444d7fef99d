#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ingest/runs/commits/history.hpp"
#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace conflict_test {

// A hash that comes again with other attributes: the first reading stays, and each difference is a
// finding with both values.
using namespace cacheledger;
using Change = std::function<void(PrintedSpec&)>;

namespace {

const std::string hash = hash_of("b");
const std::string all_findings =
    "SELECT snapshot, package, kind, detail FROM findings ORDER BY 1, 2, 3, 4";
const std::string all_looks =
    "SELECT DISTINCT package, hash, version, compiler, platform, os, target, variants FROM specs";

PrintedSpec spec(const Change& change = [](PrintedSpec&) {}) {
    PrintedSpec spec{.hash = hash};
    change(spec);
    return spec;
}

PrintedPage page(const Change& change = [](PrintedSpec&) {}) {
    return {"zlib", {spec(change)}};
}

void say_version_2(PrintedSpec& spec) {
    spec.version = "2.0";
}

const std::string stays_version_1 = hash + ": version stays 1.0, the page says 2.0";

// Without snapshots, which say in what throwaway folder their pages lay.
std::map<std::string, Lines> content_of(TempLedger& ledger) {
    auto tables = ledger.tables_without_ids();
    tables.erase("snapshot");
    return tables;
}

// What is noticed where a page says otherwise than one before it.
Lines noticed(const PrintedPage& first, const PrintedPage& second) {
    TempLedger ledger;
    ledger.take("2025-03-01", {first});
    const Lines looks = ledger.rows(all_looks);
    ledger.take("2025-03-02", {second});
    CHECK(ledger.rows(all_looks) == looks);
    return ledger.rows("SELECT kind, detail FROM findings");
}

}  // namespace

TEST_CASE("Each attribute that differs is named, with both values") {
    struct Case {
        Change change;
        std::string difference;
    };
    for (const Case& one :
         std::vector<Case>{{say_version_2, "version stays 1.0, the page says 2.0"},
                           {[](PrintedSpec& s) { s.compiler = "gcc@14.1.0"; },
                            "compiler stays gcc@13.2.0, the page says gcc@14.1.0"},
                           {[](PrintedSpec& s) { s.platform = "darwin"; },
                            "platform stays linux, the page says darwin"},
                           {[](PrintedSpec& s) { s.os = "centos7"; },
                            "os stays ubuntu24.04, the page says centos7"},
                           {[](PrintedSpec& s) { s.target = "zen4"; },
                            "target stays x86_64_v3, the page says zen4"},
                           {[](PrintedSpec& s) { s.variants = {"+pic"}; },
                            "variants stays build_system=cmake, the page says +pic"},
                           {[](PrintedSpec& s) { s.variants = {}; },
                            "variants stays build_system=cmake, the page says none"},
                           {[](PrintedSpec& s) { s.version = "2.0", s.target = "zen4"; },
                            "version stays 1.0, the page says 2.0; target stays x86_64_v3, the "
                            "page says zen4"}}) {
        CHECK(noticed(page(), page(one.change)) ==
              Lines{fmt::format("hash-conflict|{}: {}", hash, one.difference)});
    }
}

TEST_CASE("A size is taken over where none was given, and stays") {
    const auto with_size = [](const std::string& size) {
        return page([size](PrintedSpec& s) { s.more = fmt::format(R"(, "size": "{}")", size); });
    };
    TempLedger ledger;
    ledger.take("2025-03-01", {page()});
    ledger.take("2025-03-02", {with_size("100 MB")});
    CHECK(ledger.rows("SELECT DISTINCT size FROM specs") == Lines{"100 MB"});
    CHECK(ledger.rows("SELECT kind FROM findings") == Lines{});
    ledger.take("2025-03-03", {page()});
    ledger.take("2025-03-04", {with_size("200 MB")});
    CHECK(ledger.rows("SELECT DISTINCT size FROM specs") == Lines{"100 MB"});
    CHECK(ledger.rows("SELECT snapshot, kind, detail FROM findings") ==
          Lines{fmt::format("develop@2025-03-04T00:00:00Z|hash-conflict|{}: size stays 100 MB, the "
                            "page says 200 MB",
                            hash)});
}

TEST_CASE("A package that claims the hash of another is told, and both have it") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"mpich", {spec()}}, {"zlib", {spec()}}});
    CHECK(ledger.rows("SELECT package, hash FROM specs ORDER BY 1") ==
          Lines{"mpich|" + hash, "zlib|" + hash});
    CHECK(ledger.rows("SELECT package, kind, detail FROM findings") ==
          Lines{fmt::format("zlib|hash-conflict|{}: package mpich has it, the page says zlib as "
                            "well; both are kept",
                            hash)});
}

TEST_CASE("Other spellings of the same are no conflict") {
    struct Case {
        Change first, second;
    };
    const auto compiler = [](const std::string& text) {
        return [text](PrintedSpec& s) { s.compiler = text; };
    };
    const auto variants = [](const Lines& list) {
        return [list](PrintedSpec& s) { s.variants = list; };
    };
    for (const Case& one : std::vector<Case>{
             {compiler("gcc@13.2.0"), compiler("gcc@=13.2.0")},
             {compiler("gcc@=13.2.0"), compiler("gcc@13.2.0/" + hash)},
             {compiler("oneapi@=2024.2.1"), compiler("intel-oneapi-compilers@2024.2.1")},
             {compiler("clang@=15.0.7"), compiler("llvm@15.0.7")},
             {compiler("rocmcc@=6.1.0"), compiler("llvm-amdgpu@6.1.0")},
             {compiler("intel@=2021.10.0"), compiler("intel-oneapi-compilers-classic@2021.10.0")},
             {compiler("arm@=23.04"), compiler("acfl@23.04")},
             {variants(Lines{"cuda_arch=80,90"}), variants(Lines{"cuda_arch:=90,80"})},
             {variants(Lines{"+a", "~b"}), variants(Lines{"~b", "+a"})},
             {variants(Lines{"~b"}), variants(Lines{"-b"})},
             {variants(Lines{"languages=c,c++,fortran"}),
              variants(Lines{"languages:='c++,c,fortran'"})},
             {variants(Lines{"patches=7415b81"}),
              variants(Lines{"patches:=7415b81" + std::string(57, 'a')})},
             {[](PrintedSpec& s) {
                  s.stacks = {"e4s", "root"};
              },
              [](PrintedSpec& s) {
                  s.stacks = {"root", "ml"};
              }},
             {[](PrintedSpec& s) { s.more = R"(, "size": "-")"; }, [](PrintedSpec&) {}}}) {
        const PrintedSpec second = spec(one.second);
        INFO(second.json());
        CHECK(noticed(page(one.first), page(one.second)) == Lines{});
        CHECK(noticed(page(one.second), page(one.first)) == Lines{});
    }
}

// "A missing compiler matches any": not a conflict, but what is not stored is said once a page.
TEST_CASE("A compiler that the first reading lacks is a finding of its own") {
    const auto without = [](PrintedSpec& s) { s.compiler = "none"; };
    CHECK(noticed(page(), page(without)) == Lines{});
    PrintedPage two_without = page(without);
    two_without.specs.push_back({.hash = hash_of("c"), .compiler = "none"});
    PrintedPage two = page();
    two.specs.push_back({.hash = hash_of("c")});
    CHECK(noticed(two_without, two) ==
          Lines{fmt::format("compiler-missing|2 of the specs were first read without a compiler, "
                            "and stay so; the page has one, the first: {} gcc@13.2.0",
                            hash)});
}

TEST_CASE("A hash that a page has twice makes it a bad page") {
    TempLedger ledger;
    CHECK_THROWS_WITH(ledger.take("2025-03-01", {{"zlib", {spec(), spec(say_version_2)}}}),
                      Catch::Matchers::ContainsSubstring("is on this page twice"));
}

TEST_CASE("A conflict shows wherever the first reading was") {
    TempLedger ledger;
    PrintedPage other_tag = page(say_version_2);
    other_tag.tag = "v1.0";
    SECTION("in another tag of the run") {
        const auto folder = ledger.folder().path() / "two";
        ledger.folder().write("two/a/zlib.md", page().text());
        ledger.folder().write("two/b/zlib.md", other_tag.text());
        ledger.ingest("2025-03-01", {folder.string()});
    }
    SECTION("in another tag") {
        ledger.take("2025-03-01", {page()});
        ledger.take("2025-03-01", {other_tag});
    }
    SECTION("in a later snapshot: first is what was loaded first") {
        ledger.take("2025-03-01", {page()});
        ledger.take("2025-02-01", {page(say_version_2)});
    }
    SECTION("in the commit before") {
        git_fixture::Repository repository(ledger.folder().path() / "repository");
        repository.write("zlib.md", page().text());
        repository.commit(1'700'000'000);
        repository.write("zlib.md", page(say_version_2).text());
        repository.commit(1'700'086'400);
        HistoryOptions options;
        options.repository = repository.path();
        ingest_history(ledger.database(), options, [](std::size_t, std::size_t) {});
    }
    CHECK(ledger.rows("SELECT kind, detail FROM findings") ==
          Lines{"hash-conflict|" + stays_version_1});
    CHECK(ledger.rows("SELECT DISTINCT version FROM specs") == Lines{"1.0"});
}

TEST_CASE("In either order of loading there is a conflict, on the page that came second") {
    TempLedger ledger;
    ledger.take("2025-03-02", {page(say_version_2)});
    ledger.take("2025-03-01", {page()});
    CHECK(ledger.rows("SELECT snapshot, detail FROM findings") ==
          Lines{fmt::format("develop@2025-03-01T00:00:00Z|{}: version stays 2.0, the page says 1.0",
                            hash)});
}

TEST_CASE("What replaces a snapshot is not in conflict with what it replaces") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page()});
    ledger.take("2025-03-01", {page(say_version_2)}, replacing);
    CHECK(ledger.rows("SELECT version FROM specs") == Lines{"2.0"});
    CHECK(ledger.rows(all_findings) == Lines{});
    TempLedger fresh;
    fresh.take("2025-03-01", {page(say_version_2)});
    CHECK(content_of(ledger) == content_of(fresh));
}

TEST_CASE("A dated tag that a later commit rewrites is not in conflict with what it was") {
    TempLedger ledger;
    git_fixture::Repository repository(ledger.folder().path() / "repository");
    for (const Change& change : {Change([](PrintedSpec&) {}), Change(say_version_2)}) {
        PrintedPage dated = page(change);
        dated.tag = "develop-2025-03-30";
        repository.write("zlib.md", dated.text());
        repository.commit(1'743'400'000);
    }
    HistoryOptions options;
    options.repository = repository.path();
    ingest_history(ledger.database(), options, [](std::size_t, std::size_t) {});
    CHECK(ledger.rows("SELECT version FROM specs") == Lines{"2.0"});
    CHECK(ledger.rows(all_findings) == Lines{});
}

TEST_CASE("What replaces a snapshot is in conflict with other snapshots") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page()});
    ledger.take("2025-03-02", {page()});
    ledger.take("2025-03-01", {page(say_version_2)}, replacing);
    CHECK(ledger.rows("SELECT version FROM specs") == Lines{"1.0", "1.0"});
    CHECK(ledger.rows("SELECT snapshot, detail FROM findings") ==
          Lines{"develop@2025-03-01T00:00:00Z|" + stays_version_1});
}

// Of zlib there is what the ledger says, and what the page said: neither is the content of the
// other.
TEST_CASE("A page in conflict is the same content only as the same text") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page()});
    ledger.take("2025-03-02", {page(say_version_2)});
    const auto before = ledger.tables();
    CHECK(ledger.take("2025-03-02", {page(say_version_2)}).unchanged.size() == 1);
    CHECK_THROWS_AS(ledger.take("2025-03-02", {page()}), InputError);
    CHECK(ledger.tables() == before);
    ledger.take("2025-03-02", {page()}, replacing);
    CHECK(ledger.rows(all_findings) == Lines{});
}

// The page that is in the snapshot is known by what it said, not by how: the ledger has the first
// reading, and a finding where the page said otherwise.
TEST_CASE("A page that differs from the first readings is the same content in another spelling") {
    struct Case {
        Change first, said, again, other;
    };
    const auto compiler = [](const std::string& text) {
        return [text](PrintedSpec& s) { s.compiler = text; };
    };
    const auto size = [](const std::string& text) {
        return [text](PrintedSpec& s) {
            s.more = text.empty() ? "" : fmt::format(R"(, "size": "{}")", text);
        };
    };
    const auto both = [](const Change& a, const Change& b) {
        return [a, b](PrintedSpec& s) { a(s), b(s); };
    };
    const Change nothing = [](PrintedSpec&) {};
    const Change reordered = [](PrintedSpec& s) { s.stacks = {"root", "e4s"}; };
    for (const Case& one : std::vector<Case>{
             // The first reading lacks a compiler, the page has one.
             {compiler("none"), compiler("gcc@13.2.0"), compiler("gcc@=13.2.0"),
              compiler("gcc@14.1.0")},
             {compiler("none"), compiler("clang@15"), compiler("llvm@15/abc"), compiler("none")},
             // The other way round.
             {nothing, compiler("none"), both(compiler("none"), reordered), compiler("gcc@14.1.0")},
             // They contradict each other.
             {nothing, say_version_2, both(say_version_2, compiler("gcc@=13.2.0")), nothing},
             {nothing, say_version_2, both(say_version_2, reordered),
              [](PrintedSpec& s) { s.version = "3.0"; }},
             {nothing, compiler("gcc@14.1.0"), compiler("gcc@=14.1.0"), compiler("gcc@15.1.0")},
             {size("1 MB"), size("2 MB"), both(size("2 MB"), reordered), size("3 MB")},
             // A size that another page gave.
             {size("1 MB"), nothing, reordered, size("2 MB")}}) {
        TempLedger ledger;
        ledger.take("2025-03-01", {page(one.first)});
        ledger.take("2025-03-02", {page(one.said)});
        const auto before = ledger.tables();
        INFO(spec(one.said).json() << " " << spec(one.again).json());
        CHECK(ledger.take("2025-03-02", {page(one.again)}).unchanged.size() == 1);
        CHECK_THROWS_AS(ledger.take("2025-03-02", {page(one.other)}), InputError);
        CHECK(ledger.tables() == before);
    }
}

TEST_CASE("What a page said that no other page did is content") {
    const Change without = [](PrintedSpec& s) { s.compiler = "none"; };
    const Change with_size = [](PrintedSpec& s) { s.more = R"(, "size": "1 MB")"; };
    TempLedger ledger;
    ledger.take("2025-03-01", {page()});
    CHECK_THROWS_AS(ledger.take("2025-03-01", {page(without)}), InputError);
    CHECK_THROWS_AS(ledger.take("2025-03-01", {page(with_size)}), InputError);
    ledger.take("2025-03-01", {page(with_size)}, replacing);
    CHECK_THROWS_AS(ledger.take("2025-03-01", {page()}), InputError);
    // The same page in another snapshot is no other page.
    ledger.take("2025-03-02", {page(with_size)});
    CHECK_THROWS_AS(ledger.take("2025-03-01", {page()}), InputError);
}

TEST_CASE("The order of specs is no content, whichever a finding names") {
    const auto printed = [](const std::string& compiler, const std::vector<std::string>& stems) {
        PrintedPage page{"zlib", {}};
        for (const std::string& stem : stems) {
            page.specs.push_back({.hash = hash_of(stem), .compiler = compiler});
        }
        return page;
    };
    TempLedger ledger;
    ledger.take("2025-03-01", {printed("none", {"b", "c", "d"})});
    ledger.take("2025-03-02", {printed("gcc@13.2.0", {"c", "b", "d"})});
    CHECK(ledger.take("2025-03-02", {printed("gcc@13.2.0", {"b", "d", "c"})}).unchanged.size() ==
          1);
    CHECK_THROWS_AS(ledger.take("2025-03-02", {printed("gcc@13.2.0", {"b", "c"})}), InputError);
}

TEST_CASE("A hash that another package has as well is no other content") {
    TempLedger ledger;
    const PrintedPage mpich{"mpich", {spec()}};
    ledger.take("2025-03-01", {mpich, page()});
    CHECK(ledger.rows("SELECT kind FROM findings") == Lines{"hash-conflict"});
    const auto respelled = page([](PrintedSpec& s) { s.compiler = "gcc@=13.2.0"; });
    CHECK(ledger.take("2025-03-01", {mpich, respelled}).unchanged.size() == 1);
    CHECK_THROWS_AS(ledger.take("2025-03-01", {mpich, page(say_version_2)}), InputError);
}

// A known limit: who gave the first reading is not kept, so that it outlives its snapshot where
// another snapshot has the hash. The finding says both values all the same.
TEST_CASE("The first reading stays while any snapshot has the hash, with the finding") {
    TempLedger ledger;
    TempLedger fresh;
    ledger.take("2025-03-01", {page()});
    ledger.take("2025-03-02", {page(say_version_2)});
    CHECK(find_problems(ledger.database(), 10).empty());
    forget(ledger.database(), "develop@2025-03-01T00:00:00Z");
    CHECK(find_problems(ledger.database(), 10).empty());
    CHECK(ledger.rows("SELECT version FROM specs") == Lines{"1.0"});
    CHECK(ledger.rows("SELECT detail FROM findings") == Lines{stays_version_1});
    SECTION("It is gone with the last of them") {
        forget(ledger.database(), "develop@2025-03-02T00:00:00Z");
        ledger.take("2025-03-02", {page(say_version_2)});
        fresh.take("2025-03-02", {page(say_version_2)});
        CHECK(content_of(ledger) == content_of(fresh));
    }
    SECTION("It is gone where the last of them is replaced, if by the same page") {
        const PrintedPage more{"mpich", {{.hash = hash_of("c")}}};
        ledger.take("2025-03-02", {page(say_version_2), more}, replacing);
        fresh.take("2025-03-02", {page(say_version_2), more});
        CHECK(content_of(ledger) == content_of(fresh));
    }
}

}  // namespace conflict_test
