#include "reports/postgresql/rows/load_table.hpp"

#include <fmt/format.h>

#include "reports/postgresql/rows/copy_lines.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t bytes_of_load = 1 << 17;

}  // namespace

LoadedRows load_table(const SQLite::Database& ledger, PostgresConnection& connection,
                      const std::string& schema, const LedgerTable& table) {
    CopyLines lines(ledger, fmt::format("SELECT {} FROM {} ORDER BY {}", table.column_list(),
                                        table.name, table.key_list()));
    std::string bytes;
    const auto next = [&]() -> std::string_view {
        bytes.clear();
        while (bytes.size() < bytes_of_load && lines.next()) {
            bytes += lines.line();
            bytes += '\n';
        }
        return bytes;
    };
    LoadedRows loaded;
    loaded.rows = connection.copy_in(
        fmt::format("COPY {}.{} ({}) FROM STDIN", schema, table.name, table.column_list()), next);
    loaded.respelled = lines.respelled();
    return loaded;
}

LoadedRows count_rows(const SQLite::Database& ledger, const LedgerTable& table) {
    CopyLines lines(ledger, fmt::format("SELECT {} FROM {}", table.column_list(), table.name));
    LoadedRows counted;
    while (lines.next()) {
        ++counted.rows;
    }
    counted.respelled = lines.respelled();
    return counted;
}

}  // namespace cacheledger
