#include "reports/engine/query/binding.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <new>

namespace cacheledger {

int bind_value(sqlite3_stmt* statement, int index, const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC,
                                   SQLITE_UTF8);
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return sqlite3_bind_int64(statement, index, *integer);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return sqlite3_bind_double(statement, index, *real);
    }
    return sqlite3_bind_null(statement, index);
}

std::string text_with_values(sqlite3_stmt* statement) {
    const std::unique_ptr<char, void (*)(void*)> text(sqlite3_expanded_sql(statement),
                                                      sqlite3_free);
    if (text == nullptr) {
        throw std::bad_alloc();
    }
    return text.get();
}

}  // namespace cacheledger
