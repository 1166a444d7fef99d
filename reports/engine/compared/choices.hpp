#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/engine/compared/spec_facts.hpp"

namespace cacheledger {

/// The options that people choose: variants without build_system, which nobody chooses, and
/// patches, which are compared by themselves. Variant sets with the same options are one choice.
class OptionChoices {
  public:
    /// Throws SQLite::Exception.
    explicit OptionChoices(const SQLite::Database& database) : database_(database) {}

    /// The choice of a variant set; 0 for 0.
    std::uint32_t of(std::uint32_t variant_set);

    /// How two choices differ. 0 as a choice differs from nothing.
    struct Change {
        std::size_t options = 0;  ///< how many
        std::string arrows;       ///< "+mpi; cuda_arch: 80 -> 90; ~x dropped"
        std::string values;       ///< the same with the later values only
    };
    const Change& change(std::uint32_t now, std::uint32_t before);

  private:
    using Option = std::pair<std::string, std::string>;  // name, value

    const SQLite::Database& database_;
    std::unordered_map<std::uint32_t, std::uint32_t> of_set_;
    std::map<std::vector<Option>, std::uint32_t> numbers_;
    std::vector<const std::vector<Option>*> options_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Change> changes_;
};

/// The systems that specs are for, and how near one is to another.
class Systems {
  public:
    /// Throws SQLite::Exception.
    explicit Systems(const SQLite::Database& database) : database_(database) {}

    struct Words {
        std::string platform, os, target;
    };
    const Words& words(std::uint32_t arch);

    /// How the system of a later node differs from an earlier one; in nothing if one is 0.
    struct Change {
        bool is_foreign = false;  ///< targets of two families
        bool platform = false, os = false;
        std::int64_t target = 0;  ///< as TargetFit has it; of two families as if it may not run it
    };
    const Change& change(std::uint32_t now, std::uint32_t before);

  private:
    const SQLite::Database& database_;
    std::unordered_map<std::uint32_t, Words> words_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Change> changes_;
};

}  // namespace cacheledger
