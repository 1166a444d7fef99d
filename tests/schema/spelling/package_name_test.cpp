#include "schema/specs/spelling/package_name.hpp"

#include "tests/support/catch.hpp"

namespace package_name_test {

using namespace cacheledger;

TEST_CASE("Names of packages have letters, digits, '_' and '-' only") {
    for (const char* const name :
         {"zlib", "py-numpy", "7zip", "_x", "R", "intel-oneapi-mkl", "a-"}) {
        CAPTURE(name);
        CHECK(is_package_name(name));
    }
    for (const char* const name : {"", "-x", "a b", "a.b", "a/b", "a\n", "a\x1b[31m",
                                   "a\xe2\x80\xae", "\xc3\xa4", "a@1", "<b>", "../a", "\x7f"}) {
        CAPTURE(name);
        CHECK_FALSE(is_package_name(name));
    }
    CHECK_FALSE(is_package_name(std::string_view("a\0b", 3)));
}

}  // namespace package_name_test
