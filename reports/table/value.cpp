#include "reports/table/value.hpp"

#include <fmt/format.h>

namespace cacheledger {

bool is_null(const Value& value) {
    return std::holds_alternative<std::monostate>(value);
}

bool is_number(const Value& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::string to_text(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return *text;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return fmt::format("{}", *integer);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return fmt::format("{}", *real);
    }
    return "";
}

}  // namespace cacheledger
