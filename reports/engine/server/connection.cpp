#include "reports/engine/server/connection.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "reports/engine/query/query_guard.hpp"
#include "reports/engine/server/checked_url.hpp"
#include "reports/engine/server/result_rows.hpp"
#include "schema/libraries/libpq.hpp"

namespace cacheledger {

namespace {

constexpr int milliseconds_between_looks = 100;

/// libpq takes any number of bytes, and moves all that it could not send at each further call.
constexpr std::size_t most_unsent_bytes = std::size_t{1} << 18;

/// How values are written, which a role or a database can have set otherwise.
constexpr const char* settings_of_values =
    "SET LOCAL standard_conforming_strings = on; SET LOCAL bytea_output = hex; SET LOCAL "
    "extra_float_digits = 1";

struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

/// A message of the server in one line, without a stop at its end.
std::string one_line(std::string_view message) {
    std::string line;
    for (const char c : message) {
        if (c != '\n' && c != '\t') {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
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
        void operator()(PGconn* opened) const { PQfinish(opened); }
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

    /// The value of a parameter of the connection, wherever it comes from.
    std::string option(std::string_view key) const {
        const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
            PQconninfo(get()), PQconninfoFree);
        for (auto* one = options.get(); one != nullptr && one->keyword != nullptr; ++one) {
            if (one->keyword == key && one->val != nullptr) {
                return one->val;
            }
        }
        return "";
    }

    /// Connects, and looks meanwhile whether to stop. Of several hosts libpq has to wait itself: it
    /// goes on to the next one only then.
    void connect(const char* const* keys, const char* const* values) {
        connection.reset(PQconnectStartParams(keys, values, 1));
        if (connection == nullptr || PQstatus(get()) == CONNECTION_BAD) {
            return;
        }
        if ((option("host") + option("hostaddr")).find(',') != std::string::npos) {
            connection.reset(PQconnectdbParams(keys, values, 1));
            return;
        }
        const int seconds = std::atoi(option("connect_timeout").c_str());
        const auto begin = std::chrono::steady_clock::now();
        auto next = PGRES_POLLING_WRITING;
        while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
            const short event = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
            pollfd one{PQsocket(get()), event, 0};
            const int ready = poll(&one, 1, milliseconds_between_looks);
            if (is_stopped && is_stopped()) {
                throw Interrupted("interrupted");
            }
            if (seconds > 0 &&
                std::chrono::steady_clock::now() - begin > std::chrono::seconds(seconds)) {
                throw DatabaseError(
                    fmt::format("{}: the server did not answer in {} s", url, seconds));
            }
            next = ready > 0 ? PQconnectPoll(get()) : next;
        }
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

    [[noreturn]] void refuse(const PGresult* result) const {
        const std::string state = field(result, PG_DIAG_SQLSTATE);
        if (state.empty() || PQstatus(get()) == CONNECTION_BAD) {
            fail();
        }
        // query_canceled: by cancel(), by statement_timeout, or by who else may.
        if (state == "57014" && (is_cancelled || (is_stopped && is_stopped()))) {
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

    /// Reads what is left of the results.
    void drain() {
        while (next() != nullptr && PQstatus(get()) == CONNECTION_OK) {
        }
    }

    void was_sent(int result) {
        is_cancelled = false;
        if (result == 0) {
            fail();
        }
    }

    Result run(const std::string& sql) {
        was_sent(PQsendQuery(get(), sql.c_str()));
        return last();
    }

    void send(const std::string& sql, const std::vector<Value>& values) {
        std::vector<std::string> texts;
        texts.reserve(values.size());
        std::vector<const char*> pointers;
        for (const Value& value : values) {
            texts.push_back(to_text(value));
            pointers.push_back(is_null(value) ? nullptr : texts.back().c_str());
        }
        was_sent(PQsendQueryParams(get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                                   pointers.data(), nullptr, nullptr, 0));
    }
};

std::string client_library_version() {
    const int version = PQlibVersion();
    return fmt::format("{}.{}", version / 10000, version % 10000);
}

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
    handle_->connect(keys.data(), values.data());
    if (handle_->connection == nullptr || PQstatus(handle_->get()) != CONNECTION_OK) {
        handle_->fail();
    }
    PQsetNoticeProcessor(
        handle_->get(), [](void*, const char*) {}, nullptr);
    PQsetnonblocking(handle_->get(), 1);
}

PostgresConnection::~PostgresConnection() = default;

void PostgresConnection::begin(const std::string& mode) {
    handle_->run(fmt::format("BEGIN {}; {}", mode, settings_of_values));
}

void PostgresConnection::run(const std::string& sql) {
    handle_->run(sql);
}

ResultTable PostgresConnection::query(const std::string& sql, const std::vector<Value>& values,
                                      std::size_t most_rows) {
    handle_->send(sql, values);
    PQsetSingleRowMode(handle_->get());
    ResultTable table;
    std::size_t bytes = 0;
    while (const Result result = handle_->next()) {
        if (PQresultStatus(result.get()) == PGRES_FATAL_ERROR) {
            if (table.is_cut) {
                continue;  // the server says that it was told to stop
            }
            handle_->drain();
            handle_->refuse(result.get());
        }
        if (table.columns.empty()) {
            table.columns = names_of_columns(result.get());
        }
        if (table.is_cut) {
            continue;
        }
        bytes += add_rows(result.get(), table);
        if (table.rows.size() > most_rows || bytes > most_result_bytes) {
            table.is_cut = true;
            handle_->cancel();
        }
    }
    if (bytes > most_result_bytes) {
        throw UsageError(
            fmt::format("the rows take more than {} MiB of memory; ask for less at a time",
                        most_result_bytes >> 20));
    }
    if (table.is_cut) {
        table.rows.resize(most_rows);
    }
    return table;
}

std::vector<std::string> PostgresConnection::columns(const std::string& sql) {
    handle_->was_sent(PQsendPrepare(handle_->get(), "", sql.c_str(), 0, nullptr));
    handle_->last();
    handle_->was_sent(PQsendDescribePrepared(handle_->get(), ""));
    return names_of_columns(handle_->last().get());
}

std::int64_t PostgresConnection::change(const std::string& sql, const std::vector<Value>& values) {
    handle_->send(sql, values);
    return count_of(handle_->last().get());
}

std::int64_t PostgresConnection::copy_in(const std::string& sql,
                                         const std::function<std::string_view()>& next) {
    handle_->run(sql);
    try {
        std::size_t waiting = 0;
        for (std::string_view bytes = next(); !bytes.empty(); bytes = next()) {
            if (PQputCopyData(handle_->get(), bytes.data(), static_cast<int>(bytes.size())) < 0) {
                handle_->fail();
            }
            waiting += bytes.size();
            if (waiting > most_unsent_bytes) {
                handle_->flush();
                waiting = 0;
            }
            if (handle_->is_stopped && handle_->is_stopped()) {
                throw Interrupted("interrupted");
            }
        }
    } catch (...) {
        // The server ends the COPY with an error, and the connection can be used again.
        PQputCopyEnd(handle_->get(), "the client stopped");
        handle_->drain();
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
