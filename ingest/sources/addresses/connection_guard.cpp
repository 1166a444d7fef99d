#include "ingest/sources/addresses/connection_guard.hpp"

#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "ingest/sources/addresses/url.hpp"

namespace cacheledger {

namespace {

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
