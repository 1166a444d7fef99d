#include "schema/specs/environments/wish_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/specs/environments/sections.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/settings/included_settings.hpp"
#include "schema/specs/settings/yaml_tree.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_names_in_note = 20;
constexpr std::size_t most_requirements = 500'000;

std::set<std::string> toolchains_of(const YamlValue& spack) {
    std::set<std::string> names;
    if (const YamlValue* const toolchains = spack.find("toolchains")) {
        for (const YamlEntry& entry : toolchains->entries) {
            names.insert(entry.key);
        }
    }
    return names;
}

std::string names_text(const std::vector<std::string>& names) {
    const std::size_t shown = std::min(names.size(), most_names_in_note);
    std::string text = fmt::format(
        "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (shown < names.size()) {
        text += fmt::format(" and {} more", names.size() - shown);
    }
    return text;
}

/// Reads the section `spack`.
class WishListReader {
  public:
    /// `settings`: the sections with what is included.
    WishListReader(const YamlValue& spack, IncludedSettings settings, const std::string& name,
                   bool with_dependencies)
        : spack_(spack),
          settings_(std::move(settings)),
          name_(name),
          with_dependencies_(with_dependencies),
          toolchains_(toolchains_of(settings_.sections)),
          section_(packages(), toolchains_, findings_),
          entries_(name, findings_) {}

    WishList read() {
        for (const YamlEntry& entry : spack_.entries) {
            if (!is_section(entry.key)) {
                findings_.add(entry.line, fmt::format("'{}' is not known", entry.key));
            }
        }
        if (const YamlValue* const definitions = settings_.sections.find("definitions")) {
            entries_.define(*definitions);
        }
        if (const YamlValue* const specs = spack_.find("specs")) {
            read_specs(*specs);
        }
        note_restrictions();
        return {std::move(wishes_), findings_.in_order(), std::move(notes_), not_read()};
    }

  private:
    const YamlValue& packages() const {
        static const YamlValue nothing;
        const YamlValue* const packages = settings_.sections.find("packages");
        return packages == nullptr ? nothing : *packages;
    }

    void read_specs(const YamlValue& specs) {
        if (!specs.is_list() && !specs.is_empty()) {
            throw InputError(fmt::format("{}:{}: expected a list of specs, found {}", name_,
                                         specs.line, specs.kind_name()));
        }
        add_not_judged(section_);
        for (const YamlValue& item : specs.items) {
            if (item.find("group") != nullptr) {
                read_group(item);
                continue;
            }
            std::vector<ExpandedSpec> entries;
            entries_.expand_item(item, entries);
            add_wishes(entries, "", section_);
        }
        check_needs(specs);
    }

    void check_needs(const YamlValue& specs) {
        std::set<std::string> groups;
        for (const YamlValue& item : specs.items) {
            if (const YamlValue* const group = item.find("group")) {
                groups.insert(group->text);
            }
        }
        for (const YamlValue& item : specs.items) {
            const YamlValue* const group = item.find("group");
            const YamlValue* const needs = item.find("needs");
            if (group == nullptr || needs == nullptr) {
                continue;
            }
            for (const YamlValue& need : needs->is_list() ? needs->items : std::vector{*needs}) {
                if (!groups.contains(need.text)) {
                    findings_.add(need.line, fmt::format("group {}: needs '{}', which is no group",
                                                         group->text, need.text));
                }
            }
        }
    }

    void read_group(const YamlValue& group) {
        for (const YamlEntry& entry : group.entries) {
            constexpr auto known = std::to_array<std::string_view>(
                {"explicit", "group", "needs", "override", "specs"});
            if (std::ranges::find(known, entry.key) == known.end()) {
                findings_.add(entry.line, fmt::format("group {}: '{}' is not known",
                                                      group.find("group")->text, entry.key));
            }
        }
        const std::string& name = group.find("group")->text;
        const YamlValue* const specs = group.find("specs");
        if (specs == nullptr || !specs->is_list()) {
            findings_.leave_out(group.line, fmt::format("group {}: expected a list 'specs'", name));
            return;
        }
        const YamlEntry* const over = overridden_packages(group);
        if (over == nullptr) {
            add_wishes(entries_.expand(*specs), name, section_);
            return;
        }
        PackagesSection section(
            over->hides_others ? over->value : merged_settings(packages(), over->value),
            toolchains_, findings_);
        count_requirements(section.size(), group.line);
        add_not_judged(section);
        add_wishes(entries_.expand(*specs), name, section);
    }

    // nullptr: it has those of all.
    const YamlEntry* overridden_packages(const YamlValue& group) {
        const YamlValue* const over = group.find("override");
        if (over == nullptr) {
            return nullptr;
        }
        for (const YamlEntry& entry : over->entries) {
            if (!is_section(entry.key) || entry.key == "specs" || entry.key == "definitions") {
                findings_.add(entry.line, fmt::format("override: '{}' is not known", entry.key));
            }
        }
        const auto found = std::ranges::find(over->entries, "packages", &YamlEntry::key);
        return found == over->entries.end() ? nullptr : &*found;
    }

    // Each wish is asked all of its own.
    void count_requirements(std::size_t more, std::size_t line) {
        requirements_ += more;
        if (requirements_ > most_requirements) {
            throw InputError(
                fmt::format("{}:{}: expected at most {} requirements in all, counted "
                            "for each spec",
                            name_, line, most_requirements));
        }
    }

    void add_wishes(const std::vector<ExpandedSpec>& entries, const std::string& group,
                    PackagesSection& section) {
        for (const ExpandedSpec& entry : entries) {
            try {
                add_wish(joined_spec(entry.parts), entry.line, group, section);
            } catch (const std::invalid_argument& error) {
                findings_.leave_out(entry.line, fmt::format("specs: {}: left out", error.what()));
            }
        }
    }

    void add_wish(JoinedSpec spec, std::size_t line, const std::string& group,
                  PackagesSection& section) {
        if (!spec.query.package && spec.query.hash.empty()) {
            throw std::invalid_argument(fmt::format("expected a package, found '{}'", spec.text));
        }
        if (asks_for_any(spec.query, toolchains_)) {
            throw std::invalid_argument(
                fmt::format("'{}' asks for a toolchain, which is not followed", spec.text));
        }
        if (!known_.emplace(group, spec.query.text()).second) {
            return;
        }
        Wish wish{.spec = std::move(spec.text),
                  .query = std::move(spec.query),
                  .group = group,
                  .line = line};
        // A hash is one build, whatever is demanded of others.
        if (wish.query.package && wish.query.hash.empty()) {
            wish.conditions = section.conditions_of(*wish.query.package);
            for (const WishCondition& condition : wish.conditions) {
                count_requirements(condition.specs.size(), line);
            }
            if (with_dependencies_) {
                wish.of_dependencies = section.of_dependencies();
            }
            wish.is_external = section.is_external(*wish.query.package);
            wanted_packages_.insert(*wish.query.package);
        }
        wishes_.push_back(std::move(wish));
    }

    void add_not_judged(const PackagesSection& section) {
        for (std::string& name : section.not_judged()) {
            if (not_judged_names_.insert(name).second) {
                not_judged_.push_back(std::move(name));
            }
        }
    }

    std::string not_read() const {
        return settings_.not_read.empty() ? std::string()
                                          : fmt::format("What it includes is not read: {}.",
                                                        names_text(settings_.not_read));
    }

    void note_restrictions() {
        std::erase_if(not_judged_,
                      [&](const std::string& name) { return wanted_packages_.contains(name); });
        if (!not_judged_.empty()) {
            notes_.push_back(fmt::format("What it requires of compilers is not judged: {}.",
                                         names_text(not_judged_)));
        }
    }

    const YamlValue& spack_;
    IncludedSettings settings_;
    std::string name_;
    bool with_dependencies_;
    std::set<std::string> toolchains_;
    WishFindings findings_;
    PackagesSection section_;
    ExpandedSpecs entries_;
    std::vector<Wish> wishes_;
    std::vector<std::string> notes_;
    std::set<std::pair<std::string, std::string>> known_;  // groups and specs
    std::set<std::string> wanted_packages_;
    std::set<std::string> not_judged_names_;
    std::vector<std::string> not_judged_;
    std::size_t requirements_ = 0;
};

// Whether a line begins with a key, plain or in quotes.
bool has_key(std::string_view line, std::string_view key) {
    const bool is_quoted = line.starts_with('"') || line.starts_with('\'');
    const char quote = line.empty() ? ' ' : line.front();
    line.remove_prefix(is_quoted ? 1 : 0);
    if (!line.starts_with(key)) {
        return false;
    }
    line.remove_prefix(key.size());
    if (is_quoted) {
        if (!line.starts_with(quote)) {
            return false;
        }
        line.remove_prefix(1);
    }
    return line.starts_with(':');
}

// Of the first line that says something: what only there is the key of an environment.
bool has_first_key(std::string_view line) {
    if (!line.starts_with('{')) {
        return has_key(line, "env");  // of old versions of Spack
    }
    line.remove_prefix(std::min(line.find_first_not_of(" \t", 1), line.size()));
    return has_key(line, "spack");
}

}  // namespace

bool is_environment(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    bool is_first = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_suffix(line.size() - std::min(line.find_last_not_of(" \t\r") + 1, line.size()));
        if (line.empty() || line.starts_with('#') || line == "---" || line.starts_with("%YAML")) {
            continue;
        }
        if (has_key(line, "spack") || (is_first && has_first_key(line))) {
            return true;
        }
        const bool is_indented_comment = line[line.find_first_not_of(" \t")] == '#';
        is_first = is_first && is_indented_comment;
    }
    return false;
}

WishList read_wish_list(std::string_view text, const std::string& name,
                        const WishListReading& how) {
    YamlReading reading;
    const YamlValue file = read_yaml(text, name, reading);
    const YamlValue* spack = file.find("spack");
    spack = spack == nullptr ? file.find("env") : spack;
    if (spack == nullptr) {
        throw InputError(fmt::format("{}:{}: expected a mapping with the key 'spack', found {}",
                                     name, file.line,
                                     file.is_mapping() ? "others" : file.kind_name()));
    }
    if (!spack->is_mapping() && !spack->is_empty()) {
        throw InputError(fmt::format("{}:{}: expected the sections of 'spack', found {}", name,
                                     spack->line, spack->kind_name()));
    }
    return WishListReader(*spack, read_included(*spack, how.path, reading), name,
                          how.with_dependencies)
        .read();
}

}  // namespace cacheledger
