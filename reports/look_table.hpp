#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "reports/reader.hpp"

namespace cacheledger {

/// A row of the table look. 0 stands for NULL.
struct Look {
    std::int64_t look_id = 0;
    std::int64_t package_id = 0;
    std::int64_t version_id = 0;
    std::int64_t arch_id = 0;
    std::int64_t compiler_id = 0;
    std::int64_t variant_set_id = 0;

    bool is_same_system(const Look& look) const {
        return package_id == look.package_id && version_id == look.version_id &&
               arch_id == look.arch_id;
    }
    /// Whether they are the same, compilers left out.
    bool is_same_build(const Look& look) const {
        return is_same_system(look) && variant_set_id == look.variant_set_id;
    }
};

/// How far two looks of a package are the same: in the package only, in the version too, and so on.
enum class Likeness : std::uint8_t { package, version, system, compiler, variants };

/// A missing compiler is the same as any.
Likeness likeness(const Look& a, const Look& b);

/// For sets and maps of looks whose compiler is left out.
struct BuildHash {
    std::size_t operator()(const Look& look) const;
};
struct SameBuild {
    bool operator()(const Look& a, const Look& b) const { return a.is_same_build(b); }
};

/// The table look. Refers to the database. Throws SQLite::Exception.
class LookTable {
  public:
    /// `expected`: how many looks will be asked for. Where these are a good part of the table, it
    /// is read whole now, else each look when it is asked for.
    LookTable(const SQLite::Database& database, std::size_t expected);

    Look find(std::int64_t look_id);

    /// All looks of its package and version, whichever snapshots have them.
    std::vector<Look> of_version(const Look& look);

    /// Of these, all for its system.
    std::vector<Look> of_system(const Look& look);

    /// Of these, all with its variants, whatever the compiler.
    std::vector<Look> of_build(const Look& look);

    /// The look_id of the look that is the same and has no compiler; 0 where there is none.
    std::int64_t find_without_compiler(const Look& look);

  private:
    void read_all(const SQLite::Database& database);

    Reader by_id_, by_version_, by_system_, by_build_;
    bool is_whole_ = false;
    std::vector<Look> looks_;  // the place is the look_id
    std::unordered_set<Look, BuildHash, SameBuild> without_compiler_;
};

}  // namespace cacheledger
