#pragma once

#include <algorithm>
#include <array>
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

/// One variant in Spack's spelling: "+mpi" for {"true"}, "~mpi" for {"false"}, else
/// "fabrics=sockets,tcp", with quotes where Spack writes them. `values` must be sorted.
std::string variant_text(const std::string& name, const std::vector<std::string>& values);

/// Whether this is the name of one of Spack's compiler flags. Spec files and the names of specs
/// list them together with variants. They are not variants: `variants` of a page never has them.
inline bool is_compiler_flag(std::string_view name) {
    constexpr std::array<std::string_view, 6> flags = {"cflags", "cppflags", "cxxflags",
                                                       "fflags", "ldflags",  "ldlibs"};
    return std::find(flags.begin(), flags.end(), name) != flags.end();
}

}  // namespace cacheledger
