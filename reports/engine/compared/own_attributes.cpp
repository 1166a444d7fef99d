#include "reports/engine/compared/own_attributes.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <tuple>
#include <utility>

#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// "+mpi", "~x dropped", "cuda_arch: 80 -> 90"; without `before` and its arrow if has_arrow is not.
std::string option_text(const std::string& name, const std::optional<std::string>& now,
                        const std::optional<std::string>& before, bool has_arrow) {
    const std::string& value = now ? *now : *before;
    if (value == "true" || value == "false") {
        return fmt::format("{}{}{}", value == "true" ? '+' : '~', name, now ? "" : " dropped");
    }
    const std::string later = now.value_or("(none)");
    return has_arrow ? fmt::format("{}: {} -> {}", name, before.value_or("(none)"), later)
                     : fmt::format("{}: {}", name, later);
}

// Whether two numbers of attributes are of different ones: 0 matches anything.
bool differ(std::uint32_t one, std::uint32_t other) {
    return one != other && one != 0 && other != 0;
}

// In this order the attributes of a group lie together, and those that are likely to match.
auto order_of(const Own& own) {
    return std::tie(own.group, own.version, own.arch, own.choice, own.compiler, own.recipe,
                    own.build);
}
auto likely_order(const Own& own) {
    return std::tie(own.version, own.arch, own.choice);
}

}  // namespace

std::uint32_t OptionChoices::of(std::uint32_t variant_set) {
    const auto [place, is_new] = of_set_.try_emplace(variant_set, 0);
    if (!is_new || variant_set == 0) {
        return place->second;
    }
    constexpr auto options_of_set = R"(
        SELECT v.name, v.value
        FROM variant_set_member m
        CROSS JOIN variant v ON v.variant_id = m.variant_id
        WHERE m.variant_set_id = ? AND v.name NOT IN ('build_system', 'patches')
        ORDER BY v.name, v.value)";
    std::vector<Option> options;
    for (const auto& [name, value] :
         rows<std::string, std::string>(database_, options_of_set, variant_set)) {
        if (!options.empty() && options.back().first == name) {
            options.back().second += "," + value;
        } else {
            options.emplace_back(name, value);
        }
    }
    const auto [known, is_first] =
        numbers_.try_emplace(std::move(options), static_cast<std::uint32_t>(numbers_.size()) + 1);
    if (is_first) {
        options_.push_back(&known->first);
    }
    return place->second = known->second;
}

const OptionChoices::Change& OptionChoices::change(std::uint32_t now, std::uint32_t before) {
    const auto [place, is_new] = changes_.try_emplace({now, before});
    Change& change = place->second;
    if (!is_new || now == before || now == 0 || before == 0) {
        return change;
    }
    const auto add = [&](const std::string& name, const std::optional<std::string>& later,
                         const std::optional<std::string>& earlier) {
        const char* const between = change.options == 0 ? "" : "; ";
        change.arrows += between + option_text(name, later, earlier, true);
        change.values += between + option_text(name, later, earlier, false);
        ++change.options;
    };
    const std::vector<Option>& later = *options_[now - 1];
    const std::vector<Option>& earlier = *options_[before - 1];
    auto one = later.begin();
    auto other = earlier.begin();
    while (one != later.end() || other != earlier.end()) {
        if (other == earlier.end() || (one != later.end() && one->first < other->first)) {
            add(one->first, one->second, std::nullopt);
            ++one;
        } else if (one == later.end() || other->first < one->first) {
            add(other->first, std::nullopt, other->second);
            ++other;
        } else {
            if (one->second != other->second) {
                add(one->first, one->second, other->second);
            }
            ++one;
            ++other;
        }
    }
    return change;
}

const Systems::Words& Systems::words(std::uint32_t arch) {
    const auto [place, is_new] = words_.try_emplace(arch);
    if (is_new) {
        for (const auto& [platform, os, target] : rows<std::string, std::string, std::string>(
                 database_, "SELECT platform, os, target FROM arch WHERE arch_id = ?", arch)) {
            place->second = {platform, os, target};
        }
    }
    return place->second;
}

const Systems::Change& Systems::change(std::uint32_t now, std::uint32_t before) {
    const auto [place, is_new] = changes_.try_emplace({now, before});
    Change& change = place->second;
    if (!is_new || now == before || now == 0 || before == 0) {
        return change;
    }
    const Words& later = words(now);
    const Words& earlier = words(before);
    change.platform = later.platform != earlier.platform;
    change.os = later.os != earlier.os;
    const TargetFit fit = fit_of(later.target, earlier.target);
    change.is_foreign = fit == TargetFit::other_family;
    change.target = static_cast<std::int64_t>(change.is_foreign ? TargetFit::may_not_run : fit);
    return change;
}

OwnAttributes::OwnAttributes(const SQLite::Database& database, SpecReading& reading,
                             const Compared& compared)
    : reading_(reading), choices_(database), systems_(database) {
    const auto own_of = [&](std::uint32_t group, std::uint32_t spec) {
        const SpecFacts& facts = reading_.facts(spec);
        return Own{group,          facts.version, facts.arch, choices_.of(facts.variant_set),
                   facts.compiler, facts.recipe,  facts.build};
    };
    struct Member {
        Own own;
        std::size_t place = 0;  // of the new nodes and then the earlier ones
    };
    std::vector<Member> members;
    members.reserve(compared.nodes.size() + compared.earlier.size());
    for (const Compared::NewNode& node : compared.nodes) {
        members.push_back({own_of(node.group, node.spec), members.size()});
    }
    for (const Compared::Earlier& earlier : compared.earlier) {
        members.push_back({own_of(earlier.group, earlier.spec), members.size()});
    }
    std::ranges::sort(members, [](const Member& one, const Member& other) {
        return std::pair(order_of(one.own), one.place) <
               std::pair(order_of(other.own), other.place);
    });
    of_new_.resize(compared.nodes.size());
    for (Member& member : members) {
        if (all_.empty() || order_of(all_.back()) != order_of(member.own)) {
            all_.push_back(std::move(member.own));
        }
        if (member.place < of_new_.size()) {
            of_new_[member.place] = static_cast<std::uint32_t>(all_.size() - 1);
            continue;
        }
        const auto& [spec, group, is_gone] = compared.earlier[member.place - of_new_.size()];
        (is_gone ? all_.back().gone : all_.back().there).push_back(spec);
    }
    first_of_group_.resize(all_.size());
    for (std::uint32_t first = 0, last = 0; first < all_.size(); first = last) {
        while (last < all_.size() && all_[last].group == all_[first].group) {
            first_of_group_[last++] = first;
        }
        find_same(first, last);
    }
}

// Between two groups. Nearly all nodes say their version, arch and variants: a search finds the
// earlier ones that can match. Those that do not say it all may match anything.
void OwnAttributes::find_same(std::uint32_t first, std::uint32_t last) {
    std::vector<std::uint32_t> vague;
    for (std::uint32_t place = first; place < last; ++place) {
        if (all_[place].is_vague() && all_[place].is_earlier()) {
            vague.push_back(place);
        }
    }
    const auto begin = all_.begin() + first;
    const auto end = all_.begin() + last;
    for (std::uint32_t place = first; place < last; ++place) {
        Own& own = all_[place];
        const auto add = [&](std::uint32_t other) {
            if (all_[other].is_earlier() && matches(own, all_[other])) {
                own.same.push_back(other);
            }
        };
        if (own.is_vague()) {
            for (std::uint32_t other = first; other < last; ++other) {
                add(other);
            }
            continue;
        }
        const auto order = [](const Own& one) { return likely_order(one); };
        const auto from = std::ranges::lower_bound(begin, end, likely_order(own), {}, order);
        const auto to = std::ranges::upper_bound(from, end, likely_order(own), {}, order);
        for (auto other = from; other != to; ++other) {
            add(static_cast<std::uint32_t>(other - all_.begin()));
        }
        std::ranges::for_each(vague, add);
    }
}

bool OwnAttributes::matches(const Own& one, const Own& other) {
    if (differ(one.version, other.version) || differ(one.arch, other.arch) ||
        differ(one.choice, other.choice) || differ(one.compiler, other.compiler) ||
        differ(one.build, other.build)) {
        return false;
    }
    const RecipeFacts& now = reading_.recipe(one.recipe);
    const RecipeFacts& before = reading_.recipe(other.recipe);
    return one.recipe == other.recipe ||
           (!differ(now.flags, before.flags) && !differ(now.patches, before.patches) &&
            !differ(now.name_space, before.name_space) &&
            !differ(now.package_hash, before.package_hash) &&
            !differ(now.external, before.external));
}

/// How near an earlier node is: the smallest is nearest, but for its version and hash.
struct OwnAttributes::Nearness {
    std::array<std::int64_t, 9> distances{};
    std::string version_key;
};

OwnAttributes::Nearness OwnAttributes::nearness(const Own& now, const Own& before, bool is_gone) {
    const Systems::Change& system = systems_.change(now.arch, before.arch);
    const RecipeFacts& later = reading_.recipe(now.recipe);
    const RecipeFacts& earlier = reading_.recipe(before.recipe);
    const auto number = [](bool is_other) { return std::int64_t{is_other ? 1 : 0}; };
    return {{number(!is_gone), number(system.is_foreign), number(system.platform || system.os),
             system.target, number(differ(now.version, before.version)),
             static_cast<std::int64_t>(choices_.change(now.choice, before.choice).options),
             number(differ(now.compiler, before.compiler)),
             number(differ(later.flags, earlier.flags) || differ(later.patches, earlier.patches)),
             number(differ(later.package_hash, earlier.package_hash))},
            reading_.version_key(before.version)};
}

std::string OwnAttributes::smallest_hash(const Own& own, bool is_gone) {
    std::string smallest;
    for (const std::uint32_t spec : is_gone ? own.gone : own.there) {
        const std::string& hash = reading_.hash(spec);
        if (smallest.empty() || hash < smallest) {
            smallest = hash;
        }
    }
    return smallest;
}

OwnChange OwnAttributes::told(const Own& now, const Own& before, bool is_gone) {
    const RecipeFacts& later = reading_.recipe(now.recipe);
    const RecipeFacts& earlier = reading_.recipe(before.recipe);
    const Systems::Change& system = systems_.change(now.arch, before.arch);
    std::string text;
    bool by_recipe = false;
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
    const auto add_values = [&](bool is_other, const char* name, const std::string& from,
                                const std::string& to) {
        if (is_other) {
            add(is_gone ? fmt::format("{}: {} -> {}", name, from, to)
                        : fmt::format("{}: {}", name, to));
        }
    };
    const auto add_texts = [&](const char* name, std::uint32_t from, std::uint32_t to) {
        if (differ(from, to)) {
            add_values(true, name, reading_.text(from), reading_.text(to));
        }
    };
    const auto add_name = [&](bool is_other, const char* name) {
        if (is_other) {
            add(name);
            by_recipe = true;
        }
    };
    if (differ(now.version, before.version)) {
        add_values(true, "version", reading_.version(before.version),
                   reading_.version(now.version));
        by_recipe = true;
    }
    const Systems::Words& from = systems_.words(before.arch);
    const Systems::Words& to = systems_.words(now.arch);
    add_values(system.platform, "platform", from.platform, to.platform);
    add_values(system.os, "os", from.os, to.os);
    add_values(system.target != 0, "target", from.target, to.target);
    add_values(differ(now.compiler, before.compiler), "compiler",
               reading_.compiler(before.compiler), reading_.compiler(now.compiler));
    if (differ(now.choice, before.choice)) {
        const OptionChoices::Change& options = choices_.change(now.choice, before.choice);
        add(is_gone ? options.arrows : options.values);
        by_recipe = true;
    }
    const auto flags_text = [&](std::uint32_t flags) {
        const std::string& words = reading_.text(flags);
        return words.empty() ? std::string("(none)") : words;
    };
    if (differ(later.flags, earlier.flags)) {
        add_values(true, "flags", flags_text(earlier.flags), flags_text(later.flags));
    }
    add_name(differ(later.patches, earlier.patches), "patches");
    add_texts("namespace", earlier.name_space, later.name_space);
    add_name(differ(later.package_hash, earlier.package_hash), "recipe");
    if (differ(later.external, earlier.external)) {
        add_values(true, "external", reading_.text(earlier.external_text),
                   reading_.text(later.external_text));
    }
    const auto build_text = [&](std::uint32_t build) {
        constexpr std::size_t short_hash = 7;
        const std::string& hash = reading_.text(build);
        return hash.empty() ? std::string("no") : hash.substr(0, short_hash);
    };
    if (differ(now.build, before.build)) {
        add_values(true, "spliced", build_text(before.build), build_text(now.build));
    }
    return text.empty() ? OwnChange() : OwnChange{(is_gone ? "" : "beside; ") + text, by_recipe};
}

const OwnChange& OwnAttributes::change(std::size_t node) {
    const std::uint32_t place = of_new_[node];
    const auto [known, is_new] = changes_.try_emplace(place);
    if (!is_new) {
        return known->second;
    }
    const Own& now = all_[place];
    const auto begin = all_.begin() + first_of_group_[place];
    const auto end =
        std::find_if(begin, all_.end(), [&](const Own& own) { return own.group != now.group; });
    // A node for the same system is gone: no other can be nearer.
    const bool has_close = std::any_of(begin, end, [&](const Own& own) {
        return !own.gone.empty() && own.arch != 0 && own.arch == now.arch;
    });
    const Own* nearest = nullptr;
    bool is_nearest_gone = false;
    Nearness least;
    for (auto own = begin; own != end; ++own) {
        if (has_close && (own->gone.empty() || (own->arch != now.arch && own->arch != 0))) {
            continue;
        }
        for (const bool is_gone : {true, false}) {
            if ((is_gone ? own->gone : own->there).empty()) {
                continue;
            }
            Nearness one = nearness(now, *own, is_gone);
            const auto order = one.distances <=> least.distances;
            const auto of_version = least.version_key <=> one.version_key;  // the greatest is first
            if (nearest == nullptr || order < 0 ||
                (order == 0 &&
                 (of_version < 0 ||
                  (of_version == 0 &&
                   smallest_hash(*own, is_gone) < smallest_hash(*nearest, is_nearest_gone))))) {
                nearest = &*own;
                is_nearest_gone = is_gone;
                least = std::move(one);
            }
        }
    }
    if (nearest != nullptr) {
        known->second = told(now, *nearest, is_nearest_gone);
    }
    return known->second;
}

}  // namespace cacheledger
