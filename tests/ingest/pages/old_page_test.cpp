#include "tests/support/ledgers/old_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace old_page_test {

using namespace cacheledger;
using old_page::Files;
using old_page::Spec;

namespace {

/// A ledger, and a site with the pages of 2022.
class Site {
  public:
    /// Replaces the folder of a package, below `_cache`.
    void write(const std::string& folder, const Files& files) {
        std::filesystem::remove_all(ledger_.folder().path() / "site/_cache" / folder);
        for (const auto& [name, text] : files) {
            ledger_.folder().write(fmt::format("site/_cache/{}/{}", folder, name), text);
        }
    }
    void remove(const std::string& path) {
        std::filesystem::remove_all(ledger_.folder().path() / "site/_cache" / path);
    }
    IngestResult load(std::string_view moment, const IngestOptions& options = {}) {
        return ledger_.ingest(moment, {path()}, options);
    }

    /// Why it is refused; the ledger must then be as it was, all of it.
    Lines refusal(std::string_view moment) {
        return ledger_.refusal([&] { load(moment); });
    }
    Lines rows(const std::string& sql) { return ledger_.rows(sql); }
    std::string path() const { return (ledger_.folder().path() / "site").string(); }
    TempLedger& ledger() { return ledger_; }

  private:
    TempLedger ledger_;
};

/// The page of a later time, for the same specs.
PrintedPage later_page(const std::string& tag, const std::vector<Spec>& specs) {
    PrintedPage page{"zlib", {}, tag};
    for (const Spec& spec : specs) {
        page.specs.push_back({.hash = spec.hash,
                              .compiler = "gcc@=9.3.0",
                              .os = "ubuntu20.04",
                              .target = "x86_64",
                              .variants = {"+shared"}});
    }
    return page;
}

const std::string moment = "2022-03-01T00:00:00Z";
const std::string untagged_then = "untagged@2022-03-01T00:00:00Z";

}  // namespace

TEST_CASE("Pages of every old generation are loaded") {
    Site site;
    site.write("zlib", old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}}));
    site.write("hwloc", old_page::g0b("hwloc", {{hash_of("h")}}));
    site.write("v0.18.0/zlib", old_page::g1("zlib", "v0.18.0", {{hash_of("a")}}));
    const IngestResult result = site.load(moment);
    CHECK(result.pages == 3);
    CHECK(result.specs == 4);
    CHECK(result.new_specs == 3);
    CHECK(site.rows("SELECT tag, package, version, substr(hash, 1, 2), compiler, os, target, "
                    "variants, stacks, size FROM specs ORDER BY tag, package, hash") ==
          Lines{"untagged|hwloc|1.0|ha|gcc@9.3.0|ubuntu20.04|x86_64|+shared|NULL|NULL",
                "untagged|zlib|1.0|aa|gcc@9.3.0|ubuntu20.04|x86_64|+shared|NULL|NULL",
                "untagged|zlib|1.0|ba|gcc@9.3.0|ubuntu20.04|x86_64|+shared|NULL|NULL",
                "v0.18.0|zlib|1.0|aa|gcc@9.3.0|ubuntu20.04|x86_64|+shared|NULL|NULL"});
    CHECK(site.rows("SELECT path, num_specs FROM pages ORDER BY path") ==
          Lines{"_cache/hwloc/specs.md|1", "_cache/v0.18.0/zlib/specs.md|1",
                "_cache/zlib/index.md|2"});
    CHECK(site.rows("SELECT count(*) FROM presence WHERE stack_set_id IS NULL") == Lines{"4"});
    CHECK(site.rows("SELECT * FROM spec_stacks").empty());
    CHECK(site.rows("SELECT * FROM stack_set").empty());
    CHECK(site.rows("SELECT * FROM findings").empty());
    CHECK(find_problems(site.ledger().database(), 10).empty());
}

TEST_CASE("An old page that did not change is not loaded again") {
    Site site;
    site.write("zlib", old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}}));
    site.load(moment);
    const auto before = site.ledger().tables();
    const IngestResult again = site.load(moment);
    CHECK(again.loaded.empty());
    CHECK(again.unchanged == Lines{untagged_then});
    CHECK(site.ledger().tables() == before);

    // At another moment it is the page that is there.
    site.load("2022-03-02");
    CHECK(site.rows("SELECT count(*) FROM page") == Lines{"1"});
    CHECK(site.rows("SELECT count(*) FROM presence") == Lines{"2"});
    CHECK(site.rows("SELECT count(*) FROM snapshot") == Lines{"2"});
}

TEST_CASE("An old page is another one when a spec file is") {
    Site site;
    Files files = old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}});
    site.write("zlib", files);
    site.load(moment);
    files["spec-1.json"] = old_page::spec_file("zlib", {hash_of("c")});
    site.write("zlib", files);
    CHECK(site.refusal(moment) ==
          Lines{fmt::format("{} is in the ledger with other content: {}/_cache/zlib/"
                            "index.md is another page than it has; --replace replaces it",
                            untagged_then, site.path())});
    CHECK(site.load(moment, {.replace = true}).replaced == Lines{untagged_then});
    CHECK(site.rows("SELECT substr(hash, 1, 2) FROM specs ORDER BY hash") == Lines{"aa", "ca"});
    CHECK(find_problems(site.ledger().database(), 10).empty());

    // What a spec file says of dependencies is not kept, and no other content.
    files["spec-1.json"] += " ";
    site.write("zlib", files);
    CHECK(site.load(moment).unchanged == Lines{untagged_then});
}

TEST_CASE("An old page that comes back is known") {
    Site site;
    const Files first = old_page::g0("zlib", {{hash_of("a")}});
    const Files second = old_page::g0("zlib", {{hash_of("b")}});
    site.write("zlib", first);
    site.load("2022-03-01");
    site.write("zlib", second);
    site.load("2022-03-02");
    site.write("zlib", first);
    site.load("2022-03-03");
    CHECK(site.rows("SELECT count(*) FROM page") == Lines{"2"});
    CHECK(site.rows("SELECT substr(taken_at, 1, 10), substr(hash, 1, 1) FROM specs ORDER BY 1") ==
          Lines{"2022-03-01|a", "2022-03-02|b", "2022-03-03|a"});
    // Between others, and against a snapshot that has another page.
    site.write("zlib", second);
    CHECK(site.refusal("2022-03-03").size() == 1);
    site.write("zlib", old_page::g0("zlib", {}));
    site.load("2022-03-04");
    site.load("2022-03-05");
    CHECK(site.load("2022-03-04").unchanged.size() == 1);
    CHECK(site.rows("SELECT specs FROM snapshots ORDER BY taken_at") ==
          Lines{"1", "1", "1", "0", "0"});
    CHECK(find_problems(site.ledger().database(), 10).empty());
}

TEST_CASE("A spec file that is missing makes a bad page, and leaves the package unobserved") {
    Site site;
    site.write("zlib", old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}}));
    site.write("hwloc", old_page::g0b("hwloc", {{hash_of("h")}}));
    site.load("2022-03-01");
    site.remove("zlib/spec-1.json");
    const std::string problem = fmt::format(
        "{}/_cache/zlib/index.md:8: spec-1.json, which it lists, is not beside it", site.path());
    CHECK(site.refusal("2022-03-02") == Lines{problem});
    site.load("2022-03-02", {.keep_going = true});
    CHECK(site.rows("SELECT package, substr(hash, 1, 1) FROM specs "
                    "WHERE taken_at GLOB '2022-03-02*' ORDER BY package, hash") ==
          Lines{"hwloc|h", "zlib|a", "zlib|b"});
    CHECK(site.rows("SELECT package, kind, detail FROM findings") ==
          Lines{fmt::format("zlib|page-unreadable|{}", problem)});
    CHECK(site.rows("SELECT change FROM changes WHERE taken_at GLOB '2022-03-02*'").empty());
}

TEST_CASE("Stacks that become known are no change") {
    const std::vector<Spec> specs = {{hash_of("a")}, {hash_of("b")}};
    for (const bool backwards : {false, true}) {
        Site site;
        const auto load_old = [&] {
            site.write("develop/zlib", old_page::g1("zlib", "develop", specs));
            site.load("2022-06-01");
        };
        const auto load_later = [&] {
            site.write("develop/zlib", {{"specs.md", later_page("develop", specs).text()}});
            site.load("2023-06-01");
        };
        backwards ? load_later() : load_old();
        backwards ? load_old() : load_later();
        CHECK(site.rows("SELECT substr(taken_at, 1, 4), stacks FROM specs "
                        "WHERE hash GLOB 'a*' ORDER BY 1") == Lines{"2022|NULL", "2023|e4s,root"});
        CHECK(site.rows("SELECT count(*) FROM spec") == Lines{"2"});
        CHECK(site.rows("SELECT * FROM findings").empty());
        CHECK(site.rows("SELECT substr(taken_at, 1, 4), change FROM changes") ==
              Lines{"2022|added", "2022|added"});
        CHECK(site.rows("SELECT * FROM spec_drift WHERE from_snapshot GLOB 'develop@2022*' "
                        "AND to_snapshot GLOB 'develop@2023*'")
                  .empty());
        CHECK(find_problems(site.ledger().database(), 10).empty());
    }
}

TEST_CASE("Unknown stacks are other content than none") {
    Site site;
    const std::vector<Spec> specs = {{hash_of("a")}};
    site.write("develop/zlib", old_page::g1("zlib", "develop", specs));
    site.load(moment);
    PrintedPage page = later_page("develop", specs);
    page.specs[0].stacks.clear();
    site.write("develop/zlib", {{"specs.md", page.text()}});
    CHECK(site.refusal(moment).size() == 1);
}

TEST_CASE("meta of an old page is compared with what its files say") {
    Site site;
    Files files = old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}});
    const std::string meta = R"("versions": ["1.0"], "compilers": ["gcc@9.3.0"])";
    std::string& text = files["index.md"];
    text.replace(text.find(meta), meta.size(),
                 R"("versions": ["1.0", "1.1"], "compilers": ["gcc@=9.3.0"], "stacks": ["e4s"])");
    site.write("zlib", files);
    site.load(moment);
    CHECK(site.rows("SELECT kind, detail FROM findings") ==
          Lines{"meta-mismatch|versions: meta has 1.1, no spec does"});
}

TEST_CASE("A history of old pages can be loaded in any order, and forgotten") {
    const Files first = old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}});
    const Files second = old_page::g0b("zlib", {{hash_of("b")}, {hash_of("c")}});
    Site site;
    site.write("zlib", second);
    site.load("2022-03-02");
    const auto only_second = site.ledger().tables_without_ids();
    site.write("zlib", first);
    site.load("2022-03-01");
    CHECK(site.rows("SELECT substr(taken_at, 9, 2), substr(hash, 1, 1), change FROM changes "
                    "ORDER BY 1, 2") ==
          Lines{"01|a|added", "01|b|added", "02|a|removed", "02|c|added"});
    CHECK(site.rows("SELECT name FROM series") == Lines{"untagged"});
    CHECK(find_problems(site.ledger().database(), 10).empty());

    Site other;
    other.write("zlib", first);
    other.load("2022-03-01");
    other.write("zlib", second);
    other.load("2022-03-02");
    for (const auto& sql :
         {"SELECT * FROM changes ORDER BY 2, 6", "SELECT * FROM specs ORDER BY 2, 7"}) {
        CHECK(site.rows(sql).size() == other.rows(sql).size());
    }
    forget(other.ledger().database(),
           other.rows("SELECT name FROM snapshots ORDER BY taken_at").at(0));
    CHECK(other.rows("SELECT count(*) FROM specs") == Lines{"2"});
    CHECK(other.ledger().tables_without_ids()["presence"] == only_second.at("presence"));
}

}  // namespace old_page_test
