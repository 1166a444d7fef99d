#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cacheledger {

/// A query whose rows are read by the hundred thousand. SQLite::Statement makes an object for each
/// value, which takes a third of the time of such a scan. All throw SQLite::Exception.
class RowScan {
  public:
    RowScan(const SQLite::Database& database, const std::string& sql)
        : database_(database.getHandle()), statement_(nullptr, sqlite3_finalize) {
        sqlite3_stmt* raw = nullptr;
        const int result = sqlite3_prepare_v2(database_, sql.c_str(), -1, &raw, nullptr);
        statement_.reset(raw);
        check(result);
    }

    /// Starts anew, with these values of all parameters in their order.
    void start(std::initializer_list<std::int64_t> values) {
        sqlite3_reset(statement_.get());
        int index = 0;
        for (const std::int64_t value : values) {
            check(sqlite3_bind_int64(statement_.get(), ++index, value));
        }
    }
    /// Goes to the first or next row; false at the end.
    bool next() {
        const int result = sqlite3_step(statement_.get());
        if (result != SQLITE_ROW && result != SQLITE_DONE) {
            check(result);
        }
        return result == SQLITE_ROW;
    }
    /// 0 for NULL.
    std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
    /// Empty for NULL. Good until the next row.
    std::string_view text_view(int column) const {
        const auto* const bytes = sqlite3_column_text(statement_.get(), column);
        return {reinterpret_cast<const char*>(bytes),
                static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
    }
    std::optional<std::string> text(int column) const {
        return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL
                   ? std::nullopt
                   : std::optional<std::string>(text_view(column));
    }
    /// A shorter BLOB is filled with zeros, a longer one is cut.
    template <typename Bytes>
    Bytes bytes(int column) const {
        Bytes bytes{};
        const auto* const blob =
            static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
        const int size = sqlite3_column_bytes(statement_.get(), column);
        std::copy_n(blob, std::min(bytes.size(), static_cast<std::size_t>(size)), bytes.begin());
        return bytes;
    }

  private:
    void check(int result) const {
        if (result != SQLITE_OK) {
            throw SQLite::Exception(database_, result);
        }
    }

    sqlite3* database_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
};

}  // namespace cacheledger
