#include "ingest/sources/addresses/url.hpp"

#include "tests/support/catch.hpp"

namespace url_test {

using namespace cacheledger;

TEST_CASE("An URL is shown without credentials, query and fragment") {
    CHECK(shown_url("https://me:secret@host:8443/a/index.json?token=1#x") ==
          "https://host:8443/a/index.json");
    CHECK(shown_url("https://me@host/a@1.0/b") == "https://host/a@1.0/b");
    CHECK(shown_url("https://host?token=1") == "https://host");
    CHECK(shown_url("https://me:a@b@host/") == "https://host/");
    CHECK(shown_url("http://[::1]:80/x") == "http://[::1]:80/x");
    CHECK(shown_url("a/path?with=all") == "a/path?with=all");
}

TEST_CASE("A password that is no part of an URL is not shown either") {
    for (const char* const url :
         {"https://me:se/cret@host/a", "https://me:se?cret@host/a", "https://me:se#cret@host/a"}) {
        CAPTURE(url);
        CHECK(shown_url(url) == "https://...");
    }
}

TEST_CASE("An URL begins with a scheme") {
    for (const char* const text : {"http://a", "HTTPS://a", "s3://bucket", "file:///a"}) {
        CAPTURE(text);
        CHECK(is_url(text));
    }
    for (const char* const text : {"a", "://a", "a/b://c", "C:/a", "9a://b", "", "-"}) {
        CAPTURE(text);
        CHECK_FALSE(is_url(text));
    }
    CHECK(is_http_url("HTTP://a"));
    CHECK_FALSE(is_http_url("ftp://a"));
    CHECK_FALSE(is_http_url("/a"));
}

TEST_CASE("Two URLs are of one origin by scheme, host and port") {
    CHECK(is_same_origin("https://me@Host/a", "https://host:443/b"));
    CHECK_FALSE(is_same_origin("https://host/a", "http://host/a"));
    CHECK_FALSE(is_same_origin("https://host/a", "https://host:444/a"));
    CHECK_FALSE(is_same_origin("https://host/a", "https://host.example/a"));
}

TEST_CASE("Another path leaves the query, which may be a signature") {
    CHECK(with_path("https://me@host/a/index.json?sig=1", "/b") == "https://me@host/b?sig=1");
    CHECK(with_path("https://host", "/b") == "https://host/b");
}

TEST_CASE("A blob's URL says what it holds") {
    const std::string sha256 = "ab" + std::string(62, '0');
    const std::string url = "https://host/develop/e4s/blobs/sha256/ab/" + sha256;
    REQUIRE(blob_name(url).has_value());
    CHECK(blob_name(url)->sha256 == sha256);
    CHECK(blob_name(url)->before == "https://host/develop/e4s/");
    CHECK_FALSE(blob_name("https://host/blobs/sha256/ac/" + sha256).has_value());
    CHECK_FALSE(blob_name("https://host/blobs/sha256/ab/" + sha256 + "0").has_value());
    CHECK_FALSE(blob_name("https://host/index.json").has_value());
}

}  // namespace url_test
