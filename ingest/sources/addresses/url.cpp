#include "ingest/sources/addresses/url.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view digits = "0123456789";

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// An URL in its parts, which make it up again: start + authority + path + rest.
struct UrlParts {
    std::string_view start;      // "https://"
    std::string_view authority;  // "user:password@host:443"
    std::string_view path;
    std::string_view rest;  // query and fragment
};

UrlParts parts_of(std::string_view url) {
    UrlParts parts;
    const std::size_t authority = url.find("://") + 3;
    const std::size_t path = std::min(url.find_first_of("/?#", authority), url.size());
    const std::size_t rest = std::min(url.find_first_of("?#", path), url.size());
    parts.start = url.substr(0, authority);
    parts.authority = url.substr(authority, path - authority);
    parts.path = url.substr(path, rest - path);
    parts.rest = url.substr(rest);
    return parts;
}

// Where the host begins in an authority.
std::size_t host_start(std::string_view authority) {
    return authority.rfind('@') + 1;  // npos + 1 is 0
}

// The host and the port, in the part behind the credentials.
std::pair<std::string_view, std::string_view> host_and_port(std::string_view authority) {
    const std::string_view both = authority.substr(host_start(authority));
    const std::size_t bracket = both.rfind(']');
    const std::size_t colon = both.find(':', bracket == std::string_view::npos ? 0 : bracket);
    const std::string_view host = both.substr(0, std::min(colon, both.size()));
    return {host, colon == std::string_view::npos ? std::string_view() : both.substr(colon + 1)};
}

std::string_view default_port(std::string_view scheme) {
    return scheme == "https" ? "443" : "80";
}

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
    return std::ranges::any_of(names, [&](const char* name) {
        const char* const proxy = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
        return proxy != nullptr && *proxy != '\0' && is_at(proxy, address);
    });
}

}  // namespace

std::string lowered(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

bool is_url(std::string_view text) {
    const std::size_t end = text.find("://");
    if (end == std::string_view::npos || end == 0) {
        return false;
    }
    const std::string scheme = lowered(text.substr(0, end));
    return letters.find(scheme[0]) != std::string_view::npos &&
           std::ranges::all_of(scheme, [](char c) {
               return letters.find(c) != std::string_view::npos ||
                      digits.find(c) != std::string_view::npos || c == '+' || c == '-' || c == '.';
           });
}

std::string scheme_of(std::string_view url) {
    return lowered(url.substr(0, std::min(url.find(':'), url.size())));
}

bool is_http_url(std::string_view text) {
    return is_url(text) && (scheme_of(text) == "http" || scheme_of(text) == "https");
}

bool is_oci_url(std::string_view text) {
    return is_url(text) && (scheme_of(text) == "oci" || scheme_of(text) == "oci+http");
}

std::string shown_url(std::string_view url) {
    if (!is_url(url)) {
        return std::string(url);
    }
    const UrlParts parts = parts_of(url);
    const auto [host, port] = host_and_port(parts.authority);
    // A password with a '/', '?' or '#' in it, which should have been written as "%2F" and so on.
    if (port.find_first_not_of(digits) != std::string_view::npos) {
        return fmt::format("{}...", parts.start);
    }
    return fmt::format("{}{}{}", parts.start, parts.authority.substr(host_start(parts.authority)),
                       parts.path);
}

std::string_view credentials_of(std::string_view url) {
    const std::string_view authority = parts_of(url).authority;
    const std::size_t at = authority.rfind('@');
    return at == std::string_view::npos ? std::string_view() : authority.substr(0, at);
}

std::string_view host_of(std::string_view url) {
    std::string_view host = host_and_port(parts_of(url).authority).first;
    if (host.starts_with('[') && host.ends_with(']')) {
        host.remove_prefix(1);
        host.remove_suffix(1);
    }
    return host;
}

bool has_good_port(std::string_view url) {
    const std::string_view port = host_and_port(parts_of(url).authority).second;
    return port.empty() || parse_number<std::uint16_t>(port);
}

std::string_view path_of(std::string_view url) {
    return parts_of(url).path;
}

std::string with_credentials(std::string_view url, std::string_view credentials) {
    const UrlParts parts = parts_of(url);
    return fmt::format("{}{}{}{}{}{}", parts.start, credentials, credentials.empty() ? "" : "@",
                       parts.authority.substr(host_start(parts.authority)), parts.path, parts.rest);
}

std::string without_credentials(std::string_view url) {
    return with_credentials(url, "");
}

std::string with_path(std::string_view url, std::string_view path) {
    const UrlParts parts = parts_of(url);
    return fmt::format("{}{}{}{}", parts.start, parts.authority, path, parts.rest);
}

std::string resolved_url(std::string_view base, std::string_view target) {
    if (is_url(target)) {
        return std::string(target);
    }
    if (target.starts_with("//")) {
        return fmt::format("{}:{}", scheme_of(base), target);
    }
    const UrlParts parts = parts_of(base);
    const std::string_view folder = target.starts_with('/') ? ""
                                    : target.starts_with('?')
                                        ? parts.path
                                        : parts.path.substr(0, parts.path.rfind('/') + 1);
    return fmt::format("{}{}{}{}", parts.start, parts.authority, folder, target);
}

bool is_same_origin(std::string_view a, std::string_view b) {
    const auto origin = [](std::string_view url) {
        const std::string scheme = scheme_of(url);
        const auto [host, port] = host_and_port(parts_of(url).authority);
        return fmt::format("{}://{}:{}", scheme, lowered(host),
                           port.empty() ? default_port(scheme) : port);
    };
    return origin(a) == origin(b);
}

std::optional<BlobName> blob_name(std::string_view url) {
    constexpr std::string_view folder = "/blobs/sha256/";
    const UrlParts parts = parts_of(url);
    const std::size_t start = parts.path.rfind(folder);
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view name = parts.path.substr(start + folder.size());
    if (name.size() != 67 || name[2] != '/' || !is_sha256(name.substr(3)) ||
        name.substr(0, 2) != name.substr(3, 2)) {
        return std::nullopt;
    }
    return BlobName{url.substr(0, parts.start.size() + parts.authority.size() + start + 1),
                    name.substr(3)};
}

bool is_sha256(std::string_view text) {
    return text.size() == 64 &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

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
