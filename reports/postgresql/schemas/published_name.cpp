#include "reports/postgresql/schemas/published_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "reports/engine/server/connection.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

// PostgreSQL has 63 bytes for a name; the longest that is made of it is "NAME tables".
constexpr std::size_t longest_published_name = 48;

constexpr std::array<std::string_view, 3> taken_names = {"public", shared_schema,
                                                         "information_schema"};

bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_of_published_name(char c) {
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

}  // namespace

PublishedName::PublishedName(std::string name) : name_(std::move(name)) {
    if (name_.empty() || name_.size() > longest_published_name || !is_ascii_letter(name_.front()) ||
        !std::ranges::all_of(name_, is_of_published_name)) {
        throw UsageError(
            fmt::format("--ledger '{}': expected a letter, and then letters, digits, _ . and -, at "
                        "most {} in all",
                        name_, longest_published_name));
    }
    if (name_.starts_with("pg_") || std::ranges::find(taken_names, name_) != taken_names.end()) {
        throw UsageError(
            fmt::format("--ledger '{}': expected another name; the schema {} is no "
                        "ledger's",
                        name_, name_));
    }
}

std::string PublishedName::schema() const {
    return quoted_name(name_);
}

std::string PublishedName::schema_of_tables() const {
    return quoted_name(name_ + " tables");
}

std::string PublishedName::search_path() const {
    return fmt::format("{}, {}", schema_of_tables(), schema());
}

int PublishedName::lock_key() const {
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name_) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return static_cast<int>(hash);
}

}  // namespace cacheledger
