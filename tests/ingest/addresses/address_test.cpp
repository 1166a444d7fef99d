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

}  // namespace address_test
