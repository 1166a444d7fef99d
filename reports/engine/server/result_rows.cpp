#include "reports/engine/server/result_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reports/engine/server/connection.hpp"
#include "schema/libraries/libpq.hpp"

namespace cacheledger {

namespace {

// Types of columns, from PostgreSQL's catalog (pg_type.dat). They never change.
enum TypeId : Oid {
    type_bool = 16,
    type_bytea = 17,
    type_int8 = 20,
    type_int2 = 21,
    type_int4 = 23,
    type_oid = 26,
    type_float4 = 700,
    type_float8 = 701,
    type_numeric = 1700,
};

template <typename Number>
Value parsed_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::string(text);
    }
    return number;
}

Value value_of(std::string_view text, Oid type) {
    switch (type) {
        case type_bool:
            return std::int64_t{text == "t" ? 1 : 0};
        case type_int2:
        case type_int4:
        case type_int8:
        case type_oid:
            return parsed_number<std::int64_t>(text);
        case type_numeric:  // sums of integers are of this type, too
            return text.find('.') == std::string_view::npos ? parsed_number<std::int64_t>(text)
                                                            : parsed_number<double>(text);
        case type_float4:
        case type_float8:
            return parsed_number<double>(text);
        case type_bytea:
            return std::string(text.substr(text.find('x') + 1));  // "\\xab01"
        default:
            return std::string(text);
    }
}

}  // namespace

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

std::vector<std::string> names_of_columns(const PGresult* result) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(PQnfields(result)));
    for (int column = 0; column < PQnfields(result); ++column) {
        names.emplace_back(PQfname(result, column));
    }
    return names;
}

std::size_t add_rows(const PGresult* result, ResultTable& table) {
    std::size_t bytes = 0;
    for (int row = 0; row < PQntuples(result); ++row) {
        std::vector<Value> values(table.columns.size());
        int column = 0;
        for (Value& value : values) {
            const auto size = static_cast<std::size_t>(PQgetlength(result, row, column));
            if (PQgetisnull(result, row, column) == 0) {
                value = value_of({PQgetvalue(result, row, column), size}, PQftype(result, column));
            }
            bytes += sizeof(Value) + size;
            ++column;
        }
        bytes += sizeof(std::vector<Value>);  // a row may have no columns
        table.rows.push_back(std::move(values));
    }
    return bytes;
}

}  // namespace cacheledger
