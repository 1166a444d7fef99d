#include "ingest/sources/http/registry_login.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/http/transfer.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_config_bytes = 4U << 20U;

std::string for_query(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        result += std::isalnum(byte) != 0 || std::string_view("-._~/:").find(c) != std::string::npos
                      ? std::string(1, c)
                      : fmt::format("%{:02X}", byte);
    }
    return result;
}

std::filesystem::path docker_config() {
    for (const auto& [name, folder] : {std::pair("DOCKER_CONFIG", ""), {"HOME", ".docker"}}) {
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
        if (value != nullptr && *value != '\0') {
            return std::filesystem::path(value) / folder / "config.json";
        }
    }
    return {};
}

bool has_only(std::string_view text, std::string_view more) {
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               more.find(c) != std::string::npos;
    });
}

}  // namespace

std::map<std::string, std::string> parameters_of(std::string_view text, char separator) {
    const auto skip = [&text](std::string_view characters) {
        text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
    };
    const auto take = [&text](std::size_t size) {
        const std::string_view taken = text.substr(0, size);
        text.remove_prefix(taken.size());
        return taken;
    };
    std::map<std::string, std::string> all;
    for (;;) {
        skip(std::string(" \t") + separator);
        const std::string name = lowered(take(text.find_first_of(" \t=,;\"")));
        skip(" \t");
        if (name.empty() || take(1) != "=") {
            return all;
        }
        skip(" \t");
        std::string value;
        if (!text.starts_with('"')) {
            value = take(text.find_first_of(" \t,;"));
        } else {
            std::size_t end = 1;
            for (; end < text.size() && text[end] != '"'; ++end) {
                end += text[end] == '\\' && end + 1 < text.size() ? 1 : 0;
                value += text[end];
            }
            take(end + 1);
        }
        all.try_emplace(name, std::move(value));
    }
}

std::string server_of(std::string_view url) {
    const std::size_t start = url.find("://");
    url.remove_prefix(start == std::string_view::npos ? 0 : start + 3);
    return lowered(url.substr(0, url.find('/')));
}

std::optional<std::string> token_url(std::string_view url, std::string_view challenge,
                                     std::string_view cache) {
    constexpr std::string_view scheme = "bearer ";
    const std::size_t bearer = lowered(challenge).find(scheme);
    if (bearer == std::string::npos) {
        return std::nullopt;
    }
    auto parameters = parameters_of(challenge.substr(bearer + scheme.size()), ',');
    std::string realm = parameters["realm"];
    realm = realm.empty() ? realm : resolved_url(without_credentials(url), realm);
    realm.resize(std::min(realm.find('#'), realm.size()));
    const std::string service = parameters["service"];
    if (!is_http_url(realm) || host_of(realm).empty() || !has_good_port(realm) ||
        !credentials_of(realm).empty()) {
        throw HttpError(
            fmt::format("{}: the registry wants a token and does not say where it is "
                        "had: expected the URL of a server",
                        shown_url(url)));
    }
    if (scheme_of(url) == "https" && scheme_of(realm) != "https") {
        throw HttpError(fmt::format("{}: refused: the registry wants a token of {}, without https",
                                    shown_url(url), shown_url(realm)));
    }
    // What the registry says of the scope does not count: to read is enough.
    return fmt::format("{}{}{}{}scope=repository:{}:pull", realm,
                       realm.find('?') == std::string::npos ? "?" : "&",
                       service.empty() ? "" : "service=" + for_query(service),
                       service.empty() ? "" : "&", for_query(cache));
}

std::string read_token(const std::string& answer, const std::string& place) {
    const auto json = nlohmann::json::parse(answer, nullptr, false);
    for (const char* const name : {"token", "access_token"}) {
        const auto token = json.is_object() ? json.find(name) : json.end();
        // RFC 6750, section 2.1
        if (token != json.end() && token->is_string() &&
            has_only(token->get_ref<const std::string&>(), "-._~+/=")) {
            return "Bearer " + token->get<std::string>();
        }
    }
    throw HttpError(fmt::format("{}: expected JSON with a \"token\"", place));
}

std::string docker_login(std::string_view url, std::string_view cache) {
    const std::filesystem::path file = docker_config();
    std::string text;
    try {
        text = file.empty() ? "" : read_small_file(file.string(), most_config_bytes);
    } catch (const Problem&) {
        return "";  // not there
    }
    const auto config = nlohmann::json::parse(text, nullptr, false);
    if (!text.empty() && !config.is_object()) {
        throw HttpError(
            fmt::format("{}: expected JSON, as 'docker login' writes it", file.string()));
    }
    const auto auths = config.is_object() ? config.find("auths") : config.end();
    if (auths == config.end() || !auths->is_object()) {
        return "";
    }
    const std::string asked = fmt::format("{}/{}/", server_of(without_credentials(url)), cache);
    std::string found;
    std::size_t longest = 0;  // the login of the nearest part of the server counts
    for (const auto& [key, login] : auths->items()) {
        const auto auth = login.is_object() ? login.find("auth") : login.end();
        // As a URL it names the server alone: "https://host/v1/".
        std::string part = server_of(key);
        if (!is_url(key) && key.find('/') != std::string::npos) {
            part += key.substr(key.find('/'));
        }
        part.resize(part.find_last_not_of('/') + 1);
        if (asked.starts_with(part + "/") && part.size() > longest && auth != login.end() &&
            auth->is_string() && has_only(auth->get_ref<const std::string&>(), "+/=")) {
            found = "Basic " + auth->get<std::string>();
            longest = part.size();
        }
    }
    return found;
}

std::optional<std::string> sha256_of_digest(std::string_view digest) {
    constexpr std::string_view start = "sha256:";
    const std::string_view sum = digest.substr(std::min(start.size(), digest.size()));
    return digest.starts_with(start) && is_sha256(sum) ? std::optional(std::string(sum))
                                                       : std::nullopt;
}

}  // namespace cacheledger
