#pragma once

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

}  // namespace cacheledger
