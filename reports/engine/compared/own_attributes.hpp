#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/engine/compared/compared.hpp"
#include "reports/engine/present/spec_facts.hpp"

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

/// The attributes that some nodes of a group have themselves, whatever they depend on. A target
/// counts by its name. What no source says is 0, and matches anything.
struct Own {
    std::uint32_t group = 0, version = 0, arch = 0, choice = 0, compiler = 0, recipe = 0, build = 0;
    std::vector<std::uint32_t> gone{}, there{};  ///< the earlier specs that have them
    std::vector<std::uint32_t> same{};  ///< of new nodes: places of earlier ones that match

    bool is_earlier() const { return !gone.empty() || !there.empty(); }
    bool is_vague() const { return version == 0 || arch == 0 || choice == 0; }
};

/// What differs from the nearest earlier node.
struct OwnChange {
    std::string text = "new package";  ///< "version: 1.0 -> 1.1; recipe"
    bool by_recipe = true;             ///< a change of the recipe can be why
};

/// Compares the own attributes of new nodes with those of the earlier ones of their groups. Throws
/// SQLite::Exception.
class OwnAttributes {
  public:
    /// The reading has the facts of all that is compared.
    OwnAttributes(const SQLite::Database& database, SpecReading& reading, const Compared& compared);

    /// Those of a new node, by its place.
    const Own& of(std::size_t node) const { return all_[of_new_[node]]; }
    const Own& at(std::uint32_t place) const { return all_[place]; }

    /// How a new node whose attributes no earlier one has differs from the nearest: gone from the
    /// later side; the family of targets, platform and os, target (of those that the later node's
    /// target runs, the one that runs most comes first), version, the number of options, compiler,
    /// flags or patches, recipe; the greatest version; the smallest hash. Beside a node that is
    /// still there the text has no arrow.
    const OwnChange& change(std::size_t node);

  private:
    struct Nearness;

    void find_same(std::uint32_t first, std::uint32_t last);
    bool matches(const Own& one, const Own& other);
    Nearness nearness(const Own& now, const Own& before, bool is_gone);
    std::string smallest_hash(const Own& own, bool is_gone);
    OwnChange told(const Own& now, const Own& before, bool is_gone);

    SpecReading& reading_;
    OptionChoices choices_;
    Systems systems_;
    std::vector<Own> all_;                        // by group
    std::vector<std::uint32_t> of_new_;           // places in all_, by place of the new node
    std::vector<std::uint32_t> first_of_group_;   // places in all_, by place in all_
    std::map<std::uint32_t, OwnChange> changes_;  // by place in all_
};

}  // namespace cacheledger
