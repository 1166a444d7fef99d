#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "schema/specs/environments/wish.hpp"
#include "schema/specs/environments/wish_findings.hpp"
#include "schema/specs/environments/yaml_tree.hpp"

namespace cacheledger {

/// What the section `packages` demands of builds of a package. What a package has of its own stands
/// in place of what `all` has, as Spack has it.
class PackagesSection {
  public:
    /// `toolchains`: names that stand for compilers, which can't be judged.
    PackagesSection(YamlValue packages, const std::set<std::string>& toolchains,
                    WishFindings& findings);

    const std::vector<WishCondition>& conditions_of(const std::string& package);

    /// The packages and virtual packages of which something is required.
    std::vector<std::string> restricted() const;

  private:
    YamlValue packages_;
    const std::set<std::string>& toolchains_;
    WishFindings& findings_;
    std::map<std::string, std::vector<WishCondition>> known_;
};

/// Whether a query asks for one of these names as a compiler.
bool asks_for_any(const SpecQuery& query, const std::set<std::string>& toolchains);

}  // namespace cacheledger
