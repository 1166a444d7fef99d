#include "ingest/sources/addresses/address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "ingest/sources/addresses/url.hpp"

namespace cacheledger {

namespace {

// Addresses of IPv4 whose first `bits` bits are those of `network`.
struct Block {
    std::uint32_t network;
    int bits;
    AddressKind kind;
};

// The registry of special addresses (RFC 6890), as far as they are not public.
constexpr std::array<Block, 15> blocks = {{
    {0x00000000, 8, AddressKind::loopback},  // 0.0.0.0 reaches this machine
    {0x0a000000, 8, AddressKind::closed},    // 10.0.0.0
    {0x64400000, 10, AddressKind::closed},   // 100.64.0.0, of providers
    {0x7f000000, 8, AddressKind::loopback},  // 127.0.0.0
    {0xa9fe0000, 16, AddressKind::link},     // 169.254.0.0
    {0xac100000, 12, AddressKind::closed},   // 172.16.0.0
    {0xc0000000, 24, AddressKind::special},  // 192.0.0.0
    {0xc0000200, 24, AddressKind::special},  // 192.0.2.0, documentation
    {0xc0586300, 24, AddressKind::special},  // 192.88.99.0
    {0xc0a80000, 16, AddressKind::closed},   // 192.168.0.0
    {0xc6120000, 15, AddressKind::closed},   // 198.18.0.0, benchmarks
    {0xc6336400, 24, AddressKind::special},  // 198.51.100.0, documentation
    {0xcb007100, 24, AddressKind::special},  // 203.0.113.0, documentation
    {0xe0000000, 4, AddressKind::special},   // multicast
    {0xf0000000, 4, AddressKind::special},   // reserved, broadcast
}};

AddressKind kind_of_v4(std::uint32_t address) {
    for (const Block& block : blocks) {
        if (address >> (32 - block.bits) == block.network >> (32 - block.bits)) {
            return block.kind;
        }
    }
    return AddressKind::open;
}

using BytesOfV6 = std::array<std::uint8_t, 16>;

AddressKind kind_of_v4_in(const BytesOfV6& bytes, std::size_t first) {
    std::uint32_t address = 0;
    std::memcpy(&address, bytes.data() + first, sizeof address);
    return kind_of_v4(ntohl(address));
}

bool starts(const BytesOfV6& bytes, std::initializer_list<std::uint8_t> start) {
    return std::equal(start.begin(), start.end(), bytes.begin());
}

AddressKind kind_of_v6(const BytesOfV6& bytes) {
    constexpr BytesOfV6 loopback = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    if (bytes == loopback || bytes == BytesOfV6{}) {
        return AddressKind::loopback;
    }
    if (starts(bytes, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}) ||
        starts(bytes, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) ||
        starts(bytes, {0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) {
        return kind_of_v4_in(bytes, 12);
    }
    if (starts(bytes, {0x20, 0x02})) {
        return kind_of_v4_in(bytes, 2);
    }
    if ((bytes[0] & 0xfeU) == 0xfcU || starts(bytes, {0, 0x64, 0xff, 0x9b, 0, 1})) {
        return AddressKind::closed;
    }
    if (bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80U) {
        return AddressKind::link;
    }
    if (bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0xc0U) {
        return AddressKind::closed;  // site-local, of old
    }
    // What is public begins with the bits 001.
    return (bytes[0] & 0xe0U) == 0x20U ? AddressKind::open : AddressKind::special;
}

// Whether a proxy of this name, as the environment gives it, is at this address.
bool is_at(std::string proxy, std::string_view address) {
    if (!is_url(proxy)) {
        proxy = "http://" + proxy;
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(std::string(host_of(proxy)).c_str(), nullptr, &hints, &found) != 0) {
        return false;
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, freeaddrinfo);
    for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
        if (text_of_address(*one->ai_addr) == address) {
            return true;
        }
    }
    return false;
}

// Whether the user has set a proxy that is at this address. libcurl reads the same variables.
bool is_proxy(std::string_view address) {
    constexpr std::array<const char*, 5> names = {"http_proxy", "https_proxy", "HTTPS_PROXY",
                                                  "all_proxy", "ALL_PROXY"};
    return std::any_of(names.begin(), names.end(), [&](const char* name) {
        const char* const proxy = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
        return proxy != nullptr && *proxy != '\0' && is_at(proxy, address);
    });
}

}  // namespace

AddressKind kind_of_address(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof v4);
        return kind_of_v4(ntohl(v4.sin_addr.s_addr));
    }
    if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &address, sizeof v6);
        BytesOfV6 bytes{};
        std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
        return kind_of_v6(bytes);
    }
    return AddressKind::special;
}

std::optional<AddressKind> kind_of_address(std::string_view text) {
    const std::string host(text.substr(0, text.find('%')));  // without the zone
    in_addr v4{};
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1) {
        return kind_of_v4(ntohl(v4.s_addr));
    }
    BytesOfV6 bytes{};
    if (inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1) {
        return kind_of_v6(bytes);
    }
    return std::nullopt;
}

std::string_view name_of(AddressKind kind) {
    switch (kind) {
        case AddressKind::open:
            return "a public address";
        case AddressKind::closed:
            return "an address of a private network";
        case AddressKind::loopback:
            return "an address of this machine";
        case AddressKind::link:
            return "an address of the local link";
        case AddressKind::special:
            break;
    }
    return "no public address";
}

std::string text_of_address(const sockaddr& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof v4);
        inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    } else if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &address, sizeof v6);
        inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    }
    return text.data();
}

ConnectionGuard::ConnectionGuard(std::string_view url, AddressKinds allowed)
    : host_(host_of(url)), allowed_(allowed) {}

bool ConnectionGuard::allows(const sockaddr& address) {
    return allows(text_of_address(address), kind_of_address(address));
}

bool ConnectionGuard::allows_used(std::string_view address) {
    const AddressKind kind = kind_of_address(address).value_or(AddressKind::special);
    used_ = kind;
    return allows(address, kind);
}

bool ConnectionGuard::allows(std::string_view address, AddressKind kind) {
    if (kind == AddressKind::open) {
        return true;
    }
    if (is_proxy(address)) {
        // The proxy asks what the name stands for. An address that is written out can be told.
        kind = host_ == "localhost" ? AddressKind::loopback
                                    : kind_of_address(host_).value_or(AddressKind::open);
        used_ = kind;
        address = host_;
    }
    if ((allowed_ & only(kind)) != 0) {
        return true;
    }
    refusal_ = fmt::format("{} is {}", address, name_of(kind));
    return false;
}

}  // namespace cacheledger
