#include "reports/engine/server/connection.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "reports/engine/query/query_guard.hpp"
#include "reports/engine/server/result_rows.hpp"
#include "schema/libraries/libpq.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{100};

/// For the server to end a statement that it was told to end.
constexpr std::chrono::seconds grace{3};

/// libpq takes any number of bytes, and moves all that it could not send at each further call.
constexpr std::size_t most_unsent_bytes = std::size_t{1} << 18;

/// How values are written, which a role or a database can have set otherwise. And where names are
/// looked for: by default first in a schema that is called as the role, which others can make.
constexpr const char* settings_of_values =
    "SET LOCAL standard_conforming_strings = on; SET LOCAL bytea_output = hex; SET LOCAL "
    "extra_float_digits = 1; SET LOCAL search_path = pg_catalog";

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
    return parse_number<std::int64_t>(PQcmdTuples(result)).value_or(0);
}

bool is_error(ExecStatusType status) {
    return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
}

/// libpq gives such a result again and again, until the data were copied.
bool is_copy(ExecStatusType status) {
    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

}  // namespace

struct PostgresConnection::Handle {
    OpenConnection connection;
    std::string url;  ///< without a password
    IsStopped is_stopped;
    std::optional<Clock::time_point> stop_by;  ///< when a server that was told to stop is left
    std::string lost;                          ///< why it can't be asked any more

    PGconn* get() const { return connection.get(); }

    [[noreturn]] void fail(const std::string& problem) {
        if (lost.empty()) {
            lost = fmt::format("{}: {}", url, problem);
        }
        throw DatabaseError(lost);
    }
    [[noreturn]] void fail() { fail(one_line(PQerrorMessage(get()))); }

    void stop_if_asked() const {
        if (is_stopped && is_stopped()) {
            throw Interrupted("interrupted");
        }
    }

    /// Another thread waits for names, hosts and the server's first words, as libpq does that as
    /// long as it takes. It is left behind at a stop.
    void connect(const std::string& to) {
        std::packaged_task<OpenConnection()> task([to] { return open_connection(to); });
        auto connected = task.get_future();
        std::thread(std::move(task)).detach();
        while (connected.wait_for(between_looks) != std::future_status::ready) {
            stop_if_asked();
        }
        connection = connected.get();
    }

    /// Tells the server to end the statement. It may not even take that, which another thread waits
    /// for.
    void cancel() const {
        const std::shared_ptr<PGcancel> request(PQgetCancel(get()),
                                                [](PGcancel* made) { PQfreeCancel(made); });
        std::thread([request] {
            std::array<char, 256> reason{};
            PQcancel(request.get(), reason.data(), static_cast<int>(reason.size()));
        }).detach();
    }

    /// If the program is to stop, tells the server, and waits for it a few seconds and no longer.
    void look() {
        if (!stop_by && is_stopped && is_stopped()) {
            stop_by = Clock::now() + grace;
            cancel();
        }
        if (stop_by && Clock::now() > *stop_by) {
            throw Interrupted("interrupted");
        }
    }

    /// Waits until the server sends something, or takes something.
    void wait(short events) {
        pollfd one{PQsocket(get()), events, 0};
        const int ready = poll(&one, 1, static_cast<int>(between_looks.count()));
        if (ready < 0 && errno != EINTR) {
            fail("the connection can't be waited for");
        }
        look();
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

    /// The next result of what was sent; null after the last. Who sent no COPY takes none.
    Result next(bool may_copy = false) {
        flush();
        while (PQisBusy(get()) != 0) {
            wait(POLLIN);
            if (PQconsumeInput(get()) == 0) {
                fail();
            }
        }
        look();  // a server can send results without end
        Result result(PQgetResult(get()));
        if (!may_copy && is_copy(PQresultStatus(result.get()))) {
            fail("the server copies, which it was not told to");
        }
        return result;
    }

    [[noreturn]] void refuse(const PGresult* result) {
        const std::string state = field(result, PG_DIAG_SQLSTATE);
        if (state.empty() || PQstatus(get()) == CONNECTION_BAD) {
            fail();
        }
        // query_canceled: by cancel(), by statement_timeout, or by who else may.
        if (state == "57014" && (stop_by || (is_stopped && is_stopped()))) {
            throw Interrupted("interrupted");
        }
        std::string message = field(result, PG_DIAG_MESSAGE_PRIMARY);
        if (const auto hint = field(result, PG_DIAG_MESSAGE_HINT); !hint.empty()) {
            message += " (" + hint + ")";
        }
        const auto place = parse_number<int>(field(result, PG_DIAG_STATEMENT_POSITION));
        throw PostgresError(one_line(message), state, place.value_or(0) > 0 ? *place - 1 : -1);
    }

    /// Reads all results of what was sent, throws for the first that is an error, and returns the
    /// last.
    Result last(bool may_copy = false) {
        Result kept;
        Result failed;
        while (Result result = next(may_copy)) {
            const auto status = PQresultStatus(result.get());
            if (is_error(status) && failed == nullptr) {
                failed = std::move(result);
            } else if (is_copy(status)) {
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

    /// Before anything is sent.
    void begin() {
        stop_by.reset();
        stop_if_asked();
        if (!lost.empty()) {
            throw DatabaseError(lost);
        }
    }

    /// Rows come one by one, so that a server can't fill the memory.
    void was_sent(int result) {
        if (result == 0) {
            fail();
        }
        PQsetSingleRowMode(get());
    }

    Result run(const std::string& sql, bool may_copy = false) {
        begin();
        was_sent(PQsendQuery(get(), sql.c_str()));
        return last(may_copy);
    }

    void send(const std::string& sql, const std::vector<Value>& values) {
        std::vector<std::string> texts;
        texts.reserve(values.size());
        std::vector<const char*> pointers;
        for (const Value& value : values) {
            texts.push_back(to_text(value));
            pointers.push_back(is_null(value) ? nullptr : texts.back().c_str());
        }
        begin();
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
    handle_->connect(url);
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

void PostgresConnection::commit() {
    handle_->stop_if_asked();
    try {
        handle_->run("COMMIT");
    } catch (const Interrupted&) {
        throw DatabaseError(fmt::format(
            "{}: interrupted while the server wrote the end; repeat the command, which says "
            "whether it is done",
            handle_->url));
    }
}

ResultTable PostgresConnection::query(const std::string& sql, const std::vector<Value>& values) {
    handle_->send(sql, values);
    ResultTable table;
    std::size_t bytes = 0;
    while (const Result result = handle_->next()) {
        if (is_error(PQresultStatus(result.get()))) {
            handle_->drain();
            handle_->refuse(result.get());
        }
        if (table.columns.empty()) {
            table.columns = names_of_columns(result.get());
        }
        bytes += add_rows(result.get(), table);
        if (bytes > most_result_bytes) {
            handle_->fail(
                fmt::format("the rows take more than {} MiB of memory", most_result_bytes >> 20));
        }
    }
    return table;
}

std::vector<Value> PostgresConnection::row(const std::string& sql,
                                           const std::vector<Value>& values) {
    auto rows = query(sql, values).rows;
    if (rows.empty()) {
        handle_->fail("the server sent no row where there is one");
    }
    return std::move(rows.front());
}

std::int64_t PostgresConnection::change(const std::string& sql, const std::vector<Value>& values) {
    handle_->send(sql, values);
    return count_of(handle_->last().get());
}

std::int64_t PostgresConnection::copy_in(const std::string& sql,
                                         const std::function<std::string_view()>& next) {
    handle_->run(sql, true);
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
            handle_->stop_if_asked();
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
    handle_->run(sql, true);
    while (true) {
        handle_->look();
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

}  // namespace cacheledger
