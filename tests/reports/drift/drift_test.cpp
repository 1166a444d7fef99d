#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/run/run_report.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace drift_test {

using namespace cacheledger;

namespace {

using Specs = std::vector<PrintedSpec>;

const std::string before_name = "develop@2025-03-01T00:00:00Z";
const std::string after_name = "develop@2025-03-02T00:00:00Z";

/// Two snapshots, and what the ledger says of the way from one to the other.
class Pair {
  public:
    Pair(const std::vector<PrintedPage>& before, const std::vector<PrintedPage>& after) {
        ledger_.take("2025-03-01", before);
        ledger_.take("2025-03-02", after);
    }
    Pair(const Specs& before, const Specs& after)
        : Pair(std::vector{PrintedPage{"zlib", before}}, std::vector{PrintedPage{"zlib", after}}) {}

    /// Each spec that only one has: change, cause, and the hash up to its first 'a'.
    Lines causes(const std::string& from = before_name, const std::string& to = after_name) {
        return ledger_.rows(fmt::format(
            "SELECT change, cause, substr(hash, 1, instr(hash, 'a') - 1) FROM spec_drift "
            "WHERE from_snapshot = '{}' AND to_snapshot = '{}' "
            "ORDER BY hash",
            from, to));
    }

    /// The rows of a report of drift/.
    Lines report(const std::string& name, const Arguments& filters = {}) {
        Arguments arguments = filters;
        arguments["from"] = before_name;
        arguments["to"] = after_name;
        Lines lines;
        for (const auto& row :
             run_report(ledger_.database(), catalog_.find("drift/" + name), arguments).rows) {
            std::string line;
            for (const Value& value : row) {
                line += fmt::format("{}{}", line.empty() ? "" : "|", to_text(value));
            }
            lines.push_back(line);
        }
        return lines;
    }

    TempLedger& ledger() { return ledger_; }

  private:
    TempLedger ledger_;
    Catalog catalog_;
};

PrintedSpec with_target(const std::string& stem, const std::string& target) {
    return {.hash = hash_of(stem), .target = target};
}
PrintedSpec with_variants(const std::string& stem, const std::vector<std::string>& variants) {
    return {.hash = hash_of(stem), .variants = variants};
}
}  // namespace

TEST_CASE("A package that only one snapshot has") {
    const std::vector<PrintedPage> before = {{"hwloc", {spec("b")}}, {"zlib", {spec("c")}}};
    const std::vector<PrintedPage> after = {{"mpich", {spec("d"), spec("e")}},
                                            {"zlib", {spec("c")}}};
    Pair pair(before, after);
    CHECK(pair.causes() == Lines{"removed|package|b", "added|package|d", "added|package|e"});
    CHECK(pair.report("packages") == Lines{"package-added|mpich|2", "package-removed|hwloc|1"});
}

TEST_CASE("A page without specs is no package") {
    Pair pair(Specs{}, {spec("b")});
    CHECK(pair.causes() == Lines{"added|package|b"});
}

TEST_CASE("A version that only one snapshot has") {
    Pair pair({with_version("b", "1.0"), with_version("c", "1.1")},
              {with_version("c", "1.1"), with_version("d", "1.2"), with_version("e", "1.2")});
    CHECK(pair.causes() == Lines{"removed|version|b", "added|version|d", "added|version|e"});
    CHECK(pair.report("versions") ==
          Lines{"version-added|zlib|1.2|2", "version-removed|zlib|1.0|1"});
}

TEST_CASE("A target that only one snapshot has") {
    Pair pair({with_target("b", "x86_64"), with_target("c", "zen4")},
              {with_target("c", "zen4"), with_target("d", "aarch64"), with_target("e", "aarch64")});
    CHECK(pair.causes() == Lines{"removed|target|b", "added|target|d", "added|target|e"});
    CHECK(pair.report("targets") ==
          Lines{"target-changed|zlib|1.0|linux-ubuntu24.04-aarch64|linux-ubuntu24.04-x86_64|2|1"});
}

TEST_CASE("Another system is another target") {
    Pair pair({spec("b"), spec("c")}, {{.hash = hash_of("d"), .os = "rhel9"},
                                       {.hash = hash_of("e"), .platform = "darwin"}});
    CHECK(pair.causes() ==
          Lines{"removed|target|b", "removed|target|c", "added|target|d", "added|target|e"});
}

TEST_CASE("A compiler that only one snapshot has") {
    Pair pair({with_compiler("b", "gcc@11.4.0"), with_compiler("c", "gcc@12.3.0")},
              {with_compiler("c", "gcc@12.3.0"), with_compiler("d", "gcc@13.2.0")});
    CHECK(pair.causes() == Lines{"removed|compiler|b", "added|compiler|d"});
    CHECK(pair.report("compilers") ==
          Lines{"compiler-changed|zlib|1.0|linux|ubuntu24.04|x86_64_v3|gcc@11.4.0|gcc@13.2.0|1|1"});
}

TEST_CASE("Variants that only one snapshot has") {
    Pair pair({with_variants("b", {"~mpi", "+shared", "build_type=Debug", "+pic"})},
              {with_variants("c", {"+mpi", "~shared", "build_type=Release", "+pic"})});
    CHECK(pair.causes() == Lines{"removed|variants|b", "added|variants|c"});
    CHECK(pair.report("variants") ==
          Lines{"variants-changed|zlib|1.0|linux|ubuntu24.04|x86_64_v3|"
                "build_type: Debug -> Release; mpi: false -> true; shared: "
                "true -> false|1|1"});
}

TEST_CASE("A choice of variants that is dropped, added, new or gone is told apart from another") {
    const auto options = [](const Specs& before, const Specs& after) {
        const Lines rows = Pair(before, after).report("variants");
        REQUIRE(rows.size() == 1);
        const std::string prefix = "variants-changed|zlib|1.0|linux|ubuntu24.04|x86_64_v3|";
        REQUIRE(rows[0].starts_with(prefix));
        const auto removed = rows[0].rfind('|');
        const auto added = rows[0].rfind('|', removed - 1);
        return rows[0].substr(prefix.size(), added - prefix.size());
    };
    const PrintedSpec with = with_variants("b", {"+x"});
    const PrintedSpec without = with_variants("c", {"~x"});
    CHECK(options({with, without}, {with}) == "~x dropped");
    CHECK(options({with, without}, {without}) == "+x dropped");
    CHECK(options({with}, {with, without}) == "~x added");
    CHECK(options({without}, {with, without}) == "+x added");
    CHECK(options({without}, {with}) == "x: false -> true");
    CHECK(options({with_variants("d", {"k=a"})}, {with_variants("e", {"+x", "k=a"})}) ==
          "x: (none) -> true");
    CHECK(options({with_variants("d", {"+x", "k=a"})}, {with_variants("e", {"k=a"})}) ==
          "x: true -> (none)");
    CHECK(options({with_variants("d", {"+y", "k=1"}), with_variants("e", {"+y"})},
                  {with_variants("d", {"+y", "k=1"})}) == "k: (none)|1 -> 1");
    CHECK(options({with_variants("d", {"+x", "+y"}), with_variants("e", {"~x", "~y"})},
                  {with_variants("f", {"+x", "~y"}), with_variants("g", {"~x", "+y"})}) ==
          "other combinations of the same values");
}

TEST_CASE("Lost and gained tell no compiler from nothing") {
    Pair gone({with_compiler("b", "gcc@11.4.0"), with_compiler("c", "gcc@12.3.0")},
              {with_compiler("c", "gcc@12.3.0")});
    CHECK(gone.report("compilers") ==
          Lines{"compiler-changed|zlib|1.0|linux|ubuntu24.04|x86_64_v3|gcc@11.4.0||0|1"});
}

TEST_CASE("A choice of variants that comes beside another") {
    Pair pair({with_variants("b", {"fabrics=tcp"})},
              {with_variants("b", {"fabrics=tcp"}), with_variants("c", {"fabrics=tcp,udp"})});
    CHECK(pair.causes() == Lines{"added|variants|c"});
    CHECK(pair.report("variants").size() == 1);
}

TEST_CASE("Specs that look the same under other hashes are rebuilt") {
    Pair pair({spec("b"), spec("c")}, {spec("d"), spec("e")});
    CHECK(pair.causes() ==
          Lines{"removed|rebuilt|b", "removed|rebuilt|c", "added|rebuilt|d", "added|rebuilt|e"});
    CHECK(pair.report("rebuilt") ==
          Lines{fmt::format("rebuilt|zlib|1.0|linux|ubuntu24.04|x86_64_v3|gcc@13.2.0|"
                            "build_system=cmake|2|2|{},{}|{},{}",
                            hash_of("b"), hash_of("c"), hash_of("d"), hash_of("e"))});
    CHECK(pair.report("copies").empty());
}

TEST_CASE("More or fewer that look the same are copies") {
    Pair more({spec("b")}, {spec("b"), spec("c"), spec("d")});
    CHECK(more.causes() == Lines{"added|copies|c", "added|copies|d"});
    CHECK(more.report("copies") ==
          Lines{fmt::format("copies-changed|zlib|1.0|linux|ubuntu24.04|x86_64_v3|gcc@13.2.0|"
                            "build_system=cmake|1|3|2|0|{},{}",
                            hash_of("c"), hash_of("d"))});
    CHECK(more.report("rebuilt").empty());

    Pair fewer({spec("b"), spec("c")}, {spec("c")});
    CHECK(fewer.causes() == Lines{"removed|copies|b"});
}

TEST_CASE("Rebuilt explains as many added as removed specs, copies what is left over") {
    Pair pair({spec("b")}, {spec("c"), spec("d"), spec("e")});
    CHECK(pair.causes() ==
          Lines{"removed|rebuilt|b", "added|rebuilt|c", "added|copies|d", "added|copies|e"});
    CHECK(pair.report("rebuilt").size() == 1);
    CHECK(pair.report("copies").empty());
    CHECK(pair.report("summary") == Lines{"package|0|0", "version|0|0", "target|0|0",
                                          "compiler|0|0", "variants|0|0", "rebuilt|1|1",
                                          "copies|2|0"});
}

TEST_CASE("Specs are paired within their look group") {
    Pair pair(
        {with_variants("b", {"+mpi"}), with_variants("c", {"~mpi"}), with_variants("d", {"~mpi"})},
        {with_variants("d", {"~mpi"}), with_variants("e", {"+mpi"}), with_variants("f", {"+mpi"})});
    CHECK(pair.causes() ==
          Lines{"removed|rebuilt|b", "removed|copies|c", "added|rebuilt|e", "added|copies|f"});
}

TEST_CASE("The first cause that holds is the one") {
    PrintedSpec other{.hash = hash_of("c"),
                      .version = "2.0",
                      .compiler = "llvm@19",
                      .target = "zen4",
                      .variants = {"+mpi"}};
    CHECK(Pair({spec("b")}, {other}).causes() == Lines{"removed|version|b", "added|version|c"});
    other.version = "1.0";
    CHECK(Pair({spec("b")}, {other}).causes() == Lines{"removed|target|b", "added|target|c"});
    other.target = "x86_64_v3";
    CHECK(Pair({spec("b")}, {other}).causes() == Lines{"removed|compiler|b", "added|compiler|c"});
    other.compiler = "gcc@13.2.0";
    CHECK(Pair({spec("b")}, {other}).causes() == Lines{"removed|variants|b", "added|variants|c"});
}

TEST_CASE("A cause is sought in all of the other snapshot, in what stayed as well") {
    const PrintedSpec old_gcc{.hash = hash_of("b"), .compiler = "gcc@11", .variants = {"+mpi"}};
    const PrintedSpec new_gcc{.hash = hash_of("c"), .compiler = "gcc@13", .variants = {"~mpi"}};
    const PrintedSpec added{.hash = hash_of("d"), .compiler = "gcc@13", .variants = {"+mpi"}};
    CHECK(Pair({old_gcc, new_gcc}, {old_gcc, new_gcc, added}).causes() ==
          Lines{"added|variants|d"});
}

TEST_CASE("A missing compiler matches any compiler") {
    Pair lost({with_compiler("b", "gcc@13.2.0")}, {with_compiler("c", "none")});
    CHECK(lost.causes() == Lines{"removed|rebuilt|b", "added|rebuilt|c"});
    REQUIRE(lost.report("rebuilt").size() == 1);
    CHECK(lost.report("rebuilt")[0].starts_with(
        "rebuilt|zlib|1.0|linux|ubuntu24.04|x86_64_v3||build_system=cmake|1|1|"));

    Pair found({with_compiler("b", "none")}, {with_compiler("c", "gcc@13.2.0")});
    CHECK(found.causes() == Lines{"removed|rebuilt|b", "added|rebuilt|c"});
}

TEST_CASE("A missing compiler is no cause where variants changed") {
    Pair pair({{.hash = hash_of("b"), .compiler = "gcc@13.2.0", .variants = {"+mpi"}}},
              {{.hash = hash_of("c"), .compiler = "none", .variants = {"~mpi"}}});
    CHECK(pair.causes() == Lines{"removed|variants|b", "added|variants|c"});
}

TEST_CASE("A look group with a missing compiler is one for all compilers") {
    Pair pair({with_compiler("b", "gcc@11.4.0"), with_compiler("c", "gcc@13.2.0")},
              {with_compiler("d", "none")});
    CHECK(pair.causes() == Lines{"removed|rebuilt|b", "removed|copies|c", "added|rebuilt|d"});
    CHECK(pair.report("rebuilt").size() == 1);
    CHECK(pair.report("copies").empty());
}

TEST_CASE("A spec without compiler that stays makes its look group one") {
    const PrintedSpec stays = with_compiler("f", "none");
    Pair pair({with_compiler("b", "gcc@11.4.0"), stays}, {with_compiler("c", "llvm@19"), stays});
    CHECK(pair.causes() == Lines{"removed|rebuilt|b", "added|rebuilt|c"});

    Pair without({with_compiler("b", "gcc@11.4.0")}, {with_compiler("c", "llvm@19")});
    CHECK(without.causes() == Lines{"removed|compiler|b", "added|compiler|c"});
}

TEST_CASE("Specs join and leave stacks") {
    Pair pair({in_stacks("b", {"e4s", "root"}), in_stacks("c", {"ml", "root"})},
              {in_stacks("b", {"e4s", "ml", "root"}), in_stacks("c", {"hep", "root"})});
    CHECK(pair.causes().empty());
    CHECK(pair.report("stacks") == Lines{fmt::format("stack-joined|zlib|1.0|{}|ml", hash_of("b")),
                                         fmt::format("stack-joined|zlib|1.0|{}|hep", hash_of("c")),
                                         fmt::format("stack-left|zlib|1.0|{}|ml", hash_of("c"))});
}

TEST_CASE("The stack root is left out") {
    Pair pair({in_stacks("b", {"e4s"})}, {in_stacks("b", {"e4s", "root"})});
    CHECK(pair.report("stacks").empty());
    CHECK(pair.ledger().rows("SELECT * FROM changes WHERE change <> 'added'").empty());
}

TEST_CASE("Spelling is no change") {
    Pair pair({{.hash = hash_of("b"),
                .compiler = "oneapi@=2024.2.1",
                .variants = {"fabrics=sockets,tcp", "patches=5c7a3c0", "+mpi"},
                .stacks = {"root", "e4s"}}},
              {{.hash = hash_of("c"),
                .compiler = "intel-oneapi-compilers@2024.2.1/abcdefg",
                .variants = {"mpi:=True", "patches:=5c7a3c0111", "fabrics:='tcp,sockets'"},
                .stacks = {"e4s", "root"}}});
    CHECK(pair.causes() == Lines{"removed|rebuilt|b", "added|rebuilt|c"});
    CHECK(pair.ledger().value("SELECT count(*) FROM look") == "1");
    CHECK(pair.ledger().value("SELECT count(*) FROM stack_set") == "1");
}

TEST_CASE("The way back is the same with added and removed exchanged") {
    Pair pair({spec("b"), with_version("c", "2.0")}, {spec("d"), spec("e")});
    CHECK(pair.causes() ==
          Lines{"removed|rebuilt|b", "removed|version|c", "added|rebuilt|d", "added|copies|e"});
    CHECK(pair.causes(after_name, before_name) ==
          Lines{"added|rebuilt|b", "added|version|c", "removed|rebuilt|d", "removed|copies|e"});
    CHECK(pair.causes(after_name, after_name).empty());
}

TEST_CASE("What went and came back between two snapshots is no change") {
    Pair pair({spec("b")}, {spec("c")});
    pair.ledger().take("2025-03-03", {{"zlib", {spec("b")}}});
    CHECK(pair.causes(before_name, "develop@2025-03-03T00:00:00Z").empty());
    CHECK(pair.causes(after_name, "develop@2025-03-03T00:00:00Z") ==
          Lines{"added|rebuilt|b", "removed|rebuilt|c"});
}

TEST_CASE("Snapshots of two series are compared") {
    Pair pair({spec("b"), in_stacks("c", {"e4s"})}, {spec("b")});
    pair.ledger().take("2025-03-02", {{"zlib", {in_stacks("c", {"ml"}), spec("d")}, "v1.0", ""}});
    const std::string release = "v1.0@2025-03-02T00:00:00Z";
    CHECK(pair.causes(before_name, release) == Lines{"removed|rebuilt|b", "added|rebuilt|d"});
    CHECK(pair.causes(release, before_name) == Lines{"added|rebuilt|b", "removed|rebuilt|d"});
}

TEST_CASE("The view takes the name of a stack as it is, the program a pattern, too") {
    Pair pair({}, Specs{in_stacks("x", {"a[b]"}), in_stacks("y", {"ab"}), in_stacks("z", {"ml"})});
    CHECK(pair.ledger().rows("SELECT change, hash FROM stack_drift JOIN spec USING (spec_id) "
                             "WHERE stack = 'a[b]' AND change = 'added'") ==
          Lines{"added|" + hash_of("x")});
    CHECK(pair.report("specs", {{"stack", std::string("a[b]")}}).size() == 2);
    CHECK(pair.report("specs", {{"stack", std::string("ml")}}).size() == 1);
}

}  // namespace drift_test
