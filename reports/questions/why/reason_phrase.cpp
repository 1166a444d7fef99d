#include "reports/questions/why/reason_phrase.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "reports/engine/drift/change_words.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_names = 3;

std::string text_or_empty(const Value& value) {
    return is_null(value) ? std::string() : to_text(value);
}

std::vector<std::string_view> parts_of(std::string_view change) {
    constexpr std::string_view between = "; ";
    std::vector<std::string_view> parts;
    while (!change.empty()) {
        const auto end = std::min(change.find(between), change.size());
        parts.push_back(change.substr(0, end));
        change.remove_prefix(std::min(end + between.size(), change.size()));
    }
    return parts;
}

// What stands in place of a package where the reason is one of several packages.
constexpr const char* several_packages = "several packages";

/// The predicates of one or of several names, which begin with these verbs and go on alike.
struct Verbs {
    const char *one, *many;
};

constexpr Verbs is = {"is", "are"};
constexpr Verbs has_verb = {"has", "have"};
constexpr Verbs was = {"was", "were"};
constexpr Verbs depends = {"depends", "depend"};
constexpr Verbs uses = {"uses", "use"};

ReasonPhrase phrase(std::string name, Verbs verbs, std::string_view rest) {
    return {"", "", std::move(name), fmt::format("{} {}", verbs.one, rest),
            fmt::format("{} {}", verbs.many, rest)};
}

ReasonPhrase changed(std::string name, std::string_view how = "") {
    std::string verb = fmt::format("changed{}", how);
    return {"", "", std::move(name), verb, verb};
}

ReasonPhrase of_package(const char* kind, const char* kinds, std::string name) {
    return {kind, kinds, std::move(name), "changed", "changed"};
}

// "removed: zlib; dependency added: zstd" as "depends on zstd instead of zlib".
ReasonPhrase edges_phrase(const std::string& package, std::string_view change) {
    constexpr std::string_view arrow = " -> ";
    std::vector<std::string> added;
    std::vector<std::string> removed;
    std::vector<std::string> kinds;
    std::vector<std::string> virtuals;
    std::vector<std::string> used;
    for (std::string_view part : parts_of(change)) {
        if (take_prefix(part, "dependency added: ")) {
            added.emplace_back(part);
        } else if (take_prefix(part, "removed: ")) {
            removed.emplace_back(part);
        } else if (take_prefix(part, "edge: ")) {
            kinds.emplace_back(part);
        } else if (take_prefix(part, "virtuals: ")) {
            virtuals.emplace_back(part);
        } else if (take_prefix(part, "uses: ")) {
            const auto at = part.find(arrow);
            used.push_back(fmt::format("{} instead of {}", part.substr(at + arrow.size()),
                                       part.substr(0, at)));
        }
    }
    std::vector<std::pair<Verbs, std::string>> verbs;
    if (!added.empty() && !removed.empty()) {
        verbs.emplace_back(depends, fmt::format("on {} instead of {}", listed(added, most_names),
                                                listed(removed, most_names)));
    } else if (!added.empty()) {
        verbs.emplace_back(depends, "on " + listed(added, most_names) + " now");
    } else if (!removed.empty()) {
        verbs.emplace_back(depends, "no longer on " + listed(removed, most_names));
    }
    if (!kinds.empty()) {
        verbs.emplace_back(depends, "in another way on " + listed(kinds, most_names));
    }
    if (!virtuals.empty()) {
        verbs.emplace_back(uses, "other virtuals of " + listed(virtuals, most_names));
    }
    if (!used.empty()) {
        verbs.emplace_back(uses, listed(used, most_names));
    }
    std::vector<std::string> one;
    std::vector<std::string> many;
    for (const auto& [verb, rest] : verbs) {
        one.push_back(fmt::format("{} {}", verb.one, rest));
        many.push_back(fmt::format("{} {}", verb.many, rest));
    }
    const bool is_one = !package.empty();
    return {"", "", is_one ? package : several_packages, listed(is_one ? one : many, most_names),
            listed(many, most_names)};
}

// "/usr -> /opt/gcc", "no -> /usr", "/usr -> no".
ReasonPhrase external_phrase(const std::string& package, std::string_view paths) {
    constexpr std::string_view arrow = " -> ";
    const auto at = paths.find(arrow);
    const std::string_view before = paths.substr(0, at);
    const std::string_view after = paths.substr(at + arrow.size());
    if (before == "no") {
        return phrase(package, is, fmt::format("now external, in {}", after));
    }
    if (after == "no") {
        return phrase(package, is, fmt::format("no longer external (it was in {})", before));
    }
    return {"external", "external", package, fmt::format("moved from {} to {}", before, after),
            fmt::format("moved from {} to {}", before, after)};
}

// "version: 15.2.0", beside another build that is still there.
ReasonPhrase beside_phrase(const std::string& package, std::string_view change) {
    std::string_view value = change;
    if (take_prefix(value, "version: ")) {
        value = value.substr(0, value.find("; "));  // other attributes follow from the version
        return phrase(fmt::format("{} {}", package, value), was, "added");
    }
    if (change == "recipe" || change == "patches") {
        return phrase(fmt::format("a build of {} with {}", package,
                                  change == "recipe" ? "another recipe" : "other patches"),
                      was, "added");
    }
    const bool is_only = change.find("; ") == std::string_view::npos;
    if (is_only && take_prefix(value, "external: ")) {
        return value == "no"
                   ? phrase(fmt::format("a build of {} that is not external", package), was,
                            "added")
                   : phrase(fmt::format("external {} in {}", package, value), was, "added");
    }
    std::vector<std::string> words;
    for (const std::string_view part : parts_of(change)) {
        words.push_back(option_words(part));
    }
    return phrase(fmt::format("another build of {} ({})", package, fmt::join(words, "; ")), was,
                  "added");
}

ReasonPhrase own_phrase(const std::string& package, std::string_view change) {
    constexpr std::string_view arrow = " -> ";
    if (change == "new package") {
        return {"the package", "the packages", package, "was added", "were added"};
    }
    if (take_prefix(change, "beside; ")) {
        return beside_phrase(package, change);
    }
    if (change == "recipe") {
        return of_package("the recipe of", "the recipes of", package);
    }
    if (change == "patches") {
        return of_package("the patches of", "the patches of", package);
    }
    if (change == "flags") {
        return of_package("the flags of", "the flags of", package);
    }
    std::string_view value = change;
    if (take_prefix(value, "version: ")) {  // other attributes follow from another version
        value = value.substr(0, value.find("; "));
        const auto at = value.find(arrow);
        return changed(package, fmt::format(" from {} to {}", value.substr(0, at),
                                            value.substr(at + arrow.size())));
    }
    const bool is_only = change.find("; ") == std::string_view::npos;
    if (is_only && take_prefix(value, "external: ")) {
        return external_phrase(package, value);
    }
    std::vector<std::string> words;
    for (const std::string_view part : parts_of(change)) {
        words.push_back(option_words(part));
    }
    return changed(package, fmt::format(" ({})", fmt::join(words, "; ")));
}

// Two builds that are the same in all that is known.
std::string unexplained_words(std::string_view change) {
    return fmt::format("another hash, and what differs is not known{}",
                       change == "respelled" ? ": another Spack rewrote the description" : "");
}

}  // namespace

bool ReasonPhrase::says_the_same(const ReasonPhrase& other) const {
    return kind == other.kind && one == other.one;
}

ReasonPhrase reason_phrase(const std::vector<Value>& row) {
    const std::string package = text_or_empty(row[0]);
    const std::string kind = text_or_empty(row[2]);
    const std::string change = text_or_empty(row[3]);
    if (kind == "target-definition") {
        return changed("the definition of targets");
    }
    if (kind == "hash-definition") {
        return changed("the definition of the hash");
    }
    if (kind == "unexplained") {
        return phrase(package, has_verb, unexplained_words(change));
    }
    return kind == "edges" ? edges_phrase(package, change) : own_phrase(package, change);
}

Value reason_words(const std::vector<Value>& row) {
    const std::string kind = text_or_empty(row[2]);
    const std::string change = text_or_empty(row[3]);
    std::string_view rest = change;
    if (kind == "target-definition" || kind == "hash-definition") {
        return reason_phrase(row).name;
    }
    if (kind == "unexplained") {
        return unexplained_words(change);
    }
    if (kind == "own" && take_prefix(rest, "beside; ")) {
        return fmt::format("another build was added: {}", rest);
    }
    return is_null(row[3]) ? Value() : Value(change);
}

std::string reason_clause(const std::vector<ReasonPhrase>& phrases) {
    std::vector<std::string> clauses;
    std::vector<bool> is_told(phrases.size(), false);
    for (std::size_t i = 0; i < phrases.size(); ++i) {
        if (is_told[i]) {
            continue;
        }
        std::vector<std::string> names;
        for (std::size_t j = i; j < phrases.size(); ++j) {
            if (phrases[j].says_the_same(phrases[i])) {
                is_told[j] = true;
                names.push_back(phrases[j].name);
            }
        }
        const bool is_one = names.size() == 1;
        const std::string& before = is_one ? phrases[i].kind : phrases[i].kinds;
        clauses.push_back(fmt::format("{}{}{} {}", before, before.empty() ? "" : " ",
                                      listed(names, most_names),
                                      is_one ? phrases[i].one : phrases[i].many));
    }
    return fmt::format("{}", fmt::join(clauses, ", and "));
}

}  // namespace cacheledger
