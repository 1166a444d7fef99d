#include "schema/ledger/wishes/package_wishes.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <string>
#include <vector>

#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace wish_answers_test {

using namespace cacheledger;

namespace {

/// Builds of hdf5. Of those with "page" only the look is known.
void add_builds(GraphLedger& ledger) {
    ledger.add({.stem = "gcc", .package = "gcc", .version = "13.2.0"});
    ledger.add({.stem = "clang", .package = "llvm", .version = "17.0.6"});
    ledger.add({.stem = "mpich", .package = "mpich", .version = "4.2"});
    ledger.add({.stem = "a",
                .package = "hdf5",
                .edges = {{"gcc", "build", "c,cxx"}, {"mpich", "build,link", "mpi"}},
                .version = "1.14.3",
                .variants = "+mpi +shared",
                .compiler = "gcc@13.2.0",
                .compiler_from = "edge"});
    ledger.add({.stem = "b",
                .package = "hdf5",
                .edges = {{"clang", "build", "c,cxx"}},
                .version = "1.12.1",
                .variants = "~mpi +shared",
                .compiler = "llvm@17.0.6",
                .compiler_from = "edge"});
    ledger.add({.stem = "c", .package = "hdf5", .version = "1.14.5", .variants = "+cuda"});
    ledger.add({.stem = "pagea",
                .package = "hdf5",
                .version = "1.14.3",
                .variants = "+mpi +shared",
                .compiler = "gcc@13.2.0",
                .is_described = false});
    ledger.add({.stem = "pageb",
                .package = "hdf5",
                .version = "1.14.3",
                .variants = "~mpi +shared",
                .is_described = false});
}

/// The stems of those that meet the wish: "a pagea?", '?' where it is not sure, '!' where it is as
/// preferred.
std::string met(GraphLedger& ledger, const std::string& spec, const std::string& conditions) {
    SQLite::Statement select(ledger.database(),
                             "SELECT x.spec_id, x.look_id, x.hash FROM spec x JOIN look USING "
                             "(look_id) JOIN package k USING (package_id) WHERE k.name = 'hdf5' "
                             "ORDER BY x.spec_id");
    std::vector<SpecAndLook> specs;
    std::vector<std::string> hashes;
    while (select.executeStep()) {
        specs.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64()});
        hashes.push_back(select.getColumn(2).getString());
    }
    const Wish wish{spec, parse_spec(spec), "", 1, parse_conditions(conditions)};
    SearchMemory memory(ledger.database());
    std::string text;
    for (const MetBy& one : specs_that_meet(ledger.database(), wish, specs, memory)) {
        for (std::size_t i = 0; i < specs.size(); ++i) {
            for (const char* const stem : {"pagea", "pageb", "a", "b", "c"}) {
                if (specs[i].spec_id == one.spec_id && hashes[i] == hash_of(stem)) {
                    text += (text.empty() ? "" : " ") + std::string(stem) +
                            (one.is_sure ? "" : "?") + (one.is_preferred ? "!" : "");
                }
            }
        }
    }
    return text;
}

}  // namespace

TEST_CASE("A wish is met by what matches its spec and its conditions") {
    GraphLedger ledger;
    add_builds(ledger);
    struct Case {
        const char* spec;
        const char* conditions;
        const char* met;
    };
    const std::vector<Case> cases = {
        {"hdf5", "[]", "a! b! c! pagea! pageb!"},
        {"hdf5@1.14 +mpi", "[]", "a! pagea!"},
        {"hdf5 ^mpich", "[]", "a! pagea?! pageb?!"},
        {"zlib", "[]", ""},
        {"hdf5", R"([{"require":"+mpi"}])", "a! pagea!"},
        // Of all: only where the build has the variant.
        {"hdf5", R"([{"require":"+mpi","of":"all"}])", "a! c! pagea!"},
        {"hdf5", R"([{"require":"%gcc"}])", "a! pagea! pageb?!"},
        // Of all: c uses no compiler.
        {"hdf5", R"([{"require":"%gcc","of":"all"}])", "a! c! pagea! pageb?!"},
        {"hdf5", R"([{"require":"%c,cxx=clang"}])", "b! pageb?!"},
        // A page shows one compiler, which is that of C if the build uses C.
        {"hdf5", R"([{"require":"%c,cxx=gcc"}])", "a! pagea?! pageb?!"},
        {"hdf5", R"([{"require":"%cxx=clang"}])", "b! pagea?! pageb?!"},
        {"hdf5 %fortran=gcc", "[]", "pagea?! pageb?!"},
        {"hdf5", R"([{"require":"@1.14:"},{"require":"+shared"}])", "a! pagea! pageb!"},
        {"hdf5", R"([{"any_of":["@1.12","+cuda"]}])", "b! c!"},
        {"hdf5", R"([{"one_of":["+shared","+mpi"]}])", "b! pageb!"},
        {"hdf5", R"([{"one_of":["%gcc","+mpi"]}])", "pageb?!"},
        {"hdf5", R"([{"one_of":["+mpi","*"]}])", "b! c! pageb!"},
        {"hdf5", R"([{"require":"~mpi","when":"%gcc"}])", "b! c! pageb!"},
        {"hdf5", R"([{"require":"+mpi","when":"%gcc"}])", "a! b! c! pagea! pageb?!"},
        {"hdf5", R"([{"prefer":"+mpi"}])", "a! b c pagea! pageb"},
        {"hdf5", R"([{"prefer":"%gcc","of":"all"}])", "a! b c! pagea! pageb"},
    };
    for (const Case& one : cases) {
        INFO(one.spec << " " << one.conditions);
        CHECK(met(ledger, one.spec, one.conditions) == one.met);
    }
}

}  // namespace wish_answers_test
