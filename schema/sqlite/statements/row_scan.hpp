#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

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
    /// A BLOB or text of this size; zeros where it has another one.
    template <typename Value, std::size_t Size>
    std::array<Value, Size> bytes(int column) const {
        std::array<Value, Size> bytes{};
        const void* const stored = sqlite3_column_blob(statement_.get(), column);
        if (sqlite3_column_bytes(statement_.get(), column) == static_cast<int>(Size)) {
            std::memcpy(bytes.data(), stored, Size);
        }
        return bytes;
    }
    std::optional<std::string> text(int column) const {
        const auto* const bytes = sqlite3_column_text(statement_.get(), column);
        return bytes == nullptr
                   ? std::nullopt
                   : std::optional<std::string>(
                         std::in_place, reinterpret_cast<const char*>(bytes),
                         static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
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
