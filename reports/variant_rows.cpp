#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <compare>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reports/chosen_specs.hpp"
#include "reports/diff_rows.hpp"
#include "reports/reader.hpp"

// The rows about variants, and how a change of options is told.
namespace cacheledger {

namespace {

/// An option and its value, as places in the texts of VariantSets: most are the same on both sides,
/// and numbers compare sooner.
struct Option {
    std::size_t name = 0, value = 0;

    auto operator<=>(const Option&) const =
        default;  // NOLINT(modernize-use-nullptr): a false alarm
};
using Options = std::vector<Option>;  // in order, each once

/// The options of each variant set; the values of a multi-valued one are separated by commas.
class VariantSets {
  public:
    explicit VariantSets(const SQLite::Database& database)
        : variants_(database, "SELECT variant_id, name, value FROM variant ORDER BY name, value"),
          members_(database,
                   "SELECT variant_id FROM variant_set_member WHERE variant_set_id = ?1") {}

    const Options& of(std::int64_t variant_set_id) {
        const auto [known, is_new] = sets_.try_emplace(variant_set_id);
        if (is_new) {
            known->second = read(variant_set_id);
        }
        return known->second;
    }

    const std::string& text(std::size_t place) const { return texts_[place]; }

  private:
    Options read(std::int64_t variant_set_id) {
        std::vector<std::int64_t> variants;
        members_.start(variant_set_id);
        while (members_.step()) {
            variants.push_back(members_.id(0));
        }
        std::sort(variants.begin(), variants.end(), [&](std::int64_t a, std::int64_t b) {
            return variants_.rank(a) < variants_.rank(b);  // by name and value
        });
        Options options;
        for (auto variant = variants.begin(); variant != variants.end();) {
            const std::string& name = variants_.text(*variant, 0);
            std::string value = variants_.text(*variant, 1);
            while (++variant != variants.end() && variants_.text(*variant, 0) == name) {
                value.append(1, ',').append(variants_.text(*variant, 1));
            }
            options.push_back({place_of(name), place_of(value)});
        }
        return options;
    }

    std::size_t place_of(const std::string& text) {
        const auto [known, is_new] = places_.try_emplace(text, texts_.size());
        if (is_new) {
            texts_.push_back(text);
        }
        return known->second;
    }

    Names variants_;
    Reader members_;
    std::unordered_map<std::int64_t, Options> sets_;
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<std::string> texts_;
};

/// The options of some variant sets.
Options options_of(VariantSets& sets, const std::set<std::int64_t>& ids) {
    Options all;
    for (const std::int64_t id : ids) {
        const Options& options = sets.of(id);
        all.insert(all.end(), options.begin(), options.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// The values that an option has, in order: "x|y"; nothing where there is no such option.
std::optional<std::string> value_of(const VariantSets& sets, const Options& options,
                                    std::size_t name) {
    const auto first = std::lower_bound(options.begin(), options.end(), Option{name, 0});
    const auto last = std::lower_bound(first, options.end(), Option{name + 1, 0});
    if (first == last) {
        return std::nullopt;
    }
    std::set<std::string_view> values;
    for (auto option = first; option != last; ++option) {
        values.insert(sets.text(option->value));
    }
    return fmt::format("{}", fmt::join(values, "|"));
}

std::string tell(std::string_view name, const std::optional<std::string>& before,
                 const std::optional<std::string>& after) {
    if (after == "true") {
        return fmt::format("+{}", name);
    }
    if (after == "false") {
        return fmt::format("~{}", name);
    }
    return fmt::format("{}: {} -> {}", name, before.value_or("(none)"), after.value_or("(none)"));
}

std::string tell_all(const VariantSets& sets, const Options& before, const Options& after) {
    Options differing;
    std::set_symmetric_difference(before.begin(), before.end(), after.begin(), after.end(),
                                  std::back_inserter(differing));
    std::map<std::string_view, std::size_t> names;
    for (const Option& option : differing) {
        names.emplace(sets.text(option.name), option.name);
    }
    std::vector<std::string> told;
    for (const auto& [name, place] : names) {
        const auto old_value = value_of(sets, before, place);
        const auto new_value = value_of(sets, after, place);
        if (old_value != new_value) {
            told.push_back(tell(name, old_value, new_value));
        }
    }
    return told.empty() ? "other combinations of the same values"
                        : fmt::format("{}", fmt::join(told, "; "));
}

/// The variant sets that are compared: of the specs of this side, or, where there are none, of all
/// that its snapshot has of the same version on the same system.
std::set<std::int64_t> compared_sets(const DiffSource& source, std::span<const ChosenSpec> specs,
                                     Side side) {
    std::set<std::int64_t> sets;
    for (const ChosenSpec& spec : specs) {
        if (spec.row.side == side) {
            sets.insert(spec.look.variant_set_id);
        }
    }
    if (sets.empty()) {
        for (const Look& look : source.drift.present().of_system(side, specs[0].look)) {
            sets.insert(look.variant_set_id);
        }
    }
    return sets;
}

}  // namespace

ResultTable variant_rows(const DiffSource& source) {
    ResultTable table{
        {"kind", "package", "version", "platform", "os", "target", "options", "added", "removed"},
        {}};
    VariantSets sets(source.database);
    auto specs = choose(source, Cause::variants);
    for_each_group(
        specs, [&](const ChosenSpec& spec) { return place_of(source, spec.look); },
        [&](std::span<const ChosenSpec> group) {
            const Look& look = group[0].look;
            const Names& systems = source.names.systems;
            table.rows.push_back(
                {"variants-changed", source.names.packages.value(look.package_id),
                 source.names.versions.value(look.version_id), systems.value(look.arch_id, 0),
                 systems.value(look.arch_id, 1), systems.value(look.arch_id, 2),
                 tell_all(sets, options_of(sets, compared_sets(source, group, Side::before)),
                          options_of(sets, compared_sets(source, group, Side::after))),
                 count_of(group, Side::after), count_of(group, Side::before)});
        });
    return table;
}

}  // namespace cacheledger
