#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/reader.hpp"

namespace cacheledger {

/// The hashes of specs. Refers to the database. Throws SQLite::Exception.
class SpecHashes {
  public:
    explicit SpecHashes(const SQLite::Database& database)
        : database_(database), hash_(database, "SELECT hash FROM spec WHERE spec_id = ?1") {}

    /// Says how many hashes will be asked for. Where these are a good part of all, all are read
    /// now, else each when it is asked for.
    void expect(std::size_t count);

    std::string find(std::int64_t spec_id);

  private:
    const SQLite::Database& database_;
    Reader hash_;

    // When all were read: where the hash of a spec_id lies in texts_.
    struct Place {
        std::size_t offset = 0, size = 0;
    };
    std::vector<Place> places_;
    std::string texts_;
};

}  // namespace cacheledger
