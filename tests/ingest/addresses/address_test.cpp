#include "ingest/sources/addresses/url.hpp"
#include "tests/support/catch.hpp"

namespace address_test {

using namespace cacheledger;

TEST_CASE("An address is of this machine, a private network, the link, or public") {
    const auto kind = [](const char* text) { return kind_of_address(text).value(); };
    for (const char* const address : {"127.0.0.1", "127.255.1.2", "0.0.0.0", "::1", "::"}) {
        CAPTURE(address);
        CHECK(kind(address) == AddressKind::loopback);
    }
    for (const char* const address : {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
                                      "100.64.0.1", "fc00::1", "fd12:3456::1", "fec0::1"}) {
        CAPTURE(address);
        CHECK(kind(address) == AddressKind::closed);
    }
    for (const char* const address : {"169.254.169.254", "fe80::1", "fe80::1%eth0", "febf::1"}) {
        CAPTURE(address);
        CHECK(kind(address) == AddressKind::link);
    }
    for (const char* const address : {"224.0.0.1", "255.255.255.255", "192.0.2.1", "ff02::1"}) {
        CAPTURE(address);
        CHECK(kind(address) == AddressKind::special);
    }
    for (const char* const address :
         {"9.9.9.9", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "100.128.0.1",
          "169.253.1.1", "2600::1", "2606:4700::1"}) {
        CAPTURE(address);
        CHECK(kind(address) == AddressKind::open);
    }
}

TEST_CASE("An address of IPv6 that stands for one of IPv4 is of its kind") {
    CHECK(kind_of_address("::ffff:127.0.0.1") == AddressKind::loopback);
    CHECK(kind_of_address("::ffff:10.0.0.1") == AddressKind::closed);
    CHECK(kind_of_address("::ffff:9.9.9.9") == AddressKind::open);
    CHECK(kind_of_address("::10.0.0.1") == AddressKind::closed);
    CHECK(kind_of_address("64:ff9b::a9fe:a9fe") == AddressKind::link);
    CHECK(kind_of_address("2002:7f00:1::") == AddressKind::loopback);
}

TEST_CASE("A name is no address") {
    for (const char* const text : {"localhost", "", "10.0.0", "1.2.3.4.5", "[::1]"}) {
        CAPTURE(text);
        CHECK_FALSE(kind_of_address(text).has_value());
    }
}

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

}  // namespace address_test
