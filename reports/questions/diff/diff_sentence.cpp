#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

#include "reports/questions/diff/diff.hpp"

namespace cacheledger {

namespace {

/// Added and removed specs of one cause.
struct Change {
    std::int64_t added = 0;
    std::int64_t removed = 0;
};

Change change_of(const Diff& diff, std::string_view cause) {
    for (const auto& row : diff.causes.rows) {
        if (std::get<std::string>(row[0]) == cause) {
            return {integer(row[1]), integer(row[2])};
        }
    }
    return {};
}

/// "develop" of "develop@2025-03-30T06:00:00Z".
std::string tag_of(const std::string& snapshot) {
    return snapshot.substr(0, snapshot.find('@'));
}

/// Specs that joined stacks, or left them, and these stacks.
struct Moves {
    std::set<std::string> hashes, stacks;

    std::int64_t specs() const { return std::ssize(hashes); }
    /// "the stack ml", "the stacks e4s and ml", "5 stacks".
    std::string names() const {
        if (stacks.size() > most_stacks_named) {
            return fmt::format("{} stacks", stacks.size());
        }
        return fmt::format(
            "the stack{} {}", stacks.size() == 1 ? "" : "s",
            listed(std::vector<std::string>(stacks.begin(), stacks.end()), most_stacks_named));
    }
};

class Sentence {
  public:
    explicit Sentence(const Diff& diff) : diff_(diff), names_(names_of(diff)) {}

    std::string text() {
        if (diff_.is_empty()) {
            return no_change();
        }
        const std::int64_t added = count_of(diff_, "spec-added");
        const std::int64_t removed = count_of(diff_, "spec-removed");
        std::string text = stack_sentences(diff_.stacks, names_, diff_.is_of_all());
        const std::string changes = changes_text(added, removed);
        if (!changes.empty()) {
            // With a filter a rebuilt build may be among what is compared on one side alone.
            const bool is_rebuilt = count_of(diff_, "rebuilt") > 0;
            const char* const only = diff_.moved_specs > 0 || !names_.is_of_one_series || is_rebuilt
                                         ? ""
                                     : removed == 0 ? "Only additions: "
                                     : added == 0   ? "Only removals: "
                                                    : "";
            std::string rest = only + changes + ".";
            rest.front() =
                static_cast<char>(std::toupper(static_cast<unsigned char>(rest.front())));
            text += (text.empty() ? "" : " ") + rest;
        }
        if (diff_.compared_from == diff_.compared_to) {
            return text;
        }
        return fmt::format("{} {}", text, totals());
    }

  private:
    std::string no_change() const {
        if (!diff_.unobserved.rows.empty()) {
            return "No change in the packages that both observed.";
        }
        if (diff_.from_specs == 0 && diff_.to_specs == 0 && !diff_.is_of_stacks) {
            return "No change: both are empty.";
        }
        if (diff_.compared_from == 0) {
            return "No change: neither has such a build.";
        }
        return diff_.compared_from == 1 ? "No change: both have the same build."
                                        : fmt::format("No change: both have the same {}.",
                                                      counted(diff_.compared_from, "build"));
    }

    /// "23 builds before, 29 after."
    std::string totals() const {
        const std::string before = counted(diff_.compared_from, "build");
        const std::string after = grouped(diff_.compared_to);
        const char* const of =
            diff_.unobserved.rows.empty() ? "" : ", counting the packages that both observed";
        return names_.is_of_one_series ? fmt::format("{} before, {} after{}.", before, after, of)
                                       : fmt::format("{} in {}, {} in {}{}.", before, names_.from,
                                                     after, names_.to, of);
    }

    /// All changes but those of stacks that only one snapshot has.
    std::string changes_text(std::int64_t added, std::int64_t removed) {
        add_named("package");
        add_named("version");
        std::ranges::move(system_clauses(diff_.systems, names_), std::back_inserter(clauses_));
        add_attribute("compiler-changed",
                      {"with", "another compiler", "other compilers", "compiler"});
        add_attribute("variants-changed", {"with", "other variants", "other variants", ""});
        add_copies();
        add_moves();
        add_rebuilt();
        std::ranges::stable_sort(clauses_, std::ranges::greater(), &Clause::specs);
        if (added == 0 && removed == 0) {
            clauses_.push_back({0, diff_.unobserved.rows.empty()
                                       ? "no build was added or removed"
                                       : "no build was added or removed in the packages that both "
                                         "observed"});
        }
        std::vector<std::string> texts;
        for (Clause& clause : clauses_) {
            texts.push_back(std::move(clause.text));
        }
        return fmt::format("{}", fmt::join(texts, "; "));
    }

    /// "3 new packages (223 builds)", "1 version gone (2 builds)".
    void add_named(const std::string& cause) {
        const auto [added, removed] = change_of(diff_, cause);
        const auto add = [&](std::int64_t specs, const std::string& what) {
            add_clause(specs, fmt::format("{} ({})", what, counted(specs, "build")));
        };
        const std::int64_t gained = count_of(diff_, cause + "-added");
        const std::int64_t lost = count_of(diff_, cause + "-removed");
        if (names_.is_of_one_series) {
            add(added, counted(gained, "new " + cause));
            add(removed, counted(lost, cause) + " gone");
        } else {
            add(added, fmt::format("{} only in {}", counted(gained, cause), names_.to));
            add(removed, fmt::format("{} only in {}", counted(lost, cause), names_.from));
        }
    }

    /// From the rows of this kind, with the columns added and removed, and gained and lost if they
    /// give values.
    void add_attribute(std::string_view kind, const AttributeWords& words) {
        const ResultTable& table = diff_.rows_of(kind);
        const auto add_values = [&](const auto& row, const char* column,
                                    std::set<std::string>& values) {
            const std::size_t at = column_of(table, column);
            const auto more = split(at < row.size() ? to_text(row[at]) : "", ',');
            values.insert(more.begin(), more.end());
        };
        AttributeChange change;
        for (const auto& row : table.rows) {
            change.add(integer(row[column_of(table, "added")]),
                       integer(row[column_of(table, "removed")]));
            add_values(row, "gained", change.gained);
            add_values(row, "lost", change.lost);
        }
        if (!table.rows.empty()) {
            clauses_.push_back(attribute_clause(change, words, names_));
        }
    }

    void add_copies() {
        const auto [more, fewer] = change_of(diff_, "copies");
        if (names_.is_of_one_series) {
            add_clause(more, fmt::format("{} of {} there", counted_copies(more, "more"),
                                         words_for(more, "a build that was", "builds that were")));
            add_clause(fewer, fmt::format("{} of {} still there", counted_copies(fewer, "fewer"),
                                          words_for(fewer, "a build that is", "builds that are")));
        } else {
            add_clause(more, fmt::format("{} in {}", counted_copies(more, "more"), names_.to));
            add_clause(fewer, fmt::format("{} in {}", counted_copies(fewer, "more"), names_.from));
        }
    }
    static std::string counted_copies(std::int64_t specs, const char* adjective) {
        return fmt::format("{} {} {}", grouped(specs), adjective,
                           words_for(specs, "copy", "copies"));
    }

    /// Moves between stacks, without those that the stacks explain which are gone or new.
    void add_moves() {
        Moves joined;
        Moves left;
        const ResultTable& table = diff_.rows_of("stack-joined");
        const std::size_t stack = column_of(table, "stack");
        const std::size_t hash = column_of(table, "hash");
        for (const auto& row : table.rows) {
            const bool is_said = std::ranges::any_of(
                diff_.stacks.rows, [&](const auto& lone) { return lone[1] == row[stack]; });
            if (!is_said) {
                Moves& moves = to_text(row[0]) == "stack-joined" ? joined : left;
                moves.hashes.insert(to_text(row[hash]));
                moves.stacks.insert(to_text(row[stack]));
            }
        }
        std::set<std::string> all = joined.hashes;
        all.insert(left.hashes.begin(), left.hashes.end());
        add_clause(std::ssize(all), moves_text(joined, left, std::ssize(all)));
    }

    std::string moves_text(const Moves& joined, const Moves& left, std::int64_t specs) const {
        if (!names_.is_of_one_series) {
            return fmt::format("{} of both {} in different stacks", counted(specs, "build"),
                               words_for(specs, "is", "are"));
        }
        if (joined.specs() == specs && left.specs() == specs) {
            return fmt::format("{} moved from {} to {}", counted(specs, "build"), left.names(),
                               joined.names());
        }
        std::vector<std::string> parts;
        if (joined.specs() > 0) {
            parts.push_back(
                fmt::format("{} joined {}", counted(joined.specs(), "build"), joined.names()));
        }
        if (left.specs() > 0) {
            parts.push_back(
                fmt::format("{} left {}", counted(left.specs(), "build"), left.names()) +
                stackless_text(left));
        }
        return fmt::format("{}", fmt::join(parts, ", "));
    }

    /// Which of the specs that left stacks are in none now.
    std::string stackless_text(const Moves& left) const {
        const std::int64_t specs = diff_.stackless_specs;
        if (specs == 0 || !diff_.stacks.rows.empty()) {
            return "";
        }
        return specs == left.specs()
                   ? fmt::format(" and {} now in no stack", words_for(specs, "is", "are"))
                   : fmt::format(" ({} {} now in no stack)", grouped(specs),
                                 words_for(specs, "is", "are"));
    }

    /// "31 of 32 builds were rebuilt: same version and options, new hash". Other clauses must be
    /// there before. With a filter one side of a pair may not be asked.
    void add_rebuilt() {
        const auto [added, removed] = change_of(diff_, "rebuilt");
        const std::int64_t specs = std::max(added, removed);
        const std::int64_t all = diff_.compared_from;
        const std::string which =
            added != removed || all == 1 ? counted(specs, "build")
            : specs == all               ? fmt::format("all {}", counted(all, "build"))
                           : fmt::format("{} of {}", grouped(specs), counted(all, "build"));
        const std::string verb =
            names_.is_of_one_series ? fmt::format("{} rebuilt", words_for(specs, "was", "were"))
                                    : fmt::format("of {} {} the same in {}, with {}", names_.from,
                                                  words_for(specs, "looks", "look"), names_.to,
                                                  words_for(specs, "another hash", "other hashes"));
        constexpr const char* meaning = "same version and options, new hash";
        const std::string text = !names_.is_of_one_series ? fmt::format("{} {}", which, verb)
                                 : clauses_.empty()
                                     ? fmt::format("{} {}: {}", which, verb, meaning)
                                     : fmt::format("{} {} ({})", which, verb, meaning);
        add_clause(specs, text);
    }

    void add_clause(std::int64_t specs, std::string text) {
        if (specs > 0) {
            clauses_.push_back({specs, std::move(text)});
        }
    }

    const Diff& diff_;
    ComparedNames names_;
    std::vector<Clause> clauses_;
};

}  // namespace

std::string sentence_of(const Diff& diff) {
    return Sentence(diff).text();
}

ComparedNames names_of(const Diff& diff) {
    return diff.is_in_letters
               ? ComparedNames{"A", "B", diff.is_of_one_series}
               : ComparedNames{tag_of(diff.from), tag_of(diff.to), diff.is_of_one_series};
}

std::int64_t count_of(const Diff& diff, std::string_view kind) {
    const auto found = std::ranges::find(diff.summary, kind, &KindCount::kind);
    return found == diff.summary.end() ? 0 : found->count;
}

}  // namespace cacheledger
