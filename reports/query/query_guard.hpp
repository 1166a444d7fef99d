#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <string>

namespace cacheledger {

/// The largest text or BLOB that a query may make. The hashes of a whole snapshot in one text are a
/// tenth of it.
inline constexpr int most_value_bytes = 64 << 20;

/// The memory that SQLite may take while a query runs: its cache, and what the query sorts.
inline constexpr std::int64_t most_query_bytes = std::int64_t{1} << 30;

/// The memory that the rows of a result may take: about a million rows of the view specs.
inline constexpr std::size_t most_result_bytes = std::size_t{1} << 30;

/// The longest pattern of LIKE and GLOB: matching takes time by the pattern's length times the
/// text's, and can't be interrupted.
inline constexpr int most_pattern_bytes = 1000;

/// While it lives, the statements that the connection compiles may do nothing but read from the
/// database, and none may take more than the memory above. What would write, name another file or
/// load code is refused when it is compiled. All statements of the connection, so that it also
/// holds for those that virtual tables make of the texts of a query (pragma_table_info(...)).
/// Guards nest, and end in the opposite order of their beginning, as scopes do: where one ends,
/// what it found holds again, another guard of the connection or none.
class QueryGuard {
  public:
    explicit QueryGuard(const SQLite::Database& database);
    ~QueryGuard();
    QueryGuard(const QueryGuard&) = delete;
    QueryGuard& operator=(const QueryGuard&) = delete;

    /// What was refused first: "ATTACH", "the function readfile()"; empty where nothing was.
    const std::string& refused() const { return refused_; }

  private:
    static int authorize(void* guard, int action, const char* first, const char* second,
                         const char* database, const char* view);
    static thread_local QueryGuard* innermost_;  // SQLite does not tell who watches a connection

    QueryGuard* outer_;  // of this connection or another; null where there is none
    sqlite3* handle_;
    int value_bytes_before_, pattern_bytes_before_;
    std::int64_t query_bytes_before_;
    std::string refused_;
};

}  // namespace cacheledger
