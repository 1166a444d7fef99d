#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/page.hpp"

namespace cacheledger {

/// Turns printed values into canonical ones, each spelling once: of 200,000 entries, all but some
/// thousand repeat what was spelled before. What it gives is shared; not for use by several threads
/// at once. All throw std::invalid_argument, which says what was expected.
class Spelling {
  public:
    std::shared_ptr<const Compiler> compiler(std::string_view printed);
    std::shared_ptr<const VariantSet> variants(const std::vector<std::string_view>& printed);
    /// Variants as spec files give them: see make_variants().
    std::shared_ptr<const VariantSet> variants(const std::vector<Variant>& given);
    std::shared_ptr<const StackSet> stacks(const std::vector<std::string_view>& printed);
    std::shared_ptr<const Arch> arch(std::string_view platform, std::string_view os,
                                     std::string_view target);

  private:
    template <typename Value>
    using Known = std::unordered_map<std::string, std::shared_ptr<const Value>>;

    std::string key_;  // kept for its memory
    Known<Compiler> compilers_;
    Known<VariantSet> variant_sets_;        // by what is printed
    Known<VariantSet> given_variant_sets_;  // by their text
    Known<StackSet> stack_sets_;
    Known<Arch> archs_;
};

}  // namespace cacheledger
