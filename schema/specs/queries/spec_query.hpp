#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/constraints/target_set.hpp"
#include "schema/specs/constraints/version_set.hpp"

namespace cacheledger {

/// What is asked of one variant. Names and values have the canonical spelling of pages.
struct VariantQuery {
    std::string name;
    std::vector<std::string> values;  ///< sorted; a boolean variant has "true" or "false"
    bool is_any = false;              ///< "api=*": the variant is there, with any value
    bool is_exact = false;            ///< "api:=a,b": these values and no others
    bool is_propagated = false;       ///< "++mpi", "api==a": also for all dependencies that have it

    std::string text() const;
};

/// Compiler flags that are asked, of one kind: all of them must be among those of the spec.
struct FlagsQuery {
    std::string name;  ///< "cflags"
    std::vector<std::string> flags;
    bool is_propagated = false;
};

struct DependencyQuery;

/// What a Spack spec such as "hdf5@1.14: +mpi target=x86_64_v3 %gcc@13" asks. What it does not
/// mention is missing here, and matches everything.
struct SpecQuery {
    std::optional<std::string> package;
    std::optional<std::string> name_space;  ///< "builtin", of builtin.hdf5
    VersionSet version;
    std::vector<VariantQuery> variants;  ///< sorted by name
    std::vector<FlagsQuery> flags;       ///< sorted by name
    std::optional<std::string> platform;
    std::optional<std::string> os;
    std::optional<TargetSet> target;
    std::string hash;                           ///< or its beginning; empty: any
    std::vector<DependencyQuery> dependencies;  ///< in their order

    bool operator==(const SpecQuery& other) const { return text() == other.text(); }

    /// The query in one spelling, which parse_spec() reads as the same query. The text of a query
    /// for everything is "*".
    std::string text() const;

    /// Whether options other than a version are asked.
    bool has_options() const;
};

/// What is asked of a dependency: "^zlib@1.3", "%gcc@13", "%c,cxx=gcc".
struct DependencyQuery {
    bool is_direct = false;      ///< '%': the spec itself depends on it; '^': it or a dependency
    bool is_propagated = false;  ///< "%%"
    std::vector<std::string> virtuals;  ///< sorted; what it must be used for: "c", "cxx", "mpi"
    std::vector<std::string> deptypes;  ///< sorted; how it must be used: "build", "link", "run"
    SpecQuery spec;

    /// Whether this can ask for the compiler that specs show: it is direct, and not asked for
    /// something that no compiler is used for.
    bool may_be_compiler() const;

    /// Whether this asks for a compiler: a package that is one, or what is used for a language.
    bool asks_compiler() const;

    std::string text() const;
};

/// Whether this virtual package is a language, which compilers provide: "c", "cxx", "fortran".
bool is_language(std::string_view virtual_package);

/// Whether this is the canonical name of a compiler (schema/specs/spelling/compiler.hpp) that Spack
/// knows.
bool is_known_compiler(std::string_view canonical);

/// Adds to a query what another one asks of the same spec. Throws std::invalid_argument where
/// nothing could match both, or for two targets: "asks for two versions, 1.2 and :1.1".
void constrain(SpecQuery& query, const SpecQuery& more);

/// Adds a dependency to those that a query asks for, as Spack does: one that is asked already, by
/// the same name and deptypes, is asked for both. Gives the one that was added; nullptr if it was
/// joined to another. Throws std::invalid_argument where nothing could match both, or where no spec
/// could depend on two of this name with these deptypes.
DependencyQuery* add_dependency(SpecQuery& query, DependencyQuery dependency);

}  // namespace cacheledger
