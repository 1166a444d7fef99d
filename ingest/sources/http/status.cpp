#include "ingest/sources/http/status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace cacheledger {

namespace {

std::string_view name_of_status(int status) {
    switch (status) {
        case 400:
            return "bad request";
        case 401:
            return "unauthorized";
        case 403:
            return "forbidden";
        case 404:
            return "not found";
        case 407:
            return "proxy authentication required";
        case 410:
            return "gone";
        case 429:
            return "too many requests";
        case 500:
            return "internal server error";
        case 502:
            return "bad gateway";
        case 503:
            return "service unavailable";
        case 504:
            return "gateway timeout";
        default:
            return "";
    }
}

std::string_view advice_on(int status) {
    switch (status) {
        case 401:
            return ": it wants a name and the right password";
        case 403:
            return ": it denies access; some servers do so where there is no such file, too";
        default:
            return status >= 400 ? "" : "; expected 200";
    }
}

}  // namespace

std::string text_of_status(int status) {
    const std::string_view name = name_of_status(status);
    return name.empty() ? fmt::format("{}", status) : fmt::format("{} ({})", status, name);
}

std::string problem_of_status(int status) {
    return fmt::format("the server says {}{}", text_of_status(status), advice_on(status));
}

std::string Refusals::text() const {
    std::vector<std::string> parts;
    for (const auto& [status, names] : names_) {
        parts.push_back(fmt::format("{} of {}", text_of_status(status), fmt::join(names, ", ")));
    }
    return fmt::format("the server says {}", fmt::join(parts, "; "));
}

}  // namespace cacheledger
