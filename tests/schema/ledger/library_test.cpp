#include "schema/libraries/library.hpp"

#include <unistd.h>

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace library_test {

using namespace cacheledger;

namespace {

constexpr Library libc{"libc.so.6", "everything needs it"};
CACHELEDGER_ON_DEMAND(libc, getppid);

constexpr Library nothing{"libnothing.so.1", "nobody needs it"};
CACHELEDGER_ON_DEMAND(nothing, getsid);

std::string problem_of(const Library& library, const char* function) {
    try {
        library.find(function);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("A function of a library that is opened on demand is called by its own name") {
    CHECK(getppid() == ::getppid());
    CHECK(getppid() == ::getppid());
}

TEST_CASE("A library that is not there is named, and what it is for") {
    CHECK(problem_of(nothing, "getsid") ==
          "libnothing.so.1: cannot open shared object file: No such file or directory; install it: "
          "nobody needs it");
    CHECK_THROWS_AS(getsid(0), UsageError);
    const std::string lacks = problem_of(libc, "no_such_function");
    CHECK(lacks.find("libc.so.6: undefined symbol: no_such_function; ") != std::string::npos);
    CHECK(lacks.find('\n') == std::string::npos);
}

}  // namespace library_test
