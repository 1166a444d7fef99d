#include "schema/specs/environments/packages_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "schema/specs/queries/joined_spec.hpp"
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

/// What can't be read of a condition.
struct BadCondition {
    std::size_t line = 0;
    std::string problem;
};

/// Reads one section of one package: `require`, `prefer` or `conflict`.
class ConditionReader {
  public:
    ConditionReader(const std::string& package, std::string_view section, bool is_of_all,
                    const std::set<std::string>& toolchains, WishFindings& findings)
        : package_(package),
          section_(section),
          is_of_all_(is_of_all),
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
            if (query.package && (is_of_all_ || *query.package != package_)) {
                throw BadCondition{value.line,
                                   fmt::format("'{}' is of another package", query.text())};
            }
            if (asks_for_any(query, toolchains_)) {
                throw BadCondition{value.line, fmt::format("'{}' asks for a toolchain, which is "
                                                           "not followed",
                                                           query.text())};
            }
            query.package.reset();
            return query;
        } catch (const SpecError& error) {
            throw BadCondition{value.line, error.what()};
        }
    }

    void add(WishCondition::Mode mode, std::vector<SpecQuery> specs,
             const std::optional<SpecQuery>& when, std::vector<WishCondition>& conditions) const {
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
        const std::string text = conditions_text({condition});
        const bool is_known = std::ranges::any_of(conditions, [&](const WishCondition& other) {
            return conditions_text({other}) == text;
        });
        if (!is_known) {
            conditions.push_back(std::move(condition));
        }
    }

    const std::string& package_;
    std::string_view section_;
    bool is_of_all_;
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
        for (const YamlEntry& entry : package.value.entries) {
            if (!is_setting(entry.key)) {
                findings_.add(entry.line, fmt::format("packages: {}: '{}' is not known: left out",
                                                      package.key, entry.key));
            }
        }
    }
}

const std::vector<WishCondition>& PackagesSection::conditions_of(const std::string& package) {
    const auto [found, is_new] = known_.try_emplace(package);
    if (!is_new) {
        return found->second;
    }
    for (const std::string_view section : sections) {
        for (const bool is_of_all : {false, true}) {
            const YamlValue* const settings = packages_.find(is_of_all ? "all" : package);
            const YamlValue* const value = settings == nullptr ? nullptr : settings->find(section);
            if (value != nullptr && !value->is_empty()) {
                ConditionReader(package, section, is_of_all, toolchains_, findings_)
                    .read(*value, found->second);
                break;
            }
        }
    }
    return found->second;
}

std::vector<std::string> PackagesSection::restricted() const {
    std::vector<std::string> names;
    for (const YamlEntry& package : packages_.entries) {
        const YamlValue* const require = package.value.find("require");
        if (package.key != "all" && require != nullptr && !require->is_empty()) {
            names.push_back(package.key);
        }
    }
    return names;
}

}  // namespace cacheledger
