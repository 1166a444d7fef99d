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

void PostgresConnection::run(const std::string& /*sql*/) {
    refuse();
}

ResultTable PostgresConnection::query(const std::string& /*sql*/,
                                      const std::vector<Value>& /*values*/,
                                      std::size_t /*most_rows*/) {
    refuse();
}

std::vector<std::string> PostgresConnection::columns(const std::string& /*sql*/) {
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

int PostgresConnection::server_process() const {
    refuse();
}

}  // namespace cacheledger
