#include "reports/engine/server/checked_url.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "reports/engine/server/connection.hpp"
#include "schema/libraries/libpq.hpp"

namespace cacheledger {

void check_url(const std::string& url) {
    const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
        PQconninfoParse(url.c_str(), nullptr), PQconninfoFree);
    const auto is_odd = [](const PQconninfoOption& option) {
        const std::string_view key = option.keyword;
        const std::string_view value = option.val == nullptr ? "" : option.val;
        // A port that is none may be a password, which libpq would print.
        return (key == "host" && value.find('@') != std::string_view::npos) ||
               (key == "port" && value.find_first_not_of("0123456789,") != std::string_view::npos);
    };
    bool is_read = options != nullptr;
    for (auto* option = options.get(); is_read && option->keyword != nullptr; ++option) {
        is_read = !is_odd(*option);
    }
    if (!is_read) {
        throw UsageError(
            fmt::format("{}: expected postgresql://[USER[:PASSWORD]@][HOST][:PORT][/DATABASE]; "
                        "write @, / and other such characters of a name as %40, %2F, ...",
                        without_password(url)));
    }
}

void FinishConnection::operator()(pg_conn* opened) const {
    PQfinish(opened);
}

OpenConnection open_connection(const std::string& url) {
    // What stands later wins: the URL over the first, and nothing over the last.
    const bool waits_as_asked = std::getenv("PGCONNECT_TIMEOUT") != nullptr;
    const std::array<const char*, 5> keys = {
        waits_as_asked ? "application_name" : "connect_timeout", "fallback_application_name",
        "dbname", "client_encoding", nullptr};
    const std::array<const char*, 5> values = {waits_as_asked ? "" : "10", "cacheledger",
                                               url.c_str(), "UTF8", nullptr};
    return OpenConnection(PQconnectdbParams(keys.data(), values.data(), 1));
}

}  // namespace cacheledger
