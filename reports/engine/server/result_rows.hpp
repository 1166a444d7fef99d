#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

struct pg_conn;

struct pg_result;
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

/// The names of the columns of a result of libpq.
std::vector<std::string> names_of_columns(const pg_result* result);

/// Adds the rows of a result of libpq to a table with its columns. Values become those of a report:
/// whole numbers and booleans integers, other numbers reals, bytes hex digits, all others texts.
/// Returns how many bytes they take.
std::size_t add_rows(const pg_result* result, ResultTable& table);

}  // namespace cacheledger
