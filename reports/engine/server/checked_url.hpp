#pragma once

#include <memory>
#include <string>

struct pg_conn;

namespace cacheledger {

struct FinishConnection {
    void operator()(pg_conn* opened) const;
};
using OpenConnection = std::unique_ptr<pg_conn, FinishConnection>;

/// Throws UsageError, without the password, if libpq can't read the URL, or would read it otherwise
/// than it is meant: a password with an @ would make a host of its end.
void check_url(const std::string& url);

/// What libpq opens for the URL, however long it takes; perhaps no good connection, or null.
OpenConnection open_connection(const std::string& url);

}  // namespace cacheledger
