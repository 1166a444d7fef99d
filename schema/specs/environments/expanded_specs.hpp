#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "schema/specs/environments/wish_findings.hpp"
#include "schema/specs/settings/yaml_tree.hpp"

namespace cacheledger {

/// One spec of a list: a text, or the texts that a matrix combines. The first may name the package,
/// and each says more of the same spec.
struct ExpandedSpec {
    std::vector<std::string> parts;
    std::size_t line = 0;
};

/// Expands the lists of specs of a spack.yaml: "$name", "matrix" and "exclude".
class ExpandedSpecs {
  public:
    /// `name`: as errors call the file.
    ExpandedSpecs(std::string name, WishFindings& findings)
        : name_(std::move(name)), findings_(findings) {}

    /// Reads the section `definitions`. A definition may use those before it.
    void define(const YamlValue& definitions);

    /// Throws InputError where there would be too many.
    std::vector<ExpandedSpec> expand(const YamlValue& list);

    /// The same for one item of a list.
    void expand_item(const YamlValue& item, std::vector<ExpandedSpec>& entries);

  private:
    /// What stands for a "$name".
    struct Definition {
        std::vector<ExpandedSpec> specs;
        std::vector<WishFinding> left_out;  // of what is used, some specs are left out
    };
    struct NamedParts;

    std::vector<NamedParts> parts_by_name(const YamlValue& definitions);
    void leave_out(std::size_t line, const std::string& detail);
    void expand_reference(const YamlValue& item, std::vector<ExpandedSpec>& entries);
    void expand_matrix(const YamlValue& item, std::vector<ExpandedSpec>& entries);
    bool is_matrix(const YamlValue& item);
    std::vector<std::vector<std::string>> rows_of(const YamlValue& matrix);
    void count(std::size_t line, std::size_t more);

    std::string name_;
    WishFindings& findings_;
    std::map<std::string, Definition, std::less<>> definitions_;
    Definition* defined_ = nullptr;  // while it is read
    std::size_t expanded_ = 0;
    std::size_t exclusions_ = 0;  // combinations of matrices, times the entries of "exclude"
};

}  // namespace cacheledger
