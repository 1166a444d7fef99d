#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// Converts the printed values of entries to canonical ones and owns them. Equal values are made
/// once: of 200,000 entries, all but some thousand repeat a value. Not for use by several threads
/// at once. All functions throw Problem if a value can't be read.
class SharedValues {
  public:
    /// nullptr for "none".
    const Shared<Compiler>* compiler(std::string_view printed);
    const Shared<Compiler>* compiler(Compiler given);
    const Shared<VariantSet>* variants(const std::vector<std::string_view>& printed);
    /// Variants as spec files give them: see make_variants().
    const Shared<VariantSet>* variants(const std::vector<Variant>& given);
    const Shared<StackSet>* stacks(const std::vector<std::string_view>& printed);
    const Shared<Arch>* arch(std::string_view platform, std::string_view os,
                             std::string_view target);
    const Shared<Text>* text(std::string_view text);

    /// The targets directly below each target, as the texts say that were read; "" where one says
    /// that there are none. Of more than most_targets_with_parents the first are kept.
    using TargetParents = std::map<std::string, std::set<std::string>>;
    void note_parents(std::string_view target, const std::vector<std::string_view>& parents);
    const TargetParents& parents() const { return parents_; }

  private:
    template <typename Value>
    using Known = TextMap<std::unique_ptr<const Shared<Value>>>;

    std::size_t number_of_variant_sets() const {
        return variant_sets_.size() + given_variant_sets_.size();
    }

    std::string key_;                       // kept for its memory
    Known<Compiler> compilers_;             // by what is printed, or by name and version
    Known<VariantSet> variant_sets_;        // by what is printed
    Known<VariantSet> given_variant_sets_;  // by their text
    Known<StackSet> stack_sets_;
    Known<Arch> archs_;
    Known<Text> texts_;
    TargetParents parents_;
};

}  // namespace cacheledger
