#include "tests/support/models/drift_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>

namespace cacheledger::drift_model {

namespace {

using Texts = std::set<std::string>;
using Specs = std::vector<const Spec*>;

const std::string null = "NULL";

bool fits(const std::string& pattern, const std::string& text) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string joined(const Texts& texts, const char* separator = ",") {
    return texts.empty() ? null : fmt::format("{}", fmt::join(texts, separator));
}

bool is_compatible(const Spec& one, const Spec& other) {
    return !one.has_compiler() || !other.has_compiler() ||
           one.printed.compiler == other.printed.compiler;
}

/// The first thing that no spec of `others` has as this one does; "" where one looks the same.
std::string first_difference(const Spec& spec, const Specs& others) {
    const auto any = [&](auto&& holds) {
        return std::ranges::any_of(others, [&](const Spec* other) { return holds(*other); });
    };
    const auto is_at = [&](const Spec& other, int fields) {
        return other.place(fields) == spec.place(fields);
    };
    if (!any([&](const Spec& other) { return is_at(other, 1); })) {
        return "package";
    }
    if (!any([&](const Spec& other) { return is_at(other, 2); })) {
        return "version";
    }
    if (!any([&](const Spec& other) { return is_at(other, 3); })) {
        return "target";
    }
    if (!any([&](const Spec& other) { return is_at(other, 3) && is_compatible(spec, other); })) {
        return "compiler";
    }
    if (!any([&](const Spec& other) {
            return is_at(other, 3) && is_compatible(spec, other) && other.variants == spec.variants;
        })) {
        return "variants";
    }
    return "";
}

/// What came and went of one look group.
struct Group {
    std::string compiler;
    Texts added, removed;  // hashes

    bool is_rebuilt() const { return !added.empty() && !removed.empty(); }
};

/// Option by option, what a set of variant texts ("+mpi", "k=a,b") chooses.
std::map<std::string, std::string> options_of(const PrintedSpec& spec) {
    std::map<std::string, std::string> options;
    for (const std::string& variant : spec.variants) {
        const auto equals = variant.find('=');
        if (equals != std::string::npos) {
            options[variant.substr(0, equals)] = variant.substr(equals + 1);
        } else {
            options[variant.substr(1)] = variant[0] == '+' ? "true" : "false";
        }
    }
    return options;
}

std::string option_change(const std::string& name, const Texts& before, const Texts& after) {
    const Texts both = {"false", "true"};
    for (const std::string value : {"false", "true"}) {
        const std::string sign = value == "true" ? "+" : "~";
        const Texts other = {value == "true" ? "false" : "true"};
        if (before == both && after == other) {
            return sign + name + " dropped";
        }
        if (before == other && after == both) {
            return sign + name + " added";
        }
    }
    return fmt::format("{}: {} -> {}", name, joined(before, "|"), joined(after, "|"));
}

std::string option_changes(const Specs& before, const Specs& after) {
    Texts names;
    for (const Specs& side : {before, after}) {
        for (const Spec* spec : side) {
            for (const auto& [name, value] : options_of(spec->printed)) {
                names.insert(name);
            }
        }
    }
    const auto values = [](const Specs& specs, const std::string& name) {
        Texts texts;
        for (const Spec* spec : specs) {
            const auto options = options_of(spec->printed);
            const auto found = options.find(name);
            texts.insert(found == options.end() ? "(none)" : found->second);
        }
        return texts;
    };
    std::vector<std::string> changes;
    for (const std::string& name : names) {
        if (values(before, name) != values(after, name)) {
            changes.push_back(option_change(name, values(before, name), values(after, name)));
        }
    }
    return changes.empty() ? "other combinations of the same values"
                           : fmt::format("{}", fmt::join(changes, "; "));
}

/// The two snapshots cut to a stack, and what is different.
class Comparison {
  public:
    Comparison(const Snapshot& from, const Snapshot& to, std::string package,
               const std::optional<std::string>& stack, const Choice& is_chosen)
        : from_(from), to_(to), package_(std::move(package)), stack_(stack), is_chosen_(is_chosen) {
        for (const auto& [side, specs] : {std::pair(&from, &before_), std::pair(&to, &after_)}) {
            for (const auto& [hash, spec] : side->specs) {
                if (!stack || spec.is_in(*stack)) {
                    specs->push_back(&spec);
                }
            }
        }
    }

    Rows rows() {
        compare(before_, to_, after_, "removed");
        compare(after_, from_, before_, "added");
        add_unknown_stacks(from_, "before");
        add_unknown_stacks(to_, "after");
        add_groups();
        add_causes();
        add_variants();
        add_moves();
        for (auto& [report, lines] : rows_) {
            std::ranges::sort(lines);
        }
        return rows_;
    }

  private:
    struct Count {
        int added = 0, removed = 0;
        int& of(const std::string& change) { return change == "added" ? added : removed; }
    };

    bool is_asked(const Spec& spec) const { return fits(package_, spec.package); }

    /// What of one side is not in the other.
    void compare(const Specs& side, const Snapshot& other, const Specs& others,
                 const std::string& change) {
        std::map<std::string, int> unobserved;
        for (const Spec* spec : side) {
            const std::string& hash = spec->printed.hash;
            if (!is_asked(*spec) || std::ranges::any_of(others, [&](const Spec* found) {
                    return found->printed.hash == hash;
                })) {
                continue;
            }
            if (!other.observed.contains(spec->package)) {
                ++unobserved[spec->package];
                continue;
            }
            const std::string cause = first_difference(*spec, others);
            if (cause.empty()) {
                Group& group = groups_[group_of(*spec)];
                group.compiler = compiler_of_group(*spec);
                (change == "added" ? group.added : group.removed).insert(hash);
            } else {
                tell(change, cause, *spec);
            }
        }
        for (const auto& [package, specs] : unobserved) {
            rows_["unobserved"].push_back(fmt::format(
                "not-observed-{}|{}|{}", change == "added" ? "before" : "after", package, specs));
        }
    }

    /// Packages with specs of which it is not known in which stacks they are.
    void add_unknown_stacks(const Snapshot& side, const std::string& when) {
        std::map<std::string, int> counts;
        for (const auto& [hash, spec] : side.specs) {
            if (stack_ && !spec.has_stacks && is_asked(spec)) {
                ++counts[spec.package];
            }
        }
        for (const auto& [package, specs] : counts) {
            rows_["unobserved"].push_back(
                fmt::format("stacks-unknown-{}|{}|{}", when, package, specs));
        }
    }

    /// The specs of a side that look the same as this one, whatever their compiler.
    static Specs alike(const Specs& side, const Spec& spec) {
        Specs found;
        std::ranges::copy_if(side, std::back_inserter(found), [&](const Spec* other) {
            return other->place(3) == spec.place(3) && other->variants == spec.variants;
        });
        return found;
    }
    std::string compiler_of_group(const Spec& spec) const {
        for (const Specs& side : {alike(before_, spec), alike(after_, spec)}) {
            if (!std::ranges::all_of(side, &Spec::has_compiler)) {
                return null;
            }
        }
        return spec.printed.compiler;
    }
    std::string group_of(const Spec& spec) const {
        return fmt::format("{}|{}|{}", spec.place(3), compiler_of_group(spec), spec.variants);
    }

    void tell(const std::string& change, const std::string& cause, const Spec& spec) {
        if (cause == "variants") {
            of_variants_.emplace_back(change, &spec);
        }
        if (!is_chosen_(spec)) {
            return;
        }
        told_[cause].emplace_back(change, &spec);
        const PrintedSpec& p = spec.printed;
        rows_["specs"].push_back(fmt::format(
            "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", change, cause, spec.package, p.version, p.hash,
            p.platform, p.os, p.target, spec.has_compiler() ? p.compiler : null, spec.variants));
    }

    const Spec& find(const std::string& hash) const {
        const auto found = from_.specs.find(hash);
        return found != from_.specs.end() ? found->second : to_.specs.at(hash);
    }

    Texts chosen(const Texts& hashes) const {
        Texts some;
        std::ranges::copy_if(hashes, std::inserter(some, some.end()),
                             [&](const std::string& hash) { return is_chosen_(find(hash)); });
        return some;
    }

    /// Of a group as many are rebuilt as both sides have, the first by their hashes.
    void add_groups() {
        for (const auto& [name, group] : groups_) {
            const auto most = std::min(group.added.size(), group.removed.size());
            for (const auto& [change, hashes] :
                 {std::pair("added", group.added), std::pair("removed", group.removed)}) {
                std::size_t position = 0;
                for (const std::string& hash : hashes) {
                    tell(change, position++ < most ? "rebuilt" : "copies", find(hash));
                }
            }
            const Texts added = chosen(group.added);
            const Texts removed = chosen(group.removed);
            if (added.empty() && removed.empty()) {
                continue;
            }
            if (group.is_rebuilt()) {
                rows_["rebuilt"].push_back(fmt::format("rebuilt|{}|{}|{}|{}|{}", name, added.size(),
                                                       removed.size(), joined(removed),
                                                       joined(added)));
                continue;
            }
            const Spec& one = find(*(group.added.empty() ? group.removed : group.added).begin());
            const auto copies = [&, &group = group](const Specs& side) {
                const Specs found = alike(side, one);
                return std::ranges::count_if(found, [&](const Spec* spec) {
                    return is_chosen_(*spec) &&
                           (group.compiler == null || spec->printed.compiler == group.compiler);
                });
            };
            Texts hashes = added;
            hashes.insert(removed.begin(), removed.end());
            rows_["copies"].push_back(fmt::format("copies-changed|{}|{}|{}|{}|{}|{}", name,
                                                  copies(before_), copies(after_), added.size(),
                                                  removed.size(), joined(hashes)));
        }
    }

    void add_causes() {
        for (const std::string cause :
             {"package", "version", "target", "compiler", "variants", "rebuilt", "copies"}) {
            Count count;
            for (const auto& [change, spec] : told_[cause]) {
                ++count.of(change);
            }
            rows_["summary"].push_back(fmt::format("{}|{}|{}", cause, count.added, count.removed));
        }
        add_counts("package", "packages", 1);
        add_counts("version", "versions", 2);
        add_lost_and_gained("target", 2, [](const Spec& spec) {
            const PrintedSpec& p = spec.printed;
            return fmt::format("{}-{}-{}", p.platform, p.os, p.target);
        });
        add_lost_and_gained("compiler", 3, [](const Spec& spec) {
            return spec.has_compiler() ? spec.printed.compiler : "(none)";
        });
    }

    /// "package-added|zlib|2", by package or by version.
    void add_counts(const std::string& cause, const std::string& report, int fields) {
        std::map<std::string, int> counts;
        for (const auto& [change, spec] : told_[cause]) {
            ++counts[fmt::format("{}-{}|{}", cause, change, spec->place(fields))];
        }
        for (const auto& [row, count] : counts) {
            rows_[report].push_back(fmt::format("{}|{}", row, count));
        }
    }

    template <typename Text>
    void add_lost_and_gained(const std::string& cause, int fields, Text text) {
        std::map<std::string, std::pair<std::map<std::string, Texts>, Count>> places;
        for (const auto& [change, spec] : told_[cause]) {
            auto& [texts, count] = places[spec->place(fields)];
            texts[change].insert(text(*spec));
            ++count.of(change);
        }
        for (auto& [place, row] : places) {
            auto& [texts, count] = row;
            const std::string lost = joined(texts["removed"]);
            const std::string gained = joined(texts["added"]);
            rows_[cause + "s"].push_back(fmt::format(
                "{}-changed|{}|{}|{}|{}|{}", cause, place, cause == "target" ? gained : lost,
                cause == "target" ? lost : gained, count.added, count.removed));
        }
    }

    void add_variants() {
        std::map<std::string, std::map<std::string, Specs>> places;
        for (const auto& [change, spec] : of_variants_) {
            places[spec->place(3)][change].push_back(spec);
        }
        for (auto& [place, changes] : places) {
            const auto count = [&](const Specs& specs) {
                return std::ranges::count_if(specs,
                                             [&](const Spec* spec) { return is_chosen_(*spec); });
            };
            const auto added = count(changes["added"]);
            const auto removed = count(changes["removed"]);
            if (added + removed == 0) {
                continue;
            }
            if (changes["added"].empty() || changes["removed"].empty()) {
                const auto add_all = [&, &place = place](const Specs& side, Specs& specs) {
                    std::ranges::copy_if(side, std::back_inserter(specs),
                                         [&](const Spec* spec) { return spec->place(3) == place; });
                };
                add_all(before_, changes["removed"]);
                add_all(after_, changes["added"]);
            }
            rows_["variants"].push_back(
                fmt::format("variants-changed|{}|{}|{}|{}", place,
                            option_changes(changes["removed"], changes["added"]), added, removed));
        }
    }

    /// Specs that are in both, in other stacks.
    void add_moves() {
        for (const Spec* old : before_) {
            const auto found = std::ranges::find_if(
                after_, [&](const Spec* spec) { return spec->printed.hash == old->printed.hash; });
            if (found == after_.end() || !is_asked(*old) || !is_chosen_(*old) || !old->has_stacks ||
                !(*found)->has_stacks) {
                continue;
            }
            add_moves("stack-left", *old, **found);
            add_moves("stack-joined", **found, *old);
        }
    }
    void add_moves(const std::string& kind, const Spec& spec, const Spec& other) {
        for (const std::string& stack : spec.printed.stacks) {
            if (stack != "root" && std::ranges::count(other.printed.stacks, stack) == 0 &&
                (!stack_ || fits(*stack_, stack))) {
                rows_["stacks"].push_back(
                    fmt::format("{}|{}|{}|{}", kind, spec.place(2), spec.printed.hash, stack));
            }
        }
    }

    const Snapshot& from_;
    const Snapshot& to_;
    std::string package_;
    std::optional<std::string> stack_;
    const Choice& is_chosen_;
    Specs before_, after_;
    std::map<std::string, Group> groups_;                                           // by look
    std::map<std::string, std::vector<std::pair<std::string, const Spec*>>> told_;  // by cause
    std::vector<std::pair<std::string, const Spec*>> of_variants_;                  // chosen or not
    Rows rows_;
};

}  // namespace

std::string Spec::place(int fields) const {
    std::string place = package;
    if (fields > 1) {
        place += "|" + printed.version;
    }
    if (fields > 2) {
        place += fmt::format("|{}|{}|{}", printed.platform, printed.os, printed.target);
    }
    return place;
}

bool Spec::is_in(const std::string& stack) const {
    const bool is_in_none =
        std::ranges::all_of(printed.stacks, [](const std::string& name) { return name == "root"; });
    return has_stacks && ((is_in_none && fits(stack, "(no stack)")) ||
                          std::ranges::any_of(printed.stacks, [&](const std::string& name) {
                              return fits(stack, name);
                          }));
}

Rows drift(const Snapshot& from, const Snapshot& to, const std::string& package,
           const std::optional<std::string>& stack, const Choice& choice) {
    return Comparison(from, to, package, stack, choice).rows();
}

}  // namespace cacheledger::drift_model
