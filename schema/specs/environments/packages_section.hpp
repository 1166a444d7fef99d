#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/specs/environments/wish.hpp"
#include "schema/specs/environments/wish_findings.hpp"
#include "schema/specs/settings/yaml_tree.hpp"

namespace cacheledger {

/// What the section `packages` demands of builds of a package. What a package has of its own stands
/// in place of what `all` has, as Spack has it.
class PackagesSection {
  public:
    /// `toolchains`: names that stand for compilers, which can't be judged.
    PackagesSection(YamlValue packages, const std::set<std::string>& toolchains,
                    WishFindings& findings);

    PackagesSection(const PackagesSection&) = delete;
    PackagesSection& operator=(const PackagesSection&) = delete;

    const SharedConditions& conditions_of(const std::string& package);

    /// What is required of packages by their names, or by that of a virtual package, compilers left
    /// out; nullptr for nothing.
    std::shared_ptr<const DependencyConditions> of_dependencies();

    /// Whether nothing of the package is built: "buildable: false".
    bool is_external(const std::string& package) const;

    /// The compilers and languages of which something is required.
    std::vector<std::string> not_judged() const;

    std::size_t size() const { return packages_.entries.size(); }

  private:
    const YamlValue* setting(std::string_view package, std::string_view key) const;

    YamlValue packages_;
    std::unordered_map<std::string_view, const YamlValue*> settings_;  // by package
    const std::set<std::string>& toolchains_;
    WishFindings& findings_;
    std::map<std::string, SharedConditions> known_;
    std::shared_ptr<const DependencyConditions> of_dependencies_;
};

/// Whether a query asks for one of these names as a compiler.
bool asks_for_any(const SpecQuery& query, const std::set<std::string>& toolchains);

}  // namespace cacheledger
