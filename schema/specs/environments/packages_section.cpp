#include "schema/specs/environments/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/queries/spec_parser.hpp"

namespace cacheledger {

namespace {

constexpr auto sections = std::to_array<std::string_view>({"require", "prefer", "conflict"});

bool is_setting(std::string_view key) {
    constexpr auto settings = std::to_array<std::string_view>(
        {"buildable", "compiler", "externals", "modules", "package_attributes", "paths",
         "permissions", "providers", "target", "variants", "version"});
    return std::ranges::find(settings, key) != settings.end() ||
           std::ranges::find(sections, key) != sections.end();
}

// Spack demands nothing of `all` of the dependencies of these: that asks for compilers.
bool is_compiler_or_runtime(const std::string& package) {
    constexpr auto runtimes = std::to_array<std::string_view>(
        {"compiler-wrapper", "gcc-runtime", "intel-oneapi-runtime"});
    return is_known_compiler(package) || std::ranges::find(runtimes, package) != runtimes.end();
}

// What a build is built with only.
bool is_compiler(std::string_view package) {
    return is_known_compiler(package) || is_language(package);
}

/// What can't be read of a condition.
struct BadCondition {
    std::size_t line = 0;
    std::string problem;
};

/// Reads one section of one package: `require`, `prefer` or `conflict`.
class ConditionReader {
  public:
    enum class Of : unsigned char { package, all, dependency };

    ConditionReader(const std::string& package, std::string_view section, Of of,
                    const std::set<std::string>& toolchains, WishFindings& findings)
        : package_(package),
          section_(section),
          is_of_all_(of == Of::all),
          is_of_dependency_(of == Of::dependency),
          toolchains_(toolchains),
          findings_(findings) {}

    void read(const YamlValue& value, std::vector<WishCondition>& conditions) {
        if (value.is_list()) {
            for (const YamlValue& item : value.items) {
                read_item(item, conditions);
            }
        } else {
            read_item(value, conditions);
        }
    }

  private:
    void read_item(const YamlValue& item, std::vector<WishCondition>& conditions) {
        try {
            if (!item.is_mapping()) {
                add(WishCondition::Mode::all_of, {spec_of(item)}, {}, conditions);
                return;
            }
            check_keys(item);
            const YamlValue* const when_value = item.find("when");
            const auto when =
                when_value == nullptr ? std::nullopt : std::optional(spec_of(*when_value));
            if (const YamlValue* const spec = item.find("spec")) {
                add(WishCondition::Mode::all_of, {spec_of(*spec)}, when, conditions);
            }
            if (const YamlValue* const specs = item.find("one_of")) {
                add(WishCondition::Mode::one_of, specs_of(*specs), when, conditions);
            }
            if (const YamlValue* const specs = item.find("any_of")) {
                add(WishCondition::Mode::any_of, specs_of(*specs), when, conditions);
            }
        } catch (const BadCondition& bad) {
            findings_.add(bad.line,
                          fmt::format("packages: {}: {}: {}: left out",
                                      is_of_all_ ? "all" : package_, section_, bad.problem),
                          section_ != "prefer");
        }
    }

    void check_keys(const YamlValue& item) const {
        for (const YamlEntry& entry : item.entries) {
            const bool is_known =
                entry.key == "spec" || entry.key == "when" || entry.key == "message" ||
                (section_ == "require" && (entry.key == "any_of" || entry.key == "one_of"));
            if (!is_known) {
                throw BadCondition{
                    entry.line,
                    fmt::format("expected spec, any_of, one_of or when, found '{}'", entry.key)};
            }
        }
    }

    std::vector<SpecQuery> specs_of(const YamlValue& list) const {
        if (!list.is_list() || list.items.empty()) {
            throw BadCondition{list.line,
                               fmt::format("expected a list, found {}", list.kind_name())};
        }
        std::vector<SpecQuery> specs;
        for (const YamlValue& item : list.items) {
            specs.push_back(spec_of(item));
        }
        return specs;
    }

    SpecQuery spec_of(const YamlValue& value) const {
        if (!value.is_text()) {
            throw BadCondition{value.line,
                               fmt::format("expected a spec, found {}", value.kind_name())};
        }
        try {
            SpecQuery query = joined_spec({value.text}).query;
            const bool is_of_another = query.package && (is_of_all_ || *query.package != package_);
            if (is_of_another && !is_of_dependency_) {
                throw BadCondition{value.line,
                                   fmt::format("'{}' is of another package", query.text())};
            }
            if (asks_for_any(query, toolchains_)) {
                throw BadCondition{value.line, fmt::format("'{}' asks for a toolchain, which is "
                                                           "not followed",
                                                           query.text())};
            }
            if (!is_of_another) {
                query.package.reset();
            }
            return query;
        } catch (const SpecError& error) {
            throw BadCondition{value.line, error.what()};
        }
    }

    void add(WishCondition::Mode mode, std::vector<SpecQuery> specs,
             const std::optional<SpecQuery>& when, std::vector<WishCondition>& conditions) {
        if (is_of_all_ && is_compiler_or_runtime(package_)) {
            std::erase_if(specs, [](const SpecQuery& spec) { return !spec.dependencies.empty(); });
            if (specs.empty()) {
                return;
            }
        }
        WishCondition condition{mode, std::move(specs), when, is_of_all_, section_ == "prefer"};
        if (section_ == "conflict") {
            // As Spack has it: one of this and everything, which is not this.
            condition.mode = WishCondition::Mode::one_of;
            condition.specs.push_back(parse_spec("@:"));
        }
        if (known_.insert(conditions_text({{condition}})).second) {
            conditions.push_back(std::move(condition));
        }
    }

    const std::string& package_;
    std::string_view section_;
    bool is_of_all_;
    bool is_of_dependency_;
    std::set<std::string> known_;  // by their texts
    const std::set<std::string>& toolchains_;
    WishFindings& findings_;
};

}  // namespace

bool asks_for_any(const SpecQuery& query, const std::set<std::string>& toolchains) {
    return std::ranges::any_of(query.dependencies, [&](const DependencyQuery& dependency) {
        return (dependency.is_direct && dependency.spec.package &&
                toolchains.contains(*dependency.spec.package)) ||
               asks_for_any(dependency.spec, toolchains);
    });
}

PackagesSection::PackagesSection(YamlValue packages, const std::set<std::string>& toolchains,
                                 WishFindings& findings)
    : packages_(std::move(packages)), toolchains_(toolchains), findings_(findings) {
    if (!packages_.is_mapping() && !packages_.is_empty()) {
        findings_.leave_out(packages_.line, fmt::format("packages: expected a mapping, found {}",
                                                        packages_.kind_name()));
    }
    for (const YamlEntry& package : packages_.entries) {
        settings_.emplace(package.key, &package.value);
        for (const YamlEntry& entry : package.value.entries) {
            if (!is_setting(entry.key)) {
                findings_.add(entry.line, fmt::format("packages: {}: '{}' is not known: left out",
                                                      package.key, entry.key));
            }
        }
    }
}

const YamlValue* PackagesSection::setting(std::string_view package, std::string_view key) const {
    const auto found = settings_.find(package);
    const YamlValue* const value = found == settings_.end() ? nullptr : found->second->find(key);
    return value == nullptr || value->is_empty() ? nullptr : value;
}

const SharedConditions& PackagesSection::conditions_of(const std::string& package) {
    using Of = ConditionReader::Of;
    const bool has_own = std::ranges::any_of(
        sections, [&](std::string_view section) { return setting(package, section) != nullptr; });
    // Packages that have none of their own share those of `all`.
    const std::string key = has_own                           ? package
                            : is_compiler_or_runtime(package) ? "all, of compilers"
                                                              : "all";
    const auto [found, is_new] = known_.try_emplace(key);
    if (!is_new) {
        return found->second;
    }
    std::vector<WishCondition> conditions;
    for (const std::string_view section : sections) {
        const YamlValue* const own = setting(package, section);
        const YamlValue* const value = own != nullptr ? own : setting("all", section);
        if (value != nullptr) {
            ConditionReader(package, section, own != nullptr ? Of::package : Of::all, toolchains_,
                            findings_)
                .read(*value, conditions);
        }
    }
    found->second = std::move(conditions);
    return found->second;
}

std::shared_ptr<const DependencyConditions> PackagesSection::of_dependencies() {
    if (of_dependencies_ == nullptr) {
        DependencyConditions all;
        for (const YamlEntry& package : packages_.entries) {
            if (package.key == "all" || is_compiler(package.key)) {
                continue;
            }
            std::vector<WishCondition> conditions;
            for (const std::string_view section : {"require", "conflict"}) {
                if (const YamlValue* const value = setting(package.key, section)) {
                    ConditionReader(package.key, section, ConditionReader::Of::dependency,
                                    toolchains_, findings_)
                        .read(*value, conditions);
                }
            }
            if (!conditions.empty()) {
                all.emplace(package.key, std::move(conditions));
            }
        }
        of_dependencies_ = std::make_shared<const DependencyConditions>(std::move(all));
    }
    return of_dependencies_->empty() ? nullptr : of_dependencies_;
}

bool PackagesSection::is_external(const std::string& package) const {
    const YamlValue* const own = setting(package, "buildable");
    const YamlValue* const value = own != nullptr ? own : setting("all", "buildable");
    return value != nullptr && value->kind == YamlValue::Kind::other &&
           (value->text == "false" || value->text == "False" || value->text == "FALSE");
}

std::vector<std::string> PackagesSection::not_judged() const {
    std::vector<std::string> names;
    for (const YamlEntry& package : packages_.entries) {
        if (is_compiler(package.key) && setting(package.key, "require") != nullptr) {
            names.push_back(package.key);
        }
    }
    return names;
}

}  // namespace cacheledger
