#include "ingest/sources/git/tree_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

using Entry = std::optional<GitEntry>;

class Comparison {
  public:
    explicit Comparison(const GitRepository& repository) : repository_(repository) {}

    std::vector<GitChange> run(const Entry& before, const Entry& after, const std::string& path) {
        compare(before, after, path);
        while (!folders_.empty()) {
            const Folder folder = std::move(folders_.back());
            folders_.pop_back();
            compare_folder(folder);
        }
        std::stable_sort(changes_.begin(), changes_.end(),
                         [](const GitChange& a, const GitChange& b) { return a.path < b.path; });
        return std::move(changes_);
    }

  private:
    // A folder that differs, and waits: nothing of those around it has to be kept meanwhile.
    struct Folder {
        std::string path;
        std::optional<Digest> before, after;
    };

    void compare_folder(const Folder& folder) {
        const auto before = entries_of(folder.before);
        const auto after = entries_of(folder.after);
        auto old = before.begin();
        auto now = after.begin();
        const std::string start = folder.path.empty() ? "" : folder.path + '/';
        while (old != before.end() || now != after.end()) {
            const bool has_old =
                old != before.end() && (now == after.end() || old->name <= now->name);
            const bool has_now =
                now != after.end() && (old == before.end() || now->name <= old->name);
            const std::string& name = has_old ? old->name : now->name;
            compare(has_old ? Entry(*old) : std::nullopt, has_now ? Entry(*now) : std::nullopt,
                    start + name);
            old += has_old ? 1 : 0;
            now += has_now ? 1 : 0;
        }
    }

    // Sorted by name; git sorts folders as if their names ended in a slash.
    std::vector<GitEntry> entries_of(const std::optional<Digest>& tree) const {
        std::vector<GitEntry> entries = tree ? repository_.entries(*tree) : std::vector<GitEntry>();
        std::stable_sort(entries.begin(), entries.end(),
                         [](const GitEntry& a, const GitEntry& b) { return a.name < b.name; });
        return entries;
    }

    void compare(const Entry& before, const Entry& after, std::string path) {
        if (before && after && before->mode == after->mode && before->id == after->id) {
            return;
        }
        count(path);
        const auto tree_of = [](const Entry& entry) {
            return entry && entry->is_folder() ? std::optional(entry->id) : std::nullopt;
        };
        const bool had_folder = tree_of(before).has_value();
        if (had_folder || tree_of(after)) {
            folders_.push_back({path, tree_of(before), tree_of(after)});
        }
        if (after && after->is_file()) {
            changes_.push_back({std::move(path), after->id});
        } else if (before && before->is_file()) {
            changes_.push_back({std::move(path), std::nullopt});
        }
    }

    void count(const std::string& path) {
        if (path.size() > most_path_bytes) {
            throw Problem(fmt::format("expected paths of at most {} bytes, found a longer one",
                                      most_path_bytes));
        }
        bytes_ += path.size();
        if (++number_ > most_tree_changes || bytes_ > most_bytes_of_paths) {
            throw Problem(fmt::format(
                "expected at most {} files and folders that differ from the commit before, with "
                "paths of {} MiB together, found more; --path limits them to a folder",
                most_tree_changes, most_bytes_of_paths >> 20U));
        }
    }

    const GitRepository& repository_;
    std::vector<Folder> folders_;
    std::vector<GitChange> changes_;
    std::size_t number_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace

std::vector<GitChange> tree_changes(const GitRepository& repository,
                                    const std::optional<Digest>& before, const Digest& after,
                                    const std::string& path) {
    const auto entry_in = [&](const std::optional<Digest>& tree) {
        return tree ? repository.find(*tree, path) : std::nullopt;
    };
    return Comparison(repository).run(entry_in(before), entry_in(after), path);
}

}  // namespace cacheledger
