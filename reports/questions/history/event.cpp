#include "reports/questions/history/history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

using Words = std::vector<std::string>;

std::string listed_first(const Words& names, std::size_t most) {
    if (names.size() <= most) {
        return fmt::format("{}", fmt::join(names, ", "));
    }
    const Words first(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most));
    return fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - most);
}

// "(3 removed, 3 added)".
std::string counts(std::int64_t added, std::int64_t removed) {
    Words said;
    if (removed > 0) {
        said.push_back(fmt::format("{} removed", removed));
    }
    if (added > 0) {
        said.push_back(fmt::format("{} added", added));
    }
    return fmt::format("({})", fmt::join(said, ", "));
}

void say_cause(Words& said, const char* what, const BeforeAndAfter& both, std::size_t most) {
    if (both.added == 0 && both.removed == 0) {
        return;
    }
    const std::string numbers = counts(both.added, both.removed);
    const std::string before = listed_first(both.before, most);
    const std::string after = listed_first(both.after, most);
    if (!both.before.empty() && !both.after.empty()) {
        said.push_back(fmt::format("{} -> {} {}", before, after, numbers));
    } else {
        said.push_back(fmt::format("{} {} {} {}", what, before + after,
                                   both.added > 0 ? "came" : "went", numbers));
    }
}

void say_stacks(Words& said, const char* what, const std::map<std::string, std::int64_t>& stacks,
                const HistoryEvent& event, std::size_t most) {
    Words names;
    for (const auto& [stack, specs] : stacks) {
        names.push_back(event.is_of_one ? stack : fmt::format("{} ({})", stack, specs));
    }
    if (!names.empty()) {
        said.push_back(fmt::format("{} {}", what, listed_first(names, most)));
    }
}

std::string arrival(const HistoryEvent& event, std::size_t most) {
    const char* const what = event.was_there                           ? "back"
                             : event.kind == HistoryEvent::Kind::start ? "there from the start"
                                                                       : "first seen";
    return event.is_of_one ? std::string(what)
                           : fmt::format("{}: {} ({} added)", what,
                                         listed_first(event.versions, most), event.added);
}

void say_copies(Words& said, const HistoryEvent& event) {
    if (event.copies_added > 0) {
        said.push_back(counted(event.copies_added, "more copy", "more copies"));
    }
    if (event.copies_removed > 0) {
        said.push_back(counted(event.copies_removed, "fewer copy", "fewer copies"));
    }
}

// What came and went, by cause.
void say_causes(Words& said, const HistoryEvent& event, std::size_t most) {
    if (event.package_added > 0) {
        said.push_back(arrival(event, most));
    }
    if (event.package_removed > 0) {
        said.push_back(fmt::format("gone ({} removed)", event.package_removed));
    }
    say_cause(said, "version", event.version, most);
    say_cause(said, "target", event.target, most);
    say_cause(said, "compiler", event.compiler, most);
    if (event.variants_added > 0 || event.variants_removed > 0) {
        Words options;
        for (const std::string& option : event.options) {
            options.push_back(option_words(option));
        }
        said.push_back(fmt::format("{} {}", listed_first(options, most),
                                   counts(event.variants_added, event.variants_removed)));
    }
    if (event.rebuilt > 0) {
        said.push_back(fmt::format("{} rebuilt", event.rebuilt));
    }
    say_copies(said, event);
}

// "+3 -137".
std::string signed_counts(std::int64_t came, std::int64_t went) {
    Words said;
    if (came > 0) {
        said.push_back("+" + grouped(came));
    }
    if (went > 0) {
        said.push_back("-" + grouped(went));
    }
    return fmt::format("{}", fmt::join(said, " "));
}

void say_names(Words& said, const char* what, const Words& names, std::size_t most) {
    if (!names.empty()) {
        said.push_back(fmt::format("{} {}", what, listed_first(names, most)));
    }
}

// "born: ", "renamed from e4s-old (120 builds moved)", "switched off".
std::string life_words(const StackMarks& stack) {
    if (!stack.renamed.empty()) {
        return fmt::format("renamed {} {} ({} moved): ", stack.is_off ? "to" : "from",
                           stack.renamed, counted(stack.moved, "build"));
    }
    if (stack.is_off) {
        return "switched off: ";
    }
    if (stack.is_back) {
        return "back: ";
    }
    return stack.is_born ? "born: " : "";
}

// "; new packages: a, b; compilers gone: gcc@11.4.0; wishes met: hdf5 +mpi".
std::string mark_words(const StackMarks& stack, std::size_t most) {
    Words said;
    say_names(said, "new packages:", stack.packages_gained, most);
    say_names(said, "packages gone:", stack.packages_lost, most);
    say_names(said, "new compilers:", stack.compilers_gained, most);
    say_names(said, "compilers gone:", stack.compilers_lost, most);
    say_names(said, "new targets:", stack.targets_gained, most);
    say_names(said, "targets gone:", stack.targets_lost, most);
    say_names(said, "wishes met:", stack.wishes_met, most);
    say_names(said, "wishes lost:", stack.wishes_lost, most);
    std::string words;
    for (const std::string& one : said) {
        words += fmt::format("; {}", one);
    }
    return words;
}

// "+3 -137: gcc -130, zlib +3 -7".
std::string package_words(const HistoryEvent& event, std::size_t most) {
    if (event.kind == HistoryEvent::Kind::still) {
        return "still there";
    }
    const bool is_start = event.kind == HistoryEvent::Kind::start;
    Words names;
    for (const PackageCounts& one : event.packages) {
        names.push_back(
            fmt::format("{} {}", one.package,
                        is_start ? grouped(one.came) : signed_counts(one.came, one.went)));
    }
    const std::string listed = listed_first(names, most);
    if (is_start) {
        return fmt::format("there from the start: {}", listed);
    }
    const std::string words = fmt::format(
        "{}: {}{}", signed_counts(event.added, event.removed), listed,
        event.unknown == 0
            ? ""
            : fmt::format(" (of {} it is not known whether they are new)", grouped(event.unknown)));
    return event.stack ? fmt::format("{}{}{}", life_words(*event.stack), words,
                                     mark_words(*event.stack, most))
                       : words;
}

}  // namespace

std::string option_words(const std::string& option) {
    for (const auto& [from, to, before, after] :
         {std::tuple("true", "false", '+', '~'), std::tuple("false", "true", '~', '+')}) {
        const std::string change = fmt::format(": {} -> {}", from, to);
        if (option.ends_with(change)) {
            const std::string name = option.substr(0, option.size() - change.size());
            return fmt::format("{}{} -> {}{}", before, name, after, name);
        }
    }
    return option;
}

std::string arrow(const BeforeAndAfter& both, std::size_t most) {
    if (both.before.empty() && both.after.empty()) {
        return "";
    }
    const std::string line =
        fmt::format("{} -> {}", listed_first(both.before, most), listed_first(both.after, most));
    const std::size_t begin = both.before.empty() ? 1 : 0;
    return line.substr(begin, line.size() - begin - (both.after.empty() ? 1 : 0));
}

namespace {

// "recipe: 3f2c1a9 "gmake: ..."". The date stands before it.
std::string recipe_words(const HistoryEvent& event) {
    const RecipeCommit& newest = event.commits.back();
    const auto commits = std::ssize(event.commits);
    return fmt::format("recipe: {}{} \"{}\"",
                       commits == 1 ? "" : counted(commits, "commit") + ", the newest ",
                       short_commit(newest), newest.subject);
}

}  // namespace

std::string event_words(const HistoryEvent& event, std::size_t most) {
    if (event.kind == HistoryEvent::Kind::recipe) {
        return recipe_words(event);
    }
    if (event.package.empty()) {
        return package_words(event, most);
    }
    Words said;
    if (event.kind == HistoryEvent::Kind::still) {
        said.push_back(event.is_of_one ? "still there"
                                       : "still there: " + counted(event.builds, "build"));
    } else if (event.kind == HistoryEvent::Kind::start || (event.is_of_one && event.added > 0)) {
        said.push_back(arrival(event, most));
    } else if (event.is_of_one && event.removed > 0) {
        said.push_back("gone");
    } else {
        say_causes(said, event, most);
    }
    say_stacks(said, event.added > 0 && event.is_of_one ? "in" : "joined", event.joined, event,
               most);
    say_stacks(said, "left", event.left, event, most);
    return fmt::format("{}", fmt::join(said, ", "));
}

}  // namespace cacheledger
