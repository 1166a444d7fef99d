#include "reports/postgresql/connection.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

namespace cacheledger {

namespace {

constexpr int milliseconds_between_looks = 100;

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

struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

struct FreeOptions {
    void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Options = std::unique_ptr<PQconninfoOption, FreeOptions>;

/// A message of the server in one line, without a stop at its end.
std::string one_line(std::string_view message) {
    std::string line;
    for (const char c : message) {
        if (c != '\n') {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// Refuses a URL that libpq can't read, or reads otherwise than it is meant.
void check_url(const std::string& url) {
    const Options options(PQconninfoParse(url.c_str(), nullptr));
    const auto is_odd = [](const PQconninfoOption& option) {
        return std::string_view(option.keyword) == "host" && option.val != nullptr &&
               std::string_view(option.val).find('@') != std::string_view::npos;
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

template <typename Number>
Value number_of(std::string_view text) {
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
            return number_of<std::int64_t>(text);
        case type_numeric:  // sums of integers are of this type, too
            return text.find('.') == std::string_view::npos ? number_of<std::int64_t>(text)
                                                            : number_of<double>(text);
        case type_float4:
        case type_float8:
            return number_of<double>(text);
        case type_bytea:
            return std::string(text.substr(text.find('x') + 1));  // "\\xab01"
        default:
            return std::string(text);
    }
}

ResultTable table_of(const PGresult* result) {
    ResultTable table;
    const int columns = PQnfields(result);
    for (int column = 0; column < columns; ++column) {
        table.columns.emplace_back(PQfname(result, column));
    }
    const int rows = PQntuples(result);
    table.rows.resize(static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) {
        auto& values = table.rows[static_cast<std::size_t>(row)];
        values.resize(static_cast<std::size_t>(columns));
        for (int column = 0; column < columns; ++column) {
            if (PQgetisnull(result, row, column) == 0) {
                values[static_cast<std::size_t>(column)] =
                    value_of({PQgetvalue(result, row, column),
                              static_cast<std::size_t>(PQgetlength(result, row, column))},
                             PQftype(result, column));
            }
        }
    }
    return table;
}

std::string field(const PGresult* result, int code) {
    const char* const text = PQresultErrorField(result, code);
    return text == nullptr ? "" : text;
}

std::int64_t count_of(PGresult* result) {
    const std::string text = PQcmdTuples(result);
    return text.empty() ? 0 : std::stoll(text);
}

}  // namespace

struct PostgresConnection::Handle {
    struct Finish {
        void operator()(PGconn* connection) const { PQfinish(connection); }
    };

    std::unique_ptr<PGconn, Finish> connection;
    std::string url;  ///< without a password
    IsStopped is_stopped;
    bool is_cancelled = false;

    PGconn* get() const { return connection.get(); }

    [[noreturn]] void fail() const {
        throw DatabaseError(fmt::format("{}: {}", url, one_line(PQerrorMessage(get()))));
    }

    void cancel() {
        is_cancelled = true;
        PGcancel* const request = PQgetCancel(get());
        std::array<char, 256> reason{};
        PQcancel(request, reason.data(), static_cast<int>(reason.size()));
        PQfreeCancel(request);
    }

    /// Waits until the server sends something, or takes something.
    void wait(short events) {
        pollfd one{PQsocket(get()), events, 0};
        const int ready = poll(&one, 1, milliseconds_between_looks);
        if (ready < 0 && errno != EINTR) {
            throw DatabaseError(fmt::format("{}: the connection can't be waited for", url));
        }
        if (is_stopped && !is_cancelled && is_stopped()) {
            cancel();
        }
    }

    void flush() {
        int left = PQflush(get());
        while (left > 0) {
            wait(POLLIN | POLLOUT);
            if (PQconsumeInput(get()) == 0) {
                fail();
            }
            left = PQflush(get());
        }
        if (left < 0) {
            fail();
        }
    }

    /// The next result of what was sent; null after the last.
    Result next() {
        flush();
        while (PQisBusy(get()) != 0) {
            wait(POLLIN);
            if (PQconsumeInput(get()) == 0) {
                fail();
            }
        }
        return Result(PQgetResult(get()));
    }

    [[noreturn]] void refuse(const PGresult* result) {
        const std::string state = field(result, PG_DIAG_SQLSTATE);
        if (state.empty() || PQstatus(get()) == CONNECTION_BAD) {
            fail();
        }
        if (state == "57014") {  // query_canceled: by cancel(), or by statement_timeout
            throw Interrupted("interrupted");
        }
        std::string message = field(result, PG_DIAG_MESSAGE_PRIMARY);
        if (const auto hint = field(result, PG_DIAG_MESSAGE_HINT); !hint.empty()) {
            message += " (" + hint + ")";
        }
        const std::string place = field(result, PG_DIAG_STATEMENT_POSITION);
        throw PostgresError(one_line(message), state, place.empty() ? -1 : std::stoi(place) - 1);
    }

    /// Reads all results of what was sent, throws for the first that is an error, and returns the
    /// last.
    Result last() {
        Result kept;
        Result failed;
        while (Result result = next()) {
            const auto status = PQresultStatus(result.get());
            const bool is_error = status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
            if (is_error && failed == nullptr) {
                failed = std::move(result);
            } else if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT) {
                return result;  // what follows depends on the data
            } else {
                kept = std::move(result);
            }
            if (PQstatus(get()) == CONNECTION_BAD) {
                break;
            }
        }
        if (failed != nullptr) {
            refuse(failed.get());
        }
        if (kept == nullptr) {
            fail();
        }
        return kept;
    }

    void send(int was_sent) {
        is_cancelled = false;
        if (was_sent == 0) {
            fail();
        }
    }

    Result run(const std::string& sql) {
        send(PQsendQuery(get(), sql.c_str()));
        return last();
    }

    Result run(const std::string& sql, const std::vector<Value>& values) {
        std::vector<std::string> texts;
        texts.reserve(values.size());
        std::vector<const char*> pointers;
        for (const Value& value : values) {
            texts.push_back(to_text(value));
            pointers.push_back(is_null(value) ? nullptr : texts.back().c_str());
        }
        send(PQsendQueryParams(get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                               pointers.data(), nullptr, nullptr, 0));
        return last();
    }
};

PostgresConnection::PostgresConnection(const std::string& url, const IsStopped& is_stopped)
    : handle_(std::make_unique<Handle>()) {
    check_url(url);
    handle_->url = without_password(url);
    handle_->is_stopped = is_stopped;
    // What stands later wins: the URL over the first, and nothing over the last.
    const bool waits_as_asked = std::getenv("PGCONNECT_TIMEOUT") != nullptr;
    const std::array<const char*, 5> keys = {
        waits_as_asked ? "application_name" : "connect_timeout", "fallback_application_name",
        "dbname", "client_encoding", nullptr};
    const std::array<const char*, 5> values = {waits_as_asked ? "" : "10", "cacheledger",
                                               url.c_str(), "UTF8", nullptr};
    handle_->connection.reset(PQconnectdbParams(keys.data(), values.data(), 1));
    if (handle_->connection == nullptr || PQstatus(handle_->get()) != CONNECTION_OK) {
        handle_->fail();
    }
    PQsetNoticeProcessor(
        handle_->get(), [](void*, const char*) {}, nullptr);
    PQsetnonblocking(handle_->get(), 1);
}

PostgresConnection::~PostgresConnection() = default;

void PostgresConnection::run(const std::string& sql) {
    handle_->run(sql);
}

ResultTable PostgresConnection::query(const std::string& sql, const std::vector<Value>& values) {
    return table_of(handle_->run(sql, values).get());
}

std::int64_t PostgresConnection::change(const std::string& sql, const std::vector<Value>& values) {
    return count_of(handle_->run(sql, values).get());
}

std::int64_t PostgresConnection::copy_in(const std::string& sql,
                                         const std::function<std::string_view()>& next) {
    handle_->run(sql);
    try {
        for (std::string_view bytes = next(); !bytes.empty(); bytes = next()) {
            while (true) {
                const int taken =
                    PQputCopyData(handle_->get(), bytes.data(), static_cast<int>(bytes.size()));
                if (taken > 0) {
                    break;
                }
                if (taken < 0) {
                    handle_->fail();
                }
                handle_->wait(POLLIN | POLLOUT);
                if (PQconsumeInput(handle_->get()) == 0) {
                    handle_->fail();
                }
            }
            if (handle_->is_stopped && handle_->is_stopped()) {
                throw Interrupted("interrupted");
            }
        }
    } catch (...) {
        // The server ends the COPY with an error, and the connection can be used again.
        PQputCopyEnd(handle_->get(), "the client stopped");
        while (PQstatus(handle_->get()) == CONNECTION_OK && handle_->next() != nullptr) {
        }
        throw;
    }
    if (PQputCopyEnd(handle_->get(), nullptr) < 0) {
        handle_->fail();
    }
    return count_of(handle_->last().get());
}

void PostgresConnection::copy_out(const std::string& sql,
                                  const std::function<void(std::string_view)>& row) {
    handle_->run(sql);
    while (true) {
        char* raw = nullptr;
        const int size = PQgetCopyData(handle_->get(), &raw, 1);
        const std::unique_ptr<char, void (*)(void*)> bytes(raw, PQfreemem);
        if (size > 0) {
            std::string_view line(raw, static_cast<std::size_t>(size));
            line.remove_suffix(line.ends_with('\n') ? 1 : 0);
            row(line);
        } else if (size == 0) {
            handle_->wait(POLLIN);
            if (PQconsumeInput(handle_->get()) == 0) {
                handle_->fail();
            }
        } else {
            break;
        }
    }
    handle_->last();
}

int PostgresConnection::server_version() const {
    return PQserverVersion(handle_->get());
}

int PostgresConnection::server_process() const {
    return PQbackendPID(handle_->get());
}

}  // namespace cacheledger
