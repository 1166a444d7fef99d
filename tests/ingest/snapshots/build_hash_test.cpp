#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace build_hash_test {

// The hashes by which lock files of versions 2 and 3 call specs.
using namespace cacheledger;
using graph_text::lock;
using graph_text::NodeText;
using Lines = std::vector<std::string>;

namespace {

const std::string hdf5 = hash_of("hdf"), zlib = hash_of("zlib"), old_cmake = hash_of("cmakea"),
                  new_cmake = hash_of("cmakeb");
const std::string first_build = hash_of("xaa"), second_build = hash_of("xab");

// hdf5 under a build hash, built with a cmake.
std::string lock_of(const std::string& key, const std::string& cmake) {
    const NodeText root{
        hdf5, "hdf5", "1.14", {{"zlib", zlib, {"link"}}, {"cmake", cmake, {"build"}}}};
    return lock(3, {{key, "hdf5"}},
                {{key, root.text(2)},
                 {zlib, NodeText{zlib}.text(2)},
                 {cmake, NodeText{cmake, "cmake", "3"}.text(2)}});
}

void load(TempLedger& ledger, const std::string& text, const std::string& tag) {
    const std::string file = ledger.folder().write(tag + ".lock", text).string();
    IngestOptions options;
    options.taken_at = parse_moment("2025-03-01").value();
    const Inputs inputs = find_inputs({.arguments = {file}});
    ingest(ledger.database(), *open_graphs(inputs, tag, "a test"), options,
           [](std::size_t, std::size_t) {});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

Lines found(TempLedger& ledger, const std::string& hash) {
    Lines hashes;
    for (const std::int64_t id :
         matching_specs(ledger.database(), read_asked_spec("/" + hash)).specs) {
        hashes.push_back(ledger.value(fmt::format("SELECT hash FROM spec WHERE spec_id = {}", id)));
    }
    return hashes;
}

}  // namespace

TEST_CASE("A spec is found by the build hashes of lock files, in any order of loading") {
    const std::string one = lock_of(first_build, old_cmake),
                      other = lock_of(second_build, new_cmake);
    for (const bool is_first : {true, false}) {
        TempLedger ledger;
        load(ledger, is_first ? one : other, "a");
        load(ledger, is_first ? other : one, "b");
        CHECK(ledger.rows("SELECT * FROM build_hashes ORDER BY 1") ==
              Lines{first_build + "|hdf5|" + hdf5, second_build + "|hdf5|" + hdf5});
        CHECK(ledger.rows("SELECT dependency, deptypes FROM dependencies") == Lines{"zlib|link"});
        CHECK(
            ledger.rows("SELECT dependency_hash, deptypes FROM varying_dependencies ORDER BY 1") ==
            Lines{old_cmake + "|build", new_cmake + "|build"});
        for (const std::string& hash : {first_build, second_build, std::string("xaa"), hdf5}) {
            CHECK(found(ledger, hash) == Lines{hdf5});
        }
        CHECK(found(ledger, "xac").empty());
        CHECK(about_build_hash(ledger.database(), read_asked_spec("/xaa")) ==
              Lines{fmt::format(
                  "/{} is a build hash of a lock file; the DAG hash of this spec is /{}.",
                  first_build, hdf5)});
        CHECK(about_build_hash(ledger.database(), read_asked_spec("/" + hdf5)).empty());
        forget(ledger.database(), "a");
        forget(ledger.database(), "b");
        CHECK(ledger.value("SELECT count(*) FROM spec_build_hash") == "0");
        CHECK(find_problems(ledger.database(), 10).empty());
    }
}

}  // namespace build_hash_test
