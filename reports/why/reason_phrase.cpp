#include "reports/why/reason_phrase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "schema/basics/prefix.hpp"

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

// "removed: zlib; dependency added: zstd" as "a dependency on zstd instead of zlib".
std::string edges_phrase(std::string_view change) {
    constexpr std::string_view arrow = " -> ";
    std::vector<std::string> added;
    std::vector<std::string> removed;
    std::vector<std::string> kinds;
    std::vector<std::string> virtuals;
    std::vector<std::string> phrases;
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
            phrases.push_back(fmt::format("{} instead of {}", part.substr(at + arrow.size()),
                                          part.substr(0, at)));
        }
    }
    if (!added.empty() && !removed.empty()) {
        phrases.push_back(fmt::format("a dependency on {} instead of {}", listed(added, most_names),
                                      listed(removed, most_names)));
    } else if (!added.empty()) {
        phrases.push_back("a new dependency on " + listed(added, most_names));
    } else if (!removed.empty()) {
        phrases.push_back("a dropped dependency on " + listed(removed, most_names));
    }
    if (!kinds.empty()) {
        phrases.push_back("another kind of dependency on " + listed(kinds, most_names));
    }
    if (!virtuals.empty()) {
        phrases.push_back("other virtuals of " + listed(virtuals, most_names));
    }
    return listed(phrases, most_names);
}

std::string own_phrase(const std::string& package, std::string_view change) {
    if (change == "new package") {
        return "the new package " + package;
    }
    const bool is_beside = take_prefix(change, "beside; ");
    if (!is_beside && (change == "recipe" || change == "patches")) {
        return fmt::format("the {} of {}", change, package);
    }
    if (take_prefix(change, "version: ")) {  // other attributes follow from another version
        return fmt::format("{} {}{}", package, change.substr(0, change.find("; ")),
                           is_beside ? " beside others" : "");
    }
    if (!is_beside) {
        return fmt::format("{} ({})", package, change);
    }
    if (change == "recipe" || change == "patches") {
        return fmt::format("a further build of {} with {}", package,
                           change == "recipe" ? "another recipe" : "other patches");
    }
    return fmt::format("a further build of {} ({})", package, change);
}

}  // namespace

std::string listed(const std::vector<std::string>& words, std::size_t most) {
    std::string text;
    const std::size_t shown = words.size() <= most + 1 ? words.size() : most;
    for (std::size_t i = 0; i < shown; ++i) {
        text += i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return shown == words.size() ? text
                                 : fmt::format("{} and {} others", text, words.size() - shown);
}

std::string reason_phrase(const std::vector<Value>& row) {
    const std::string package = text_or_empty(row[0]);
    const std::string kind = text_or_empty(row[2]);
    const std::string change = text_or_empty(row[3]);
    if (kind == "target-definition") {
        return "the definition of targets";
    }
    if (kind == "hash-definition") {
        return "the definition of the hash";
    }
    if (kind == "unexplained") {
        return fmt::format("{}, for an unknown reason{}", package,
                           change == "respelled" ? " (another Spack rewrote its description)" : "");
    }
    if (kind == "edges") {
        return package.empty() ? edges_phrase(change)
                               : fmt::format("{} with {}", package, edges_phrase(change));
    }
    return own_phrase(package, change);
}

}  // namespace cacheledger
