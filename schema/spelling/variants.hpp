#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// One build option with its values, sorted; {"true"} or {"false"} for a boolean one.
struct Variant {
    std::string name;
    std::vector<std::string> values;
};

/// All options of a spec, sorted by name.
struct VariantSet {
    std::vector<Variant> variants;
    std::string text;  ///< Spack's spelling in canonical order: "build_type=Release ~ipo +mpi"
};

/// The canonical variant set of a page's printed variants (docs/formats.md, "Variants"): "+mpi",
/// "~ipo", "build_type=Release", "cuda_arch:=80", "languages:='c,c++'". The separator, quotes, and
/// the order of variants and of values mean nothing; "x=True" is "+x"; patches are cut to 7 digits;
/// "k:=*" has the one value "*"; a name that is given more than once has all the values together.
/// Throws std::invalid_argument, which says what was expected.
VariantSet parse_variants(const std::vector<std::string_view>& printed);

/// The same of variants as spec files give them, in `parameters`: {"true"} or {"false"} for a
/// boolean one, else the values as they are written. Spack prints a value with commas as several
/// and no value as "k=", so that both are read as their printed form.
VariantSet make_variants(const std::vector<Variant>& given);

}  // namespace cacheledger
