#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cacheledger {

/// What a network address leads to. A set of them is an AddressKinds.
enum class AddressKind : std::uint8_t {
    open = 1,      ///< on the public network
    closed = 2,    ///< on a private network
    loopback = 4,  ///< this machine
    link = 8,      ///< the local link; clouds have their secrets there
    special = 16,  ///< reserved, multicast, or no IP address at all
};

/// Bits of AddressKind.
using AddressKinds = std::uint8_t;

inline constexpr AddressKinds any_address = 31;

constexpr AddressKinds only(AddressKind kind) {
    return static_cast<AddressKinds>(kind);
}

/// The kind of an address of IPv4 or IPv6. One of IPv6 that stands for one of IPv4 (mapped,
/// translated, tunnelled) is of the kind of that.
AddressKind kind_of_address(const sockaddr& address);

/// The same of an address in text, without brackets. Nothing where it is a name.
std::optional<AddressKind> kind_of_address(std::string_view text);

/// "a loopback address", ... for messages.
std::string_view name_of(AddressKind kind);

/// The address in text; empty where it has none.
std::string text_of_address(const sockaddr& address);

/// Decides where a transfer may connect to. It looks at the address that is really used: what a
/// name stands for can differ from one question to the next.
class ConnectionGuard {
  public:
    ConnectionGuard(std::string_view url, AddressKinds allowed);

    /// Whether a connection may be made. Where not, refusal() says why.
    bool allows(const sockaddr& address);

    /// The same for the connection that is used, which may be an old one. `address`: in text.
    bool allows_used(std::string_view address);

    /// "127.0.0.1 is an address of this machine"; empty where nothing was refused.
    const std::string& refusal() const { return refusal_; }

    /// The kind of the address that is used.
    AddressKind used() const { return used_; }

  private:
    bool allows(std::string_view address, AddressKind kind);

    std::string host_;
    AddressKinds allowed_;
    AddressKind used_ = AddressKind::open;
    std::string refusal_;
};

}  // namespace cacheledger
