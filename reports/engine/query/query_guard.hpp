#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cacheledger {

/// The largest text or BLOB that a query may make, in bytes. All hashes of a large snapshot in one
/// text take a tenth of it.
inline constexpr int most_value_bytes = 64 << 20;

/// The memory that SQLite may use while a query runs, in bytes: its cache, and what the query
/// sorts.
inline constexpr std::int64_t most_query_bytes = std::int64_t{1} << 30;

/// The memory that the rows of a result may take, in bytes: about a million rows of the view specs.
inline constexpr std::size_t most_result_bytes = std::size_t{1} << 30;

/// The longest pattern for LIKE and GLOB, in bytes. Matching takes time in proportion to the length
/// of the pattern times that of the text, and can't be interrupted.
inline constexpr int most_pattern_bytes = 1000;

/// Limits what a connection may do while the guard lives: statements may only read from the
/// database, and may not take more memory than the limits above. A statement that would write, name
/// another file or load code is refused when it is compiled. The guard is for all statements of the
/// connection, because virtual tables make statements from texts in a query
/// (pragma_table_info(...)). Guards can be nested and must end in the opposite order, like scopes.
/// The end of a guard restores the previous state of its connection: an outer guard, or none.
class QueryGuard {
  public:
    explicit QueryGuard(const SQLite::Database& database);
    ~QueryGuard();
    QueryGuard(const QueryGuard&) = delete;
    QueryGuard& operator=(const QueryGuard&) = delete;

    /// The first thing that was refused: "ATTACH", "the function readfile()". Empty if nothing was
    /// refused.
    const std::string& refused() const { return refused_; }

  private:
    static int authorize(void* guard, int action, const char* first, const char* second,
                         const char* database, const char* view);
    // SQLite does not tell which authorizer a connection has.
    static thread_local QueryGuard* innermost_;

    QueryGuard* outer_;  // of this connection or another; nullptr if there is none
    sqlite3* handle_;
    int value_bytes_before_, pattern_bytes_before_;
    std::int64_t query_bytes_before_;
    std::string refused_;
};

}  // namespace cacheledger
