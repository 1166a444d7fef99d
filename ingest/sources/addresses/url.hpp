#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Addresses of the web as texts.
namespace cacheledger {

/// The text with its ASCII letters in lower case.
std::string lowered(std::string_view text);

/// Whether the text begins with a scheme and "://".
bool is_url(std::string_view text);

/// Of an URL, in lower case: "https".
std::string scheme_of(std::string_view url);

bool is_http_url(std::string_view text);

/// Whether it is that of a cache in an OCI registry: oci:// (by https) or oci+http://.
bool is_oci_url(std::string_view text);

/// What is shown and stored of an URL: all but credentials, query and fragment. Where its host
/// can't be told from credentials, only its scheme. Another text is given as it is.
std::string shown_url(std::string_view url);

/// "user:password", or empty.
std::string_view credentials_of(std::string_view url);

/// The host, without port and brackets.
std::string_view host_of(std::string_view url);

/// Whether it has no port, or one that is a number up to 65535.
bool has_good_port(std::string_view url);

/// The path, from its first '/'; without query. May be empty.
std::string_view path_of(std::string_view url);

std::string with_credentials(std::string_view url, std::string_view credentials);
std::string without_credentials(std::string_view url);

/// The URL with this path instead of its own. What follows the path stays: a signature may be
/// there.
std::string with_path(std::string_view url, std::string_view path);

/// The URL that stands in a document of another URL: whole, or without what both have.
std::string resolved_url(std::string_view base, std::string_view target);

/// Whether scheme, host and port are the same.
bool is_same_origin(std::string_view a, std::string_view b);

/// A file that is named by its content, as mirrors have them: `.../blobs/sha256/ab/abcd...`.
struct BlobName {
    std::string_view before;  ///< the URL up to `blobs/`
    std::string_view sha256;
};

/// What an URL says of the content, if it is the URL of such a file.
std::optional<BlobName> blob_name(std::string_view url);

/// Whether it is 64 lower-case hex digits.
bool is_sha256(std::string_view text);

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
    bool allows(const sockaddr& address) {
        return allows(text_of_address(address), kind_of_address(address));
    }

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
