#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace cacheledger {

/// A query of the program's own that gives ids and texts, many of them. It calls SQLite directly:
/// SQLite::Column holds its statement by a shared pointer, whose counting takes 30 to 50 ns a
/// value, more than SQLite itself does for a row of a table that is read from end to end.
///
/// An id is 0 where SQLite has NULL: no id is 0, and so ids compare as `IS` does.
class Reader {
  public:
    /// Throws SQLite::Exception, as step() does.
    Reader(const SQLite::Database& database, std::string_view sql) : handle_(database.getHandle()) {
        sqlite3_stmt* raw = nullptr;
        const auto size = static_cast<int>(sql.size());
        if (sqlite3_prepare_v2(handle_, sql.data(), size, &raw, nullptr) != SQLITE_OK) {
            throw SQLite::Exception(handle_);
        }
        statement_.reset(raw);
    }

    /// Starts anew with these values for the parameters ?1, ?2, ... Throws std::logic_error where
    /// their number is another.
    template <typename... Integers>
    void start(Integers... values) {
        sqlite3_reset(statement_.get());
        if (sqlite3_bind_parameter_count(statement_.get()) != static_cast<int>(sizeof...(values))) {
            throw std::logic_error(sqlite3_sql(statement_.get()));
        }
        int index = 0;
        (sqlite3_bind_int64(statement_.get(), ++index, values), ...);
    }

    bool step() {
        const int result = sqlite3_step(statement_.get());
        if (result != SQLITE_ROW && result != SQLITE_DONE) {
            throw SQLite::Exception(handle_, result);
        }
        return result == SQLITE_ROW;
    }

    std::int64_t id(int column) { return sqlite3_column_int64(statement_.get(), column); }

    bool is_null(int column) {
        return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
    }

    /// Valid until the next step.
    std::string_view text(int column) {
        const auto* text = sqlite3_column_text(statement_.get(), column);
        const auto size = sqlite3_column_bytes(statement_.get(), column);
        return text == nullptr ? std::string_view()
                               : std::string_view(reinterpret_cast<const char*>(text),
                                                  static_cast<std::size_t>(size));
    }

    sqlite3_stmt* statement() const { return statement_.get(); }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };

    sqlite3* handle_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// The one id that a query without parameters gives; 0 where it gives none.
inline std::int64_t read_id(const SQLite::Database& database, std::string_view sql) {
    Reader reader(database, sql);
    return reader.step() ? reader.id(0) : 0;
}

}  // namespace cacheledger
