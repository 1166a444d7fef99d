#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// One variant (a build option) with its sorted values. A boolean variant has the value "true" or
/// "false".
struct Variant {
    std::string name;
    std::vector<std::string> values;
};

/// All variants of a spec, sorted by name.
struct VariantSet {
    std::vector<Variant> variants;
    std::string text;  ///< in Spack's spelling and canonical order: "build_type=Release ~ipo +mpi"
};

/// The canonical variant set for the variants that a page prints (docs/formats.md, "Variants"):
/// "+mpi", "~ipo", "build_type=Release", "cuda_arch:=80", "languages:='c,c++'".
///
/// - The separator, quotes, the order of variants and the order of values have no meaning.
/// - "x=True" becomes "+x".
/// - Hashes of patches are cut to 7 digits.
/// - "k:=*" has the single value "*".
/// - A name that is given more than once gets all of its values.
///
/// Throws std::invalid_argument, which says what was expected.
VariantSet parse_variants(const std::vector<std::string_view>& printed);

/// The variant set whose `text` this is. Throws std::invalid_argument, which says what was
/// expected.
VariantSet parse_variant_text(std::string_view text);

/// The canonical variant set for the `parameters` of a spec file. A boolean variant has {"true"} or
/// {"false"}, any other its values as written. The result equals that for the printed form: Spack
/// prints a value that contains commas as several values, and a variant without a value as "k=".
/// Throws std::invalid_argument, which says what was expected.
VariantSet make_variants(const std::vector<Variant>& given);

}  // namespace cacheledger
