#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "reports/questions/dependents/dependents.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

/// "at least": the dependencies of some builds are not known, and these may change, too.
std::string sentence_of_rebuilds(const Rebuilds& found) {
    const auto num_stacks = std::ranges::count_if(
        found.stacks.rows, [](const auto& row) { return row[0] != Value("(no stack)"); });
    const std::string stacks =
        num_stacks == 0 ? "" : fmt::format(", in {}", counted(num_stacks, "stack"));
    const bool is_bound = found.unknown > 0 && !found.recipes.rows.empty();
    if (found.sure + found.may == 0) {
        return is_bound || !found.not_judged.rows.empty() ? "no build is known to have a new hash."
                                                          : "no build has a new hash.";
    }
    const std::string builds =
        found.sure > 0
            ? fmt::format("{} a new hash", counted(found.sure, "build has", "builds have")) +
                  (found.may > 0 ? fmt::format(", {} more may", grouped(found.may)) : "")
            : fmt::format("{} have a new hash", counted(found.may, "build may", "builds may"));
    return fmt::format("{}{}, in {}{}. Size: {}{}.", is_bound ? "at least " : "", builds,
                       counted(found.waves, "wave"), stacks, size_label(found.sure + found.may),
                       is_bound ? " or more" : "");
}

std::string sentence_of_past(const Rebuilds& found) {
    if (found.past.rows.empty()) {
        return fmt::format("The ledger has seen no such change: it has {} of {}.",
                           counted(found.states, "snapshot"), found.series);
    }
    const auto [least, most] = std::ranges::minmax_element(
        found.past.rows,
        [](const auto& a, const auto& b) { return integer(a[3]) < integer(b[3]); });
    const auto low = integer((*least)[3]);
    const auto high = integer((*most)[3]);
    return fmt::format("In {} of {} such a change came {}, each with {} new with it.",
                       counted(found.states, "snapshot"), found.series,
                       counted(std::ssize(found.past.rows), "time"),
                       low == high ? counted(low, "build")
                                   : fmt::format("{} to {}", grouped(low), counted(high, "build")));
}

std::vector<std::string> remarks_on_rebuilds(const Rebuilds& found) {
    std::vector<std::string> remarks = {sentence_of_past(found)};
    const auto builds = found.sure + found.may;
    if (found.sized > 0) {
        remarks.push_back(fmt::format("{} of {} have {} bytes; the sizes of others are not known.",
                                      grouped(found.sized), counted(builds, "binary", "binaries"),
                                      grouped(found.bytes)));
        if (found.sized == builds) {
            remarks.back() = fmt::format("Their binaries have {} bytes.", grouped(found.bytes));
        }
    }
    return remarks;
}

bool has_change(const Rebuilds& found, RecipeChange change) {
    const Value name{std::string(name_of_change(change))};
    return std::ranges::any_of(found.recipes.rows, [&](const auto& row) { return row[1] == name; });
}

/// What the numbers leave open, and what they rest on.
std::vector<std::string> reservations_on_rebuilds(const Rebuilds& found) {
    std::vector<std::string> remarks;
    if (found.may > 0 && has_change(found, RecipeChange::version)) {
        remarks.emplace_back(
            "May: an added version changes a hash only where a new concretization chooses it.");
    }
    if (found.may > 0 && has_change(found, RecipeChange::version_or_more)) {
        remarks.emplace_back(
            "May: the ledger has the versions that commits added, and not what else they changed.");
    }
    if (found.may > 0 && has_change(found, RecipeChange::other_file)) {
        remarks.emplace_back(
            "May: a file beside a recipe changes a hash only if the recipe applies it as a patch.");
    }
    if (found.unknown > 0) {
        remarks.push_back(fmt::format("The dependencies of {} of {} are not known: {} change, too.",
                                      counted(found.unknown, "build"), found.snapshot,
                                      words_for(found.unknown, "it may", "they may")));
    }
    if (const auto& files = found.not_judged.rows; !files.empty()) {
        constexpr std::size_t most_files = 5;
        std::vector<std::string> names;
        std::ranges::transform(files, std::back_inserter(names),
                               [](const auto& row) { return to_text(row[0]); });
        remarks.push_back(
            fmt::format("Not judged: {} outside the packages: {}. No hash covers such a file, but "
                        "a build system "
                        "may change what a new concretization chooses.",
                        counted(std::ssize(files), "file"), listed(names, most_files)));
    }
    remarks.push_back(found.rests_on);
    return remarks;
}

}  // namespace

std::string size_label(std::int64_t builds) {
    if (builds == 0) {
        return "0";
    }
    std::int64_t most = 10;
    while (most < builds && most < 10000) {
        most *= 10;
    }
    return builds > most ? fmt::format("{}+", most + 1)
                         : fmt::format("{}-{}", most == 10 ? 1 : most / 10 + 1, most);
}

Document document_of(const Rebuilds& found) {
    Document document;
    document.command = "dependents";
    document.title_of_gates =
        fmt::format("if {} {} at {}", found.what,
                    found.recipes.rows.size() < 2 ? "changes" : "change", found.snapshot);
    const std::string sentence = sentence_of_rebuilds(found);
    const std::vector<std::string> reservations = reservations_on_rebuilds(found);
    document.summary = fmt::format("{} {}", sentence, fmt::join(reservations, " "));
    document.title = fmt::format("I{}: {}", document.title_of_gates.substr(1), sentence);
    document.notes = remarks_on_rebuilds(found);
    std::ranges::copy(reservations, std::back_inserter(document.notes));
    document.lines = lines_of(document.title, document.notes);
    document.lines.front() = document.title;
    document.parts = [&found] {
        std::vector<DocumentPart> parts;
        if (found.recipes.rows.size() > 1) {
            parts.push_back({"Recipes (builds: those that change with it)", found.recipes});
        }
        parts.push_back({"By stack", found.stacks});
        ResultTable builds = columns_of(found.builds, {"wave", "package", "version", "hash"});
        for (auto& row : builds.rows) {
            row.back() = short_hash(row.back());
        }
        parts.push_back({"Builds, in waves", std::move(builds)});
        parts.push_back({"Such changes before", found.past});
        return parts;
    };
    document.rows = [&found] { return found.builds; };
    document.fields = [&found] {
        Value bytes;
        if (found.sized > 0) {
            bytes = found.bytes;
        }
        return std::vector<DocumentField>{{"what", found.what},
                                          {"snapshot", found.snapshot},
                                          {"label", size_label(found.sure + found.may)},
                                          {"builds", found.sure},
                                          {"may", found.may},
                                          {"waves", found.waves},
                                          {"bytes", bytes},
                                          {"sized", found.sized},
                                          {"unknown", found.unknown},
                                          {"rests_on", found.rests_on},
                                          {"recipes", found.recipes},
                                          {"stacks", found.stacks},
                                          {"past", found.past},
                                          {"not_judged", found.not_judged},
                                          {"rebuilds", found.builds}};
    };
    return document;
}

}  // namespace cacheledger
