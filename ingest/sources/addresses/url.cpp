#include "ingest/sources/addresses/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

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
           std::all_of(scheme.begin(), scheme.end(), [](char c) {
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

}  // namespace cacheledger
