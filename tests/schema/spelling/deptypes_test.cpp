#include "schema/specs/spelling/deptypes.hpp"

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>

#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"

using namespace cacheledger;

TEST_CASE("Deptypes: texts are by name, and other words are no type") {
    CHECK(text_of_deptypes(dep_test | dep_run | dep_link | dep_build) == "build,link,run,test");
    CHECK(text_of_deptypes(0).empty());
    CHECK(deptypes_of("run,build") == (dep_build | dep_run));
    CHECK(deptypes_of("test") == dep_test);
    CHECK(deptypes_of("include,link") == dep_link);
    CHECK(deptypes_of("") == 0);
    CHECK(find_deptype("builds") == nullptr);
}

TEST_CASE("Deptypes: what a hash covers is the same in C++ as in the view edge_kinds") {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database);
    constexpr std::uint8_t all = dep_build | dep_link | dep_run | dep_test;
    for (std::uint8_t types = 1; types <= all; ++types) {
        database.exec("INSERT INTO edge_kind (deptypes) VALUES ('" + text_of_deptypes(types) +
                      "')");
    }
    int kinds = 0;
    for (const auto& [text, since] :
         rows<std::string, int>(database, "SELECT deptypes, since FROM edge_kinds")) {
        INFO(text);
        ++kinds;
        const std::uint8_t types = deptypes_of(text);
        CHECK(text_of_deptypes(types) == text);
        CHECK(hashed_since(types) == since);
        for (std::uint8_t form = 1; form <= 6; ++form) {
            CHECK((hashed_deptypes(form, types) != 0) == (since <= form));
        }
    }
    CHECK(kinds == all);
    CHECK(hashed_deptypes(2, all) == (dep_link | dep_run));
    CHECK(hashed_deptypes(4, all) == (dep_build | dep_link | dep_run));
    CHECK(hashed_deptypes(5, all) == all);
}
