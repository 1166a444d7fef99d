#include "schema/text/digest.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace digest_test {

using namespace cacheledger;

namespace {

std::string digest_of(std::string_view content) {
    return to_hex(blob_id(content));
}

}  // namespace

// The expected ones are what `git hash-object` prints.
TEST_CASE("A digest is the git blob id") {
    CHECK(digest_of("") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    CHECK(digest_of("hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a");
    CHECK(digest_of("test content\n") == "d670460b4b4aece5915caf5c68d12f560a9fe3e4");
    CHECK(digest_of(std::string_view("\0", 1)) == "f76dd238ade08917e6712764a16a22005a50573d");
}

// What `git write-tree` prints for these files.
TEST_CASE("A folder has its git tree id") {
    const TreeEntry page{"index.md", blob_id("hello\n")};
    const TreeEntry tenth{"spec-10.json", blob_id("")};
    const TreeEntry second{"spec-2.json", blob_id("test content\n")};
    CHECK(to_hex(tree_id({second, page, tenth})) == "3f80b992ade0f895b144b8cb600d35460996787f");
    CHECK(to_hex(tree_id({})) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

TEST_CASE("A digest tells contents apart") {
    CHECK(blob_id("a") == blob_id("a"));
    CHECK(blob_id("a") != blob_id("b"));
    CHECK(blob_id("a\n") != blob_id("a\r\n"));
}

}  // namespace digest_test
