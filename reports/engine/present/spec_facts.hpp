#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// Texts as numbers from 1 on, equal texts as equal numbers. 0 stands for NULL.
class TextNumbers {
  public:
    std::uint32_t number_of(const std::string& text);
    const std::string& text_of(std::uint32_t number) const { return *texts_[number - 1]; }

  private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> texts_;
};

/// What the ledger says of a spec, in its ids. 0: no source says.
struct SpecFacts {
    std::uint32_t package = 0, version = 0, arch = 0, variant_set = 0;
    std::uint32_t compiler = 0;  ///< 0, too, if the compiler is a dependency and no attribute
    std::uint32_t recipe = 0;
    std::uint32_t target_definition = 0;
    std::uint32_t build =
        0;  ///< number of the text of a spliced spec's build hash; of '' if it is none
    bool is_respelled = false;
};

/// What the ledger says of a recipe, as numbers of texts. 0: no source says.
struct RecipeFacts {
    std::uint32_t flags = 0, patches = 0, name_space = 0, package_hash = 0;
    std::uint32_t external = 0;       ///< "no", or the path and the modules
    std::uint32_t external_text = 0;  ///< the same for people
};

/// Reads from the ledger what `why` compares. All that it returns stays until it ends. Throws
/// SQLite::Exception.
class SpecReading {
  public:
    explicit SpecReading(const SQLite::Database& database);

    /// Reads the facts of those specs that were not read before: of many in one scan of all.
    void read(const SpecSet& specs);

    /// Of a spec that was read.
    const SpecFacts& facts(std::uint32_t spec) const { return facts_[places_[spec]]; }
    const RecipeFacts& recipe(std::uint32_t recipe);
    const std::string& hash(std::uint32_t spec);
    const std::string& package(std::uint32_t package);
    /// The name; '' for 0.
    const std::string& version(std::uint32_t version);
    /// Where it stands in the order of versions (version.sort_key); '' for 0.
    const std::string& version_key(std::uint32_t version);
    const std::string& compiler(std::uint32_t compiler);
    const std::string& text(std::uint32_t number) const { return texts_.text_of(number); }

  private:
    /// The texts of a column, by id.
    struct Texts {
        Select<std::string> select;
        std::unordered_map<std::uint32_t, std::string> known{};
        const std::string& of(std::uint32_t id);
    };

    using Text = std::optional<std::string>;
    std::uint32_t number_of(const Text& text) { return text ? texts_.number_of(*text) : 0; }

    Select<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
           std::uint32_t, std::uint32_t, bool, Text>
        facts_of_;
    Select<Text, Text, Text, Text, bool, Text, Text> recipe_;
    Texts hashes_, packages_, versions_, version_keys_, compilers_;
    TextNumbers texts_;
    std::vector<std::uint32_t> places_;  // by spec_id
    std::vector<SpecFacts> facts_{1};
    std::unordered_map<std::uint32_t, RecipeFacts> recipes_;
};

}  // namespace cacheledger
