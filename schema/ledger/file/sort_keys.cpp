#include "schema/ledger/file/sort_keys.hpp"

#include <fmt/format.h>

#include <optional>

#include "schema/specs/spelling/version_order.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

std::vector<WrongSortKey> wrong_sort_keys(SQLite::Database& database) {
    std::vector<WrongSortKey> wrong;
    const auto compare = [&](const char* table, std::int64_t id, const std::string& text,
                             const std::string& found, const std::string& expected) {
        if (found != expected) {
            wrong.push_back({table, id, text, found, expected});
        }
    };
    for (const auto& [id, text, found] : rows<std::int64_t, std::string, std::string>(
             database, "SELECT version_id, version, sort_key FROM version")) {
        compare("version", id, text, found, version_sort_key(text));
    }
    for (const auto& [id, text, found, name, version] :
         rows<std::int64_t, std::string, std::string, std::string, std::optional<std::string>>(
             database, "SELECT compiler_id, spec, sort_key, name, version FROM compiler")) {
        compare("compiler", id, text, found, compiler_sort_key(name, version));
    }
    return wrong;
}

}  // namespace cacheledger
