// The part of connection.hpp that needs no libpq.
#include <algorithm>

#include "reports/engine/server/connection.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string in_quotes(std::string_view text, char quote) {
    std::string quoted(1, quote);
    for (const char c : text) {
        quoted.append(c == quote ? 2 : 1, c);
    }
    return quoted + quote;
}

int hex_digit(char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    return static_cast<int>(digits.find(to_lower(c)));
}

/// Whether the key of a parameter, which may have characters as %XX, has the word: `password`,
/// `sslpassword`, and what libpq refuses, such as `Password`.
bool is_password_key(std::string_view key) {
    std::string plain;
    for (std::size_t i = 0; i < key.size(); ++i) {
        char c = key[i];
        if (c == '%' && i + 2 < key.size()) {
            c = static_cast<char>(hex_digit(key[i + 1]) * 16 + hex_digit(key[i + 2]));
            i += 2;
        }
        plain += to_lower(c);
    }
    return plain.find("password") != std::string::npos;
}

/// Removes the values of passwords in the query of a URL.
void remove_password_parameters(std::string& url) {
    auto at = url.find('?');
    while (at != std::string::npos) {
        const auto end = std::min(url.find('&', at + 1), url.size());
        const auto sign = std::min(url.find('=', at + 1), end);
        if (sign < end && is_password_key(std::string_view(url).substr(at + 1, sign - at - 1))) {
            url.erase(sign + 1, end - sign - 1);
        }
        at = url.find('&', at + 1);
    }
}

/// Where a port begins that is none, which may be the password of a URL without '@'; npos if there
/// is no such. `begin`, `end`: where the hosts are.
std::size_t place_of_odd_port(std::string_view url, std::size_t begin, std::size_t end) {
    const std::string_view hosts = url.substr(0, end);
    const auto bracket = hosts.rfind(']');
    const bool has_address = bracket != std::string_view::npos && bracket > begin;
    const auto colon = hosts.find(':', has_address ? bracket : begin);
    const bool is_odd =
        colon != std::string_view::npos &&
        hosts.find_first_not_of("0123456789", colon + 1) != std::string_view::npos &&
        hosts.find(',', begin) == std::string_view::npos;
    return is_odd ? colon : std::string_view::npos;
}

}  // namespace

bool is_postgresql_url(std::string_view text) {
    // libpq takes only small letters, and says so; a file is not meant by others.
    const auto begins_with = [&](std::string_view scheme) {
        return text.size() >= scheme.size() &&
               std::ranges::equal(text.substr(0, scheme.size()), scheme, {}, to_lower);
    };
    return begins_with("postgresql://") || begins_with("postgres://");
}

std::string without_password(const std::string& url) {
    std::string shown = url;
    remove_password_parameters(shown);
    constexpr std::string_view after_scheme = "://";
    const auto begin = shown.find(after_scheme);
    if (begin == std::string::npos) {
        return shown;
    }
    // A password with a '/' or '?' that is not written as %2F or %3F is removed, too.
    const auto user = begin + after_scheme.size();
    const auto host = shown.rfind('@');
    const auto colon = shown.find(':', user);
    if (host != std::string::npos) {
        if (colon != std::string::npos && colon < host) {
            shown.erase(colon, host - colon);
        }
        return shown;
    }
    const auto end = std::min(shown.find_first_of("/?", user), shown.size());
    if (const auto port = place_of_odd_port(shown, user, end); port != std::string::npos) {
        shown.erase(port, end - port);
    }
    return shown;
}

std::string text_in(const std::vector<Value>& row, std::size_t column) {
    if (column >= row.size()) {
        throw DatabaseError("the server sent a row that lacks columns");
    }
    return to_text(row[column]);
}

std::int64_t number_in(const std::vector<Value>& row, std::size_t column) {
    const auto number = parse_number<std::int64_t>(text_in(row, column));
    if (!number) {
        throw DatabaseError("the server sent a row without a number where there is one");
    }
    return *number;
}

std::string quoted_name(std::string_view name) {
    return in_quotes(name, '"');
}

std::string quoted_text(std::string_view text) {
    return in_quotes(text, '\'');
}

}  // namespace cacheledger
