// The part of connection.hpp that needs no libpq.
#include <algorithm>

#include "reports/postgresql/connection.hpp"

namespace cacheledger {

namespace {

std::string in_quotes(std::string_view text, char quote) {
    std::string quoted(1, quote);
    for (const char c : text) {
        quoted.append(c == quote ? 2 : 1, c);
    }
    return quoted + quote;
}

/// Removes the value of a `password=` in the query of a URL.
void remove_password_parameter(std::string& url) {
    constexpr std::string_view key = "password=";
    auto at = url.find('?');
    while (at != std::string::npos) {
        const auto end = std::min(url.find('&', at + 1), url.size());
        const auto value = at + 1 + key.size();
        if (std::string_view(url).substr(at + 1).starts_with(key)) {
            url.erase(value, end - value);
        }
        at = url.find('&', at + 1);
    }
}

}  // namespace

bool is_postgresql_url(std::string_view text) {
    return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

std::string without_password(const std::string& url) {
    std::string shown = url;
    remove_password_parameter(shown);
    constexpr std::string_view after_scheme = "://";
    const auto begin = shown.find(after_scheme);
    if (begin == std::string::npos) {
        return shown;
    }
    // A password with a '/' or '?' that is not written as %2F or %3F is removed, too.
    const auto user = begin + after_scheme.size();
    const auto host = shown.rfind('@');
    const auto colon = shown.find(':', user);
    if (host != std::string::npos && colon != std::string::npos && colon < host) {
        shown.erase(colon, host - colon);
    }
    return shown;
}

std::string quoted_name(std::string_view name) {
    return in_quotes(name, '"');
}

std::string quoted_text(std::string_view text) {
    return in_quotes(text, '\'');
}

}  // namespace cacheledger
