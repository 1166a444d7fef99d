#include "schema/ledger/names/nearest.hpp"

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace nearest_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

using Names = std::vector<std::string>;

const Names packages = {"hdf5",     "kokkos", "kokkos-kernels", "py-numpy",
                        "py-torch", "zlib",   "zlib-ng"};

}  // namespace

TEST_CASE("The nearest names take the fewest changes of a character") {
    CHECK(nearest_names("zlob", packages) == Names{"zlib", "zlib-ng"});
    CHECK(nearest_names("zlib-n", packages) == Names{"zlib-ng"});
    CHECK(nearest_names("py_numpi", packages) == Names{"py-numpy"});
    CHECK(nearest_names("HDF5", packages) == Names{"hdf5"});
}

TEST_CASE("The words of a name are as near as the whole, which comes first") {
    CHECK(nearest_names("kokos", packages) == Names{"kokkos", "kokkos-kernels"});
    CHECK(nearest_names("torch", packages) == Names{"py-torch"});
    CHECK(nearest_names("kernels", packages) == Names{"kokkos-kernels"});
    CHECK(nearest_names("stack", {"drift/stacks", "coverage/stacks", "coverage/targets"}) ==
          Names{"coverage/stacks", "drift/stacks"});
    CHECK(nearest_names("aab", {"aaa-z", "aaa-y", "aaa-x", "aaa-w", "aaa"}) ==
          Names{"aaa", "aaa-w", "aaa-x"});
}

TEST_CASE("Two neighbours that are swapped are one change") {
    CHECK(nearest_names("spces", {"specs", "sizes"}) == Names{"specs"});
    CHECK(nearest_names("wyh", {"why", "sql"}) == Names{"why"});
}

TEST_CASE("Two changes of a short word make another word, unless both begin alike") {
    CHECK(nearest_names("log", {"coverage/no-stack"}).empty());
    CHECK(nearest_names("foo", {"root"}).empty());
    CHECK(nearest_names("nope", {"open"}).empty());
    CHECK(nearest_names("topics", {"drift/copies"}).empty());
    CHECK(nearest_names("koko", packages) == Names{"kokkos", "kokkos-kernels"});
}

TEST_CASE("If no name is spelled alike, those are near that begin with what is typed") {
    CHECK(nearest_names("snap", {"specs", "snapshots"}) == Names{"snapshots"});
    CHECK(nearest_names("cov", {"coverage", "report"}) == Names{"coverage"});
    CHECK(nearest_names("py-nu", packages) == Names{"py-numpy"});
    CHECK(nearest_names("ker", packages) == Names{"kokkos-kernels"});
    CHECK(nearest_names("zl*", packages) == Names{"zlib", "zlib-ng"});
    CHECK(nearest_names("okko", packages).empty());
}

TEST_CASE("What takes too many changes is not near") {
    for (const std::string typed :
         {"", "z", "qq", "cmake", "zzzzzzzz", "kokkos-kernels-extra-long"}) {
        INFO(typed);
        CHECK(nearest_names(typed, packages).empty());
    }
    CHECK(nearest_names("zlib", {}).empty());
}

TEST_CASE("An unknown name is refused with the nearest, or with what helps otherwise") {
    CHECK_THROWS_MATCHES(refuse_unknown("package", "kokos", packages, "see there"), UsageError,
                         Message("no package 'kokos'; did you mean 'kokkos', 'kokkos-kernels'?"));
    CHECK_THROWS_MATCHES(refuse_unknown("package", "cmake", packages, "see there"), UsageError,
                         Message("no package 'cmake'; see there"));
}

}  // namespace nearest_test
