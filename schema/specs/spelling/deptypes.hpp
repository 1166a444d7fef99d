#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// The types of dependencies: how a spec is needed. Everything that names them, or that asks which
/// dependencies belong to a hash, goes by this table; the view edge_kinds
/// (schema/sql/helper_views/edge_kinds.sql) says the same in SQL, and a test compares the two.
namespace cacheledger {

/// A set of types is a number with these bits.
enum DepType : std::uint8_t { dep_build = 1, dep_link = 2, dep_run = 4, dep_test = 8 };

struct NamedDepType {
    std::string_view name;
    DepType bit;
    std::uint8_t since;  ///< the first form of nodes (the version of the specfile) whose hash
                         ///< covers such a dependency
};

/// By name.
inline constexpr std::array<NamedDepType, 4> deptypes = {
    {{"build", dep_build, 3}, {"link", dep_link, 1}, {"run", dep_run, 1}, {"test", dep_test, 5}}};

inline constexpr std::array<std::string_view, 4> deptype_names = {
    deptypes[0].name, deptypes[1].name, deptypes[2].name, deptypes[3].name};

/// The type with this name; nullptr: there is none.
inline const NamedDepType* find_deptype(std::string_view name) {
    const auto* const found = std::ranges::find(deptypes, name, &NamedDepType::name);
    return found == deptypes.end() ? nullptr : found;
}

/// "build,link", by name.
inline std::string text_of_deptypes(std::uint8_t types) {
    std::string text;
    for (const NamedDepType& type : deptypes) {
        if ((types & type.bit) != 0) {
            text += text.empty() ? "" : ",";
            text += type.name;
        }
    }
    return text;
}

/// The types of a text such as "build,link". Other words have no bit.
inline std::uint8_t deptypes_of(std::string_view text) {
    std::uint8_t types = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const NamedDepType* const type = find_deptype(text.substr(0, end));
        types = static_cast<std::uint8_t>(types | (type == nullptr ? 0 : type->bit));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return types;
}

/// Of these types, those whose dependencies belong to the hash of a node of this form.
inline std::uint8_t hashed_deptypes(std::uint8_t form, std::uint8_t types) {
    for (const NamedDepType& type : deptypes) {
        types = static_cast<std::uint8_t>(type.since > form ? types & ~type.bit : types);
    }
    return types;
}

/// The first form of nodes whose hash covers a dependency of these types. Before form 3 it has the
/// types to link and to run only.
inline int hashed_since(std::uint8_t types) {
    int since = deptypes.back().since;
    for (const NamedDepType& type : deptypes) {
        since = (types & type.bit) != 0 ? std::min<int>(since, type.since) : since;
    }
    return since;
}

}  // namespace cacheledger
