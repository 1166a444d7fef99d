#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"

/// What an environment wants: the specs of a spack.yaml, and what its `packages:` section demands
/// of them.
namespace cacheledger {

/// What `packages:` demands of the builds of a wish (docs/formats.md, "Wish lists: spack.yaml").
struct WishCondition {
    enum class Mode : unsigned char {
        all_of,  ///< a string, or `spec:`
        any_of,  ///< `any_of:`: at least one
        one_of,  ///< `one_of:`: one, and no other
    };
    Mode mode = Mode::all_of;
    std::vector<SpecQuery> specs;        ///< at least one
    std::optional<SpecQuery> when = {};  ///< only of builds that match
    /// Of `all:`. Spack leaves such a condition out where it can't apply: for a package without the
    /// variant, or one that uses no compiler.
    bool is_of_all = false;
    bool is_preference = false;  ///< of `prefer:`: a wish, no condition
};

/// Conditions that wishes share: many may have the same, of which there may be many.
class SharedConditions {
  public:
    SharedConditions() = default;
    SharedConditions(std::vector<WishCondition> conditions)  // NOLINT(*-explicit-*)
        : all_(std::make_shared<const std::vector<WishCondition>>(std::move(conditions))) {}

    operator const std::vector<WishCondition>&() const { return *all_; }  // NOLINT(*-explicit-*)
    auto begin() const { return all_->begin(); }
    auto end() const { return all_->end(); }
    bool are_same_as(const SharedConditions& other) const { return all_ == other.all_; }

  private:
    std::shared_ptr<const std::vector<WishCondition>> all_ =
        std::make_shared<const std::vector<WishCondition>>();
};

/// What is required of the builds that a build links and runs, by the name of their package or of a
/// virtual one. A spec of it may name a package: what is used for a virtual one.
using DependencyConditions = std::map<std::string, SharedConditions, std::less<>>;

/// One spec that is wanted.
struct Wish {
    std::string spec;      ///< its text, with single blanks: "py-keras backend=jax"
    SpecQuery query;       ///< what that asks
    std::string group;     ///< the group that has it; empty for none
    std::size_t line = 0;  ///< of its entry, from 1 on
    SharedConditions conditions = {};
    std::shared_ptr<const DependencyConditions> of_dependencies = {};  ///< nullptr: nothing
    /// `packages` says that it is not built: it is there outside of Spack, and no cache has it.
    bool is_external = false;
};

/// The conditions as JSON, in one spelling, for the column wish.conditions:
/// [{"require": "+cuda", "of": "all"}, {"any_of": ["+a", "+b"], "when": "@2:"}, {"prefer": "+hl"}].
/// "[]" for none.
std::string conditions_text(const std::vector<WishCondition>& conditions);

/// What is required, for people: "+cuda target=x86_64_v3; one of: +a, +b; conflicts with +c". Empty
/// for nothing. Preferences are left out.
std::string words_of_requirements(const std::vector<WishCondition>& conditions);

/// Whether a condition is asked of every build, and leaves no choice.
bool is_plain(const WishCondition& condition);

/// Reads what conditions_text() gave. Throws std::invalid_argument if it is something else.
std::vector<WishCondition> parse_conditions(std::string_view json);

}  // namespace cacheledger
