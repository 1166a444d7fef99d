#include "reports/look_table.hpp"

#include <fmt/format.h>

namespace cacheledger {

namespace {

constexpr const char* all_looks =
    "SELECT look_id, package_id, version_id, arch_id, compiler_id, variant_set_id FROM look";

// The columns of the index look_attributes, in its order. No id is 0, which stands for NULL.
constexpr const char* same_version = "package_id = ?1 AND version_id IS nullif(?2, 0)";
constexpr const char* same_system = "arch_id IS nullif(?3, 0)";
constexpr const char* same_variants = "variant_set_id IS nullif(?4, 0)";

/// Finding a look takes about as long as reading this many in passing.
constexpr std::size_t looks_for_one_search = 8;

Look read_look(Reader& reader) {
    return {reader.id(0), reader.id(1), reader.id(2), reader.id(3), reader.id(4), reader.id(5)};
}

std::vector<Look> read_looks(Reader& reader) {
    std::vector<Look> looks;
    while (reader.step()) {
        looks.push_back(read_look(reader));
    }
    return looks;
}

}  // namespace

Likeness likeness(const Look& a, const Look& b) {
    if (a.version_id != b.version_id) {
        return Likeness::package;
    }
    if (a.arch_id != b.arch_id) {
        return Likeness::version;
    }
    if (a.compiler_id != b.compiler_id && a.compiler_id != 0 && b.compiler_id != 0) {
        return Likeness::system;
    }
    return a.variant_set_id == b.variant_set_id ? Likeness::variants : Likeness::compiler;
}

std::size_t BuildHash::operator()(const Look& look) const {
    std::uint64_t hash = 0;
    for (const std::int64_t id :
         {look.package_id, look.version_id, look.arch_id, look.variant_set_id}) {
        hash = (hash ^ static_cast<std::uint64_t>(id)) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32U;
    }
    return hash;
}

LookTable::LookTable(const SQLite::Database& database, std::size_t expected)
    : by_id_(database, fmt::format("{} WHERE look_id = ?1", all_looks)),
      by_version_(database, fmt::format("{} WHERE {}", all_looks, same_version)),
      by_system_(database, fmt::format("{} WHERE {} AND {}", all_looks, same_version, same_system)),
      by_build_(database, fmt::format("{} WHERE {} AND {} AND {}", all_looks, same_version,
                                      same_system, same_variants)) {
    const auto last = static_cast<std::size_t>(read_id(database, "SELECT max(look_id) FROM look"));
    if (expected * looks_for_one_search > last) {
        looks_.resize(last + 1);
        is_whole_ = true;
        read_all(database);
    }
}

void LookTable::read_all(const SQLite::Database& database) {
    Reader reader(database, fmt::format("{} NOT INDEXED", all_looks));
    while (reader.step()) {
        const Look look = read_look(reader);
        looks_.at(static_cast<std::size_t>(look.look_id)) = look;
        if (look.compiler_id == 0) {
            without_compiler_.insert(look);
        }
    }
}

Look LookTable::find(std::int64_t look_id) {
    if (is_whole_) {
        return looks_.at(static_cast<std::size_t>(look_id));
    }
    by_id_.start(look_id);
    return by_id_.step() ? read_look(by_id_) : Look{};
}

std::vector<Look> LookTable::of_version(const Look& look) {
    by_version_.start(look.package_id, look.version_id);
    return read_looks(by_version_);
}

std::vector<Look> LookTable::of_system(const Look& look) {
    by_system_.start(look.package_id, look.version_id, look.arch_id);
    return read_looks(by_system_);
}

std::vector<Look> LookTable::of_build(const Look& look) {
    by_build_.start(look.package_id, look.version_id, look.arch_id, look.variant_set_id);
    return read_looks(by_build_);
}

std::int64_t LookTable::find_without_compiler(const Look& look) {
    if (is_whole_) {
        const auto found = without_compiler_.find(look);
        return found == without_compiler_.end() ? 0 : found->look_id;
    }
    for (const Look& candidate : of_build(look)) {
        if (candidate.compiler_id == 0) {
            return candidate.look_id;
        }
    }
    return 0;
}

}  // namespace cacheledger
