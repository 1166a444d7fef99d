#include "ingest/runs/packages/package_repositories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/rows/recipes/repository_rows.hpp"
#include "ingest/runs/packages/recipes.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/recipes/commit_changes.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"
#include "schema/text/digest.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t short_id = 10;

bool is_same_place(const std::string& one, const std::string& other) {
    std::error_code ignored;
    return one == other || std::filesystem::equivalent(one, other, ignored);
}

constexpr std::string_view unreadable = "can't be read, and counts as it was before";

void refuse_large_list(std::uintmax_t bytes) {
    constexpr std::uintmax_t most_bytes = 4 << 20;
    if (bytes > most_bytes) {
        throw Problem("expected a wish list of at most 4 MiB, found a larger one");
    }
}

// "PATH:3: expected ...": the line, and what is wrong.
WishFinding finding_of(std::string_view problem, const std::string& path) {
    WishFinding finding{1, ""};
    if (take_prefix(problem, path) && take_prefix(problem, ":")) {
        const auto [end, error] =
            std::from_chars(problem.data(), problem.data() + problem.size(), finding.line);
        if (error == std::errc()) {
            problem.remove_prefix(static_cast<std::size_t>(end - problem.data()));
            take_prefix(problem, ":");
        }
        take_prefix(problem, " ");
    }
    finding.detail = fmt::format("{}: {}", unreadable, problem);
    return finding;
}

/// Writes the wish lists of a repository, commit by commit.
class ListHistory {
  public:
    /// `repository` must outlive this.
    ListHistory(SQLite::Database& database, const GitRepository& repository,
                std::int64_t repository_id)
        : repository_(repository),
          wishes_(database, repository_id),
          findings_(database, repository_id) {}

    /// The list is so from this moment on. One that can't be read stays as it was, and has a
    /// finding. Throws InputError if the repository is damaged.
    void change(const ChangedList& list, Moment moment) {
        if (!list.text) {
            set(list, {}, moment);
            return;
        }
        GitBlob blob;
        WishList wanted;
        try {
            blob = repository_.blob(*list.text, refuse_large_list);
            wanted = read_wish_list(blob.text, list.path);
        } catch (const Problem& problem) {
            keep(list, problem.text, moment);
            return;
        } catch (const InputError& error) {
            if (!blob.owner) {
                throw;  // not of the list: the repository is damaged
            }
            keep(list, error.what(), moment);
            return;
        }
        set(list, wanted, moment);
    }

  private:
    void keep(const ChangedList& list, const std::string& problem, Moment moment) {
        std::vector<WishFinding> findings = findings_.current(list.path);
        std::erase_if(findings, [](const WishFinding& finding) {
            return finding.detail.starts_with(unreadable);
        });
        findings.push_back(finding_of(problem, list.path));
        findings_.set(list.path, findings, moment);
    }

    void set(const ChangedList& list, const WishList& wanted, Moment moment) {
        std::map<std::string, std::vector<Wish>> by_stack = {{list.stack, wanted.wishes}};
        for (const std::string& stack : wishes_.stacks_in(list.path)) {
            by_stack.try_emplace(stack);  // a group that is gone has no wishes
        }
        for (const Wish& wish : wanted.wishes) {
            if (wish.group.starts_with(list.stack + "-")) {
                by_stack[wish.group].push_back(wish);
            }
        }
        for (const auto& [stack, wishes] : by_stack) {
            wishes_.set(stack, list.path, wishes, moment);
        }
        findings_.set(list.path, wanted.findings, moment);
    }

    const GitRepository& repository_;
    WishRows wishes_;
    ListFindings findings_;
};

// One repository, from its path to its rows.
class RepositoryRun {
  public:
    RepositoryRun(SQLite::Database& database, const std::string& path, unsigned jobs)
        : database_(database), path_(path), jobs_(jobs), repository_(path) {
        const auto head = repository_.head();
        if (!head) {
            throw InputError(fmt::format("{}: HEAD is on no branch that exists", path));
        }
        head_ = *head;
        result_.repository = path;
    }

    PackageRepositoryResult run(const Progress& progress) {
        stored_ = find_stored();
        const bool is_read = stored_ && stored_->head == head_;
        if (is_read) {
            result_.notes.push_back(
                fmt::format("{} is in the ledger up to its last commit {}: nothing to do", path_,
                            to_hex(head_).substr(0, short_id)));
        } else {
            read(progress);
        }
        if (stored_) {
            read_head_recipes(is_read);
            count();
        }
        return std::move(result_);
    }

  private:
    // The repository in the ledger that this one goes on from.
    std::optional<StoredRepository> find_stored() {
        std::optional<StoredRepository> found;
        for (StoredRepository& one : stored_repositories(database_)) {
            const bool is_before = one.head == head_ || (repository_.commit(one.head) &&
                                                         repository_.is_later(head_, one.head));
            if (is_before && has_older_commits(one)) {
                remove_repository(database_, one.id);
                result_.notes.push_back(
                    fmt::format("older commits of {} are there now: it is read again", path_));
            } else if (is_before && (!found || is_same_place(one.source, path_))) {
                found = std::move(one);
            } else if (!is_before && is_same_place(one.source, path_)) {
                remove_repository(database_, one.id);
                result_.notes.push_back(fmt::format(
                    "the history of {} was rewritten: what the ledger had of it is replaced",
                    path_));
            }
        }
        return found;
    }

    // Whether commits lead to the oldest one in the ledger that are older than what was read: a
    // shallow clone lacked them. Those that another repository gave were not to be read.
    bool has_older_commits(const StoredRepository& stored) {
        const Digest oldest = oldest_commit(database_, stored);
        auto known = stored_commits(database_);
        known.erase(oldest);
        const auto commits = new_commits(repository_, oldest, known);
        return !commits.empty() && commits.front().time < stored.first_at;
    }

    void note_shallow(const NewCommit& first) {
        const auto text = repository_.commit(first.id);
        if (text && text->parents.size() > first.parent_trees.size()) {
            result_.notes.push_back(
                fmt::format("{} is a shallow clone: commits before {} are not known", path_,
                            format_moment(first.time)));
        }
    }

    void read(const Progress& progress) {
        const auto commits = new_commits(repository_, head_, stored_commits(database_));
        result_.commits = commits.size();
        if (commits.empty() && !stored_) {
            result_.notes.push_back(fmt::format(
                "all commits of {} are in the ledger, of another repository: nothing to do",
                path_));
            return;
        }
        if (!stored_) {
            note_shallow(commits.front());
        }
        progress(0, commits.size());
        const RecipeHistory history = read_recipe_history(
            path_, commits, jobs_, [&](std::size_t done) { progress(done, commits.size()); });
        progress(commits.size(), commits.size());
        result_.recipes = history.recipes.size();
        write_repository(commits);
        write_recipes(commits, history);
        write_lists(commits, history);
        remove_unused_wishes(
            database_);  // those of states that another of the same moment replaced
        update_repository(database_, *stored_);
    }

    void write_repository(const std::vector<NewCommit>& commits) {
        is_new_ = !stored_;
        if (is_new_) {
            const Moment first = commits.front().time;
            stored_ = StoredRepository{0, path_, head_, first, first};
            stored_->id = add_repository(database_, *stored_);
        }
        head_before_ = std::exchange(stored_->head, head_);
        stored_->source = path_;
    }

    // The recipes of a head that was read already are missing in a ledger of an older program.
    void read_head_recipes(bool is_read) {
        if (is_read && has_head_recipes(database_, stored_->id)) {
            return;
        }
        write_head_recipes(database_, stored_->id, path_, head_, jobs_);
        if (is_read && has_head_recipes(database_, stored_->id)) {
            result_.notes.back() = fmt::format(
                "the recipes of {} are read again: the ledger did not have what they say now",
                path_);
        }
    }

    // Commits that touched no recipe have no rows. Those of a recipe are written in the order of
    // the key, which fills the pages of the table.
    void write_recipes(const std::vector<NewCommit>& commits, const RecipeHistory& history) {
        std::vector<bool> is_wanted(commits.size(), false);
        for (const auto& [name, recipe] : history.recipes) {
            for (const std::uint32_t commit : recipe.commits) {
                is_wanted[commit] = true;
            }
        }
        const Write insert_commit(database_,
                                  "INSERT INTO recipe_commit (package_repository_id, commit_id, "
                                  "committed_at, subject) VALUES (?, ?, ?, ?)");
        std::vector<std::int64_t> ids(commits.size(), 0);
        for (std::size_t i = 0; i < commits.size(); ++i) {
            if (is_wanted[i]) {
                const NewCommit& commit = commits[i];
                insert_commit(stored_->id, commit.id, commit.time, commit.subject);
                ids[i] = database_.getLastInsertRowid();
            }
        }
        const Write insert_change(
            database_,
            "INSERT INTO recipe_change (recipe_package_id, recipe_commit_id) VALUES (?, ?)");
        const Write insert_version(database_,
                                   "INSERT OR IGNORE INTO recipe_version (recipe_package_id, "
                                   "version, recipe_commit_id) VALUES (?, ?, ?)");
        for (const auto& [name, recipe] : history.recipes) {
            const std::int64_t package = recipe_package(name.first, name.second);
            for (const std::uint32_t commit : recipe.commits) {
                insert_change(package, ids[commit]);
            }
            for (const auto& [version, commit] : recipe.versions) {
                insert_version(package, version, ids[commit]);
            }
        }
    }

    // Its id; it is added if the ledger does not have it.
    std::int64_t recipe_package(const std::string& name_space, const std::string& name) {
        if (const auto known = select_package_(name, name_space).first()) {
            return *known;
        }
        insert_package_(name, name_space);
        return database_.getLastInsertRowid();
    }

    // The moments of lists do not go back, whatever the clocks of those who commit say.
    void write_lists(const std::vector<NewCommit>& commits, const RecipeHistory& history) {
        ListHistory lists(database_, repository_, stored_->id);
        Moment moment = std::max(stored_->head_at, last_change_of_lists(database_, stored_->id));
        bool is_first = true;
        for (std::uint32_t i = 0; i < commits.size(); ++i) {
            if (!commits[i].is_on_first_line) {
                continue;
            }
            moment = std::max(moment, commits[i].time);
            const auto changed = history.lists.find(i);
            std::vector<ChangedList> all;
            if (std::exchange(is_first, false)) {
                all = first_changes(commits[i], moment);
            } else if (changed != history.lists.end()) {
                all = changed->second;
            }
            for (const ChangedList& list : all) {
                lists.change(list, moment);
            }
        }
        stored_->head_at = moment;
    }

    // The ledger has the lists as they were at the head before, which need not be the first parent
    // of the first new commit: a merge may have it as another parent.
    std::vector<ChangedList> first_changes(const NewCommit& commit, Moment& moment) {
        std::optional<Digest> before;
        if (!is_new_) {
            const auto head = repository_.commit(head_before_);
            before = head ? std::optional(head->tree) : std::nullopt;
        } else {
            moment = commit.time;
            before =
                commit.parent_trees.empty() ? std::nullopt : std::optional(commit.parent_trees[0]);
        }
        return at_file(path_,
                       [&] { return ChangeReader(path_).changed_lists(before, commit.tree); });
    }

    void count() {
        for (const auto& counted : rows<std::int64_t, std::int64_t>(
                 database_,
                 "SELECT count(DISTINCT l.stack), count(*) FROM wish_list l "
                 "JOIN wish_presence p USING (wish_list_id) "
                 "WHERE p.valid_to IS NULL AND l.package_repository_id = ?",
                 stored_->id)) {
            std::tie(result_.stacks, result_.wishes) = counted;
        }
        for (const auto& [path, line, detail] :
             rows<std::string_view, std::int64_t, std::string_view>(
                 database_,
                 "SELECT path, line, detail FROM wish_finding "
                 "WHERE package_repository_id = ? AND valid_to IS NULL "
                 "ORDER BY path, line, detail",
                 stored_->id)) {
            result_.findings.push_back(fmt::format("{}:{}: {}", path, line, detail));
        }
    }

    SQLite::Database& database_;
    Select<std::int64_t> select_package_{
        database_, "SELECT recipe_package_id FROM recipe_package WHERE name = ? AND namespace = ?"};
    Write insert_package_{database_, "INSERT INTO recipe_package (name, namespace) VALUES (?, ?)"};
    std::string path_;
    unsigned jobs_;
    GitRepository repository_;
    Digest head_{};
    std::optional<StoredRepository> stored_;
    Digest head_before_{};
    bool is_new_ = false;
    PackageRepositoryResult result_;
};

}  // namespace

std::vector<PackageRepositoryResult> ingest_package_repositories(
    SQLite::Database& database, const PackageRepositoryOptions& options, const Progress& progress) {
    std::vector<PackageRepositoryResult> results;
    WriteTransaction transaction(database);
    for (const std::string& path : options.repositories) {
        results.push_back(RepositoryRun(database, path, options.jobs).run(progress));
    }
    judge_wishes(database);
    transaction.commit();
    return results;
}

}  // namespace cacheledger
