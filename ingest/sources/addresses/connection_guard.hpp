#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/sources/addresses/address.hpp"

namespace cacheledger {

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
