#include "schema/specs/spelling/compiler.hpp"

#include <stdexcept>
#include <string>

#include "tests/support/catch.hpp"

namespace compiler_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

std::string canonical(const std::string& printed) {
    const auto compiler = parse_compiler(printed);
    return compiler ? compiler->spec : "(none)";
}

}  // namespace

TEST_CASE("A compiler is a name and a version") {
    const auto compiler = parse_compiler("gcc@13.2.0");
    REQUIRE(compiler);
    CHECK(compiler->name == "gcc");
    CHECK(compiler->version == "13.2.0");
    CHECK(compiler->spec == "gcc@13.2.0");
}

TEST_CASE("Every spelling of a compiler is one compiler") {
    for (const auto* printed :
         {"gcc@13.2.0", "gcc@=13.2.0", "gcc@13.2.0/abcdefg", "gcc@=13.2.0/abcdefg"}) {
        CHECK(canonical(printed) == "gcc@13.2.0");
    }
}

TEST_CASE("Compilers have the names of packages") {
    CHECK(canonical("clang@15.0.0") == "llvm@15.0.0");
    CHECK(canonical("oneapi@=2024.2.1") == "intel-oneapi-compilers@2024.2.1");
    CHECK(canonical("rocmcc@5.1") == "llvm-amdgpu@5.1");
    CHECK(canonical("intel@2021.7") == "intel-oneapi-compilers-classic@2021.7");
    CHECK(canonical("intel-oneapi-compiler-classic@2021.7") ==
          "intel-oneapi-compilers-classic@2021.7");
    CHECK(canonical("arm@23.04") == "acfl@23.04");
    for (const auto* unchanged : {"apple-clang@16.0.0", "llvm@15.0.0", "llvm-amdgpu@6.3.0",
                                  "intel-oneapi-compilers@2025.1", "cce@17", "nvhpc@24.1"}) {
        CHECK(canonical(unchanged) == unchanged);
    }
}

TEST_CASE("A spec may have no compiler, and a compiler no version") {
    CHECK(canonical("none") == "(none)");
    const auto compiler = parse_compiler("clang");
    REQUIRE(compiler);
    CHECK(compiler->spec == "llvm");
    CHECK_FALSE(compiler->version);
}

TEST_CASE("What can't be a compiler is refused") {
    for (const std::string printed : {"", "@13.2.0", "/abcdefg"}) {
        CHECK_THROWS_MATCHES(
            parse_compiler(printed), std::invalid_argument,
            Message("expected a compiler like gcc@13.2.0 or none, found '" + printed + "'"));
    }
    for (const std::string printed : {"gcc@", "gcc@=", "gcc@/abcdefg"}) {
        CHECK_THROWS_MATCHES(
            parse_compiler(printed), std::invalid_argument,
            Message("expected a version behind '@' in compiler '" + printed + "'"));
    }
}

}  // namespace compiler_test
