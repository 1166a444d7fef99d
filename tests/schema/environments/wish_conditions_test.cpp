#include <string>
#include <vector>

#include "schema/specs/environments/wish_list.hpp"
#include "tests/support/catch.hpp"

namespace wish_conditions_test {

using namespace cacheledger;

namespace {

/// The conditions of the first wish.
std::string conditions(const WishList& list) {
    return list.wishes.empty() ? "no wish" : conditions_text(list.wishes.front().conditions);
}

/// Of the wish hdf5, where `packages` is this.
std::string conditions(const std::string& packages) {
    return conditions(
        read_wish_list("spack:\n  specs: [hdf5]\n  packages: " + packages + "\n", "spack.yaml"));
}

/// The same of a group that overrides `packages`.
std::string overridden(const std::string& packages, const std::string& over) {
    return conditions(
        read_wish_list("spack:\n  specs:\n  - group: g\n    specs: [hdf5]\n    "
                       "override: {packages: " +
                           over + "}\n  packages: " + packages + "\n",
                       "spack.yaml"));
}

}  // namespace

TEST_CASE("What packages require narrows a wish as Spack has it") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"{}", "[]"},
        {"{all: {require: +mpi}}", R"([{"require":"+mpi","of":"all"}])"},
        {"{all: {require: ['%gcc', target=x86_64_v3]}}",
         R"([{"require":"%gcc","of":"all"},{"require":"target=x86_64_v3","of":"all"}])"},
        // What the package has of its own stands in place of that of all.
        {"{all: {require: +mpi, prefer: [+hl]}, hdf5: {require: ['@1.14:', 'hdf5 ~shared']}}",
         R"([{"require":"@1.14:"},{"require":"~shared"},{"prefer":"+hl","of":"all"}])"},
        {"{all: {require: +mpi}, hdf5: {require: []}}", R"([{"require":"+mpi","of":"all"}])"},
        {"{hdf5: {require: [{one_of: [+a, +b], when: '@2:', message: x}, {any_of: [+c, +d]}, "
         "{spec: +e}]}}",
         R"([{"one_of":["+a","+b"],"when":"@2:"},{"any_of":["+c","+d"]},{"require":"+e"}])"},
        {"{hdf5: {conflict: [+x]}}", R"([{"one_of":["+x","*"]}])"},
        {"{hdf5: {variants: +mpi, version: [1.14], buildable: false, target: [zen4], externals: "
         "[{spec: hdf5@1, prefix: /usr}]}}",
         "[]"},
        {"{hdf5: {require: ['+a@@', +b, 3, zlib, {spec: +c, where: x}]}}", R"([{"require":"+b"}])"},
    };
    for (const auto& [packages, expected] : cases) {
        INFO(packages);
        CHECK(conditions(packages) == expected);
    }
}

TEST_CASE("A group overrides packages as a scope of Spack's settings does") {
    const std::string outer = "{all: {require: [target=x86_64_v3]}}";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"{all: {require: [+cuda]}}",
         R"([{"require":"+cuda","of":"all"},{"require":"target=x86_64_v3","of":"all"}])"},
        {"{all: {require: +cuda}}", R"([{"require":"+cuda","of":"all"}])"},
        {"{all: {'require:': [+cuda]}}", R"([{"require":"+cuda","of":"all"}])"},
        {"{all: {require:: [+cuda]}}", R"([{"require":"+cuda","of":"all"}])"},
        {"{all: {prefer: [+cuda]}}",
         R"([{"require":"target=x86_64_v3","of":"all"},{"prefer":"+cuda","of":"all"}])"},
        {"{hdf5: {require: [+hl]}}", R"([{"require":"+hl"}])"},
    };
    for (const auto& [over, expected] : cases) {
        INFO(over);
        CHECK(overridden(outer, over) == expected);
    }
}

TEST_CASE("Of a compiler nothing is demanded that all demands of dependencies") {
    const WishList list = read_wish_list(
        "spack:\n  specs: [gcc]\n  packages: {all: {require: ['%gcc@12', target=zen4]}}\n", "x");
    CHECK(conditions(list) == R"([{"require":"target=zen4","of":"all"}])");
}

TEST_CASE("Conditions that are not understood are findings") {
    const WishList list = read_wish_list(
        "spack:\n  specs: [hdf5]\n  packages:\n    hdf5:\n      require: zlib\n      wants: x\n"
        "    all:\n      prefer: [{spec: +a, any_of: [b]}]\n",
        "x");
    REQUIRE(list.findings.size() == 3);
    CHECK(list.findings[0].line == 5);
    CHECK(list.findings[0].detail ==
          "packages: hdf5: require: 'zlib' is of another package: left out");
    CHECK(list.findings[1].detail == "packages: hdf5: 'wants' is not known: left out");
    CHECK(list.findings[2].line == 8);
    CHECK(conditions(list) == "[]");
}

TEST_CASE("What is required has words for people") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"[]", ""},
        {R"([{"prefer":"+a"}])", ""},
        {R"([{"one_of":["+a","+b"]},{"require":"+c"},{"require":"target=zen4","of":"all"}])",
         "+c target=zen4; one of: +a, +b"},
        {R"([{"any_of":["+a","+b"],"when":"@2:"}])", "any of: +a, +b when @2:"},
        {R"([{"one_of":["+shared","*"]}])", "conflicts with +shared"},
    };
    for (const auto& [conditions, words] : cases) {
        INFO(conditions);
        CHECK(words_of_requirements(parse_conditions(conditions)) == words);
    }
}

TEST_CASE("Conditions are read from their text as they were") {
    const std::vector<std::string> texts = {
        "[]",
        R"([{"require":"+cuda","of":"all"}])",
        R"([{"any_of":["+a","+b"],"when":"@2:"},{"prefer":"+hl ^zlib@1.3"}])",
        R"([{"one_of":["+a"]},{"require":["+a","+b"]},{"prefer":"%c,cxx=gcc","of":"all"}])",
    };
    for (const std::string& text : texts) {
        CHECK(conditions_text(parse_conditions(text)) == text);
    }
    for (const std::string text : {"", "{}", "[1]", R"([{}])", R"([{"require":"@@"}])",
                                   R"([{"wants":"+a"}])", R"([{"require":3}])"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_conditions(text), std::invalid_argument);
    }
}

}  // namespace wish_conditions_test
