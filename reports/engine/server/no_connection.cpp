// connection.hpp where libpq is not installed: every connection is refused.
#include "reports/engine/server/connection.hpp"

namespace cacheledger {

struct PostgresConnection::Handle {};

namespace {

[[noreturn]] void refuse() {
    throw UsageError(
        "this cacheledger was built without PostgreSQL; install libpq-dev, and build it again");
}

}  // namespace

std::string client_library_version() {
    return {};
}

PostgresConnection::PostgresConnection(const std::string& /*url*/, const IsStopped& /*stopped*/) {
    refuse();
}

PostgresConnection::~PostgresConnection() = default;

void PostgresConnection::begin(const std::string& /*mode*/) {
    refuse();
}

void PostgresConnection::commit() {
    refuse();
}

void PostgresConnection::run(const std::string& /*sql*/) {
    refuse();
}

ResultTable PostgresConnection::query(const std::string& /*sql*/,
                                      const std::vector<Value>& /*values*/) {
    refuse();
}

std::vector<Value> PostgresConnection::row(const std::string& /*sql*/,
                                           const std::vector<Value>& /*values*/) {
    refuse();
}

std::int64_t PostgresConnection::change(const std::string& /*sql*/,
                                        const std::vector<Value>& /*values*/) {
    refuse();
}

std::int64_t PostgresConnection::copy_in(const std::string& /*sql*/,
                                         const std::function<std::string_view()>& /*next*/) {
    refuse();
}

void PostgresConnection::copy_out(const std::string& /*sql*/,
                                  const std::function<void(std::string_view)>& /*row*/) {
    refuse();
}

int PostgresConnection::server_version() const {
    refuse();
}

}  // namespace cacheledger
