#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// How registries let one in (docs/formats.md, "OCI registries"). Names and passwords are read
/// where they are needed, and neither kept nor shown.
namespace cacheledger {

/// The media types of manifests: a registry gives an old one to who does not name them.
inline constexpr const char* accepted_of_registry =
    "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, "
    "application/vnd.docker.distribution.manifest.v2+json, "
    "application/vnd.docker.distribution.manifest.list.v2+json, */*";

/// The most that the answer with a token may have. Real ones have some thousand bytes.
inline constexpr std::size_t most_token_bytes = 64U << 10U;

/// The parameters in a header, such as `realm="x",service=y`, by their names in lower case; up
/// to what is none. They are separated by `separator`.
std::map<std::string, std::string> parameters_of(std::string_view text, char separator);

/// The server in an URL, with its port: "host:5000".
std::string server_of(std::string_view url);

/// Where a token to read this cache is had, by the header WWW-Authenticate of the registry's
/// answer for `url`. nullopt where it wants none, but maybe a name and a password. Throws HttpError
/// if that can't be asked.
std::optional<std::string> token_url(std::string_view url, std::string_view challenge,
                                     std::string_view cache);

/// "Bearer ...", of the answer of a server of tokens. Throws HttpError.
std::string read_token(const std::string& answer, const std::string& place);

/// "Basic ...", what `docker login` wrote of the server of this URL, or of a part of it that has
/// this cache, into $DOCKER_CONFIG/config.json or ~/.docker/config.json; empty where there is
/// nothing. Throws HttpError if the file is broken.
std::string docker_login(std::string_view url, std::string_view cache);

/// Of "sha256:...", the header Docker-Content-Digest.
std::optional<std::string> sha256_of_digest(std::string_view digest);

}  // namespace cacheledger
