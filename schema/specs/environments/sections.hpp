#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/specs/environments/wish.hpp"
#include "schema/specs/environments/wish_list.hpp"
#include "schema/specs/settings/yaml_tree.hpp"

namespace cacheledger {

/// Collects findings, each once: what several groups use is read for each of them.
class WishFindings {
  public:
    void add(std::size_t line, const std::string& detail, bool leaves_out = false) {
        const auto [found, is_new] = places_.try_emplace({line, detail}, findings_.size());
        if (is_new) {
            findings_.push_back({line, detail, leaves_out});
        } else if (leaves_out) {
            findings_[found->second].leaves_out = true;
        }
    }

    /// The same for what leaves out a spec, or a condition of one.
    void leave_out(std::size_t line, const std::string& detail) { add(line, detail, true); }

    std::vector<WishFinding> in_order() {
        std::ranges::stable_sort(findings_, {}, &WishFinding::line);
        return std::move(findings_);
    }

  private:
    std::vector<WishFinding> findings_;
    std::map<std::pair<std::size_t, std::string>, std::size_t> places_;
};

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
