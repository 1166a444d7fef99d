#pragma once

#include <optional>
#include <string>

#include "schema/specs/constraints/answer.hpp"
#include "schema/specs/queries/spec_query.hpp"
#include "schema/specs/spelling/variants.hpp"

/// Whether a spec has what a query asks, as Spack's `satisfies` has it. What no source said is
/// unknown. The words of a spec have only one dependency, its compiler: any other is unknown here
/// (schema/ledger/search/matching_specs.hpp looks for them in the ledger).
namespace cacheledger {

/// What the ledger has of one spec, in words and canonical spelling, as the views give them.
/// nullopt: no source said so.
struct SpecWords {
    std::string package;
    std::optional<std::string> version, platform, os, target;
    std::optional<std::string> compiler;  ///< "gcc@13.2.0"; nullopt: none, or not known
    std::optional<std::string> variants;  ///< "build_type=Release ~ipo +mpi"
    std::string hash;

    // What only the node of a spec says (schema/sql/migrations/0001_initial.sql, `recipe`).
    std::optional<std::string> name_space, package_hash, flags, patches;
    std::optional<std::string> external;  ///< its path or modules; "no" for a spec that Spack built
    std::optional<std::string>
        spliced;  ///< the hash that was built; "no" for a spec that is itself
};

Answer matches(const SpecQuery& query, const SpecWords& spec);

/// The parts of that answer, for those who ask about many specs with the same parts.
Answer matches_version(const SpecQuery& query, const std::optional<std::string>& version);
Answer matches_system(const SpecQuery& query, const std::optional<std::string>& platform,
                      const std::optional<std::string>& os,
                      const std::optional<std::string>& target);

/// All variants but `patches`.
Answer matches_variants(const SpecQuery& query, const std::optional<VariantSet>& variants);

/// The variant `patches`, which is among the variants or in the node of a spec.
Answer matches_patches(const SpecQuery& query, const std::optional<VariantSet>& variants,
                       const std::optional<std::string>& patches);

/// The namespace and the compiler flags, of which only the node of a spec says something.
Answer matches_recipe(const SpecQuery& query, const std::optional<std::string>& name_space,
                      const std::optional<std::string>& flags);

/// Whether the compiler that a spec shows is the one that is asked. `asked` must be one that
/// may_be_compiler().
Answer matches_compiler(const DependencyQuery& asked, const std::optional<std::string>& compiler);

/// Whether a variant has the values that are asked. nullptr: the spec does not have the variant.
bool has_values(const VariantQuery& asked, const std::vector<std::string>* values);

/// The value of the variant with this name; nullptr if it is not in the set.
const std::vector<std::string>* values_of(const VariantSet& variants, std::string_view name);

/// The flags of one kind in "cflags=-O2 -g cxxflags=-O2", in their order; empty if there are none.
std::string flags_text(std::string_view flags, std::string_view name);

/// The words of a text, without the blanks between them.
std::vector<std::string> words_of(std::string_view text);

/// Whether everything that matches `query` also matches `asked`, as Spack's `satisfies` has it of
/// two abstract specs: what a query does not mention is not asked by it. Unknown for ranges that
/// would have to be compared in parts, and for virtual packages.
Answer satisfies(const SpecQuery& query, const SpecQuery& asked);

}  // namespace cacheledger
