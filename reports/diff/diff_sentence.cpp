#include "reports/diff/diff_sentence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace cacheledger {

namespace {

std::string counted(std::int64_t number, std::string_view one) {
    return fmt::format("{} {}{}", grouped(number), one, number == 1 ? "" : "s");
}

/// Added and removed specs of one cause.
struct Change {
    std::int64_t added = 0;
    std::int64_t removed = 0;

    std::int64_t sum() const { return added + removed; }
};

Change change_of(const Diff& diff, std::string_view cause) {
    for (const auto& row : diff.causes.rows) {
        if (std::get<std::string>(row[0]) == cause) {
            return {std::get<std::int64_t>(row[1]), std::get<std::int64_t>(row[2])};
        }
    }
    return {};
}

/// "develop" of "develop@2025-03-30T06:00:00Z".
std::string tag_of(const std::string& snapshot) {
    return snapshot.substr(0, snapshot.find('@'));
}

/// A part of the sentence, and how many specs it is about.
struct Clause {
    std::int64_t specs = 0;
    std::string text;
    bool is_of_packages = false;  // never left out
};

constexpr std::size_t most_clauses = 4;

class Sentence {
  public:
    explicit Sentence(const Diff& diff) : diff_(diff) {}

    std::string text() {
        if (diff_.is_empty()) {
            return no_change();
        }
        const std::int64_t added = count_of(diff_, "spec-added");
        const std::int64_t removed = count_of(diff_, "spec-removed");
        if (added == 0 && removed == 0) {
            return only_moves();
        }
        std::int64_t visible = 0;
        for (const std::string_view cause :
             {"package", "version", "target", "compiler", "variants"}) {
            visible += change_of(diff_, cause).sum();
        }
        const char* const only = diff_.moved_specs > 0 ? ""
                                 : removed == 0        ? "Only additions: "
                                 : added == 0          ? "Only removals: "
                                                       : "";
        std::string text = visible == 0 ? no_visible_change() : only + visible_changes();
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
        if (diff_.compared_from == diff_.compared_to) {
            return text + ".";
        }
        return fmt::format("{}. {} before, {} after{}.", text,
                           counted(diff_.compared_from, "build"), grouped(diff_.compared_to),
                           diff_.unobserved.rows.empty() ? "" : ", of what both observed");
    }

  private:
    bool is_of_two() const { return !diff_.is_of_one_series; }
    static std::string only_in(const std::string& snapshot) {
        return "only in " + tag_of(snapshot);
    }

    std::string no_change() const {
        if (!diff_.unobserved.rows.empty()) {
            return "No change in what both observed.";
        }
        if (diff_.compared_from == 0) {
            return "No change: neither has such a build.";
        }
        return fmt::format("No change: both have the same {}.",
                           counted(diff_.compared_from, "build"));
    }

    std::string only_moves() const {
        const std::int64_t specs = diff_.moved_specs;
        if (!diff_.unobserved.rows.empty()) {
            return fmt::format("The same builds in what both observed, {} of them in other stacks.",
                               grouped(specs));
        }
        return fmt::format("The same {}, {} of them in other stacks.",
                           counted(diff_.compared_from, "build"), grouped(specs));
    }

    std::string moved() const {
        const std::int64_t specs = diff_.moved_specs;
        return fmt::format("{} {} in other stacks", counted(specs, "build"),
                           specs == 1 ? "is" : "are");
    }

    std::string no_visible_change() const {
        // With a filter one side of a pair may not be asked.
        const auto [added, removed] = change_of(diff_, "rebuilt");
        const std::int64_t rebuilt = removed > 0 ? removed : added;
        const Change copies = change_of(diff_, "copies");
        std::vector<std::string> parts;
        if (rebuilt > 0) {
            parts.push_back(replaced(rebuilt));
        }
        if (copies.added > 0) {
            parts.push_back(more_copies(copies.added));
        }
        if (copies.removed > 0) {
            parts.push_back(fewer_copies(copies.removed));
        }
        if (diff_.moved_specs > 0) {
            parts.push_back(moved());
        }
        return fmt::format("No visible change: {}", fmt::join(parts, "; "));
    }

    /// "31 of 32 builds were replaced by ones that look the same".
    std::string replaced(std::int64_t specs) const {
        const bool is_one = specs == 1;
        const std::string all = counted(diff_.compared_from, "build");
        const std::string which = specs == diff_.compared_from && !is_one
                                      ? fmt::format("all {}", all)
                                      : fmt::format("{} of {}", grouped(specs), all);
        if (is_of_two()) {
            return fmt::format("{} {}", which,
                               is_one ? "has another hash and looks the same"
                                      : "have other hashes and look the same");
        }
        return fmt::format("{} {}", which,
                           is_one ? "was replaced by one that looks the same"
                                  : "were replaced by ones that look the same");
    }

    static std::string more_copies(std::int64_t specs) {
        return fmt::format("{} more {} like others", grouped(specs),
                           specs == 1 ? "build that looks" : "builds that look");
    }
    static std::string fewer_copies(std::int64_t specs) {
        return fmt::format("{} fewer {} like others", grouped(specs),
                           specs == 1 ? "build that looks" : "builds that look");
    }

    /// "3 new packages (223 builds)", "1 version gone (2 builds)".
    void add_named(const std::string& cause) {
        const auto [added, removed] = change_of(diff_, cause);
        const auto add = [&](std::int64_t specs, const std::string& change, const char* adjective,
                             const std::string& snapshot) {
            if (specs == 0) {
                return;
            }
            const std::int64_t names = count_of(diff_, cause + "-" + change);
            const std::string noun = counted(names, cause);
            const std::size_t blank = noun.find(' ');
            const std::string what =
                is_of_two() ? fmt::format("{} {}", noun, only_in(snapshot))
                : change == "added"
                    ? fmt::format("{} {}{}", noun.substr(0, blank), adjective, noun.substr(blank))
                    : fmt::format("{} {}", noun, adjective);
            clauses_.push_back(
                {specs, fmt::format("{} ({})", what, counted(specs, "build")), cause == "package"});
        };
        add(added, "added", "new", diff_.to);
        add(removed, "removed", "gone", diff_.from);
    }

    /// Not "by new compilers": other builds can be by them already.
    /// "3 new builds for other targets", "1 build with other variants gone".
    void add_attribute(const std::string& cause, const char* preposition, const char* noun) {
        const auto [added, removed] = change_of(diff_, cause);
        const auto add = [&](std::int64_t specs, const char* adjective, const std::string& where) {
            if (specs > 0) {
                clauses_.push_back(
                    {specs, fmt::format("{} {} other {}{}",
                                        counted(specs, fmt::format("{}build", adjective)),
                                        preposition, noun, where)});
            }
        };
        add(added, is_of_two() ? "" : "new ",
            is_of_two() ? fmt::format(" {}", only_in(diff_.to)) : "");
        add(removed, "", is_of_two() ? fmt::format(" {}", only_in(diff_.from)) : " gone");
    }

    std::string visible_changes() {
        add_named("package");
        add_named("version");
        add_attribute("target", "for", "targets");
        add_attribute("compiler", "by", "compilers");
        add_attribute("variants", "with", "variants");
        if (const std::int64_t specs = change_of(diff_, "rebuilt").added; specs > 0) {
            const char* const look = specs == 1 ? "one that looks" : "ones that look";
            clauses_.push_back(
                {specs, is_of_two() ? fmt::format("{} the same, with other hashes",
                                                  specs == 1 ? "1 build that looks"
                                                             : grouped(specs) + " builds that look")
                                    : fmt::format("{} replaced by {} the same",
                                                  counted(specs, "build"), look)});
        }
        const auto [more, fewer] = change_of(diff_, "copies");
        if (more > 0) {
            clauses_.push_back({more, more_copies(more)});
        }
        if (fewer > 0) {
            clauses_.push_back({fewer, fewer_copies(fewer)});
        }
        if (const std::int64_t specs = diff_.moved_specs; specs > 0) {
            clauses_.push_back({specs, fmt::format("{} in other stacks", counted(specs, "build"))});
        }
        return joined_clauses();
    }

    // A sentence with many parts is not read, so small ones are only counted.
    std::string joined_clauses() {
        std::ranges::stable_sort(clauses_, std::ranges::greater(), &Clause::specs);
        std::vector<std::string> texts;
        std::int64_t others = 0;
        for (Clause& clause : clauses_) {
            if (clauses_.size() <= most_clauses || texts.size() + 1 < most_clauses ||
                clause.is_of_packages) {
                texts.push_back(std::move(clause.text));
            } else {
                others += clause.specs;
            }
        }
        if (others > 0) {
            texts.push_back(fmt::format("{} otherwise", counted(others, "build")));
        }
        return fmt::format("{}", fmt::join(texts, "; "));
    }

    const Diff& diff_;
    std::vector<Clause> clauses_;
};

}  // namespace

std::string sentence(const Diff& diff) {
    return Sentence(diff).text();
}

std::int64_t count_of(const Diff& diff, std::string_view kind) {
    const auto found = std::ranges::find(diff.summary, kind, &KindCount::kind);
    return found == diff.summary.end() ? 0 : found->count;
}

}  // namespace cacheledger
