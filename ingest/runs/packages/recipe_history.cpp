#include "ingest/runs/packages/recipe_history.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/files/threads.hpp"
#include "ingest/sources/recipes/recipe_versions.hpp"

namespace cacheledger {

namespace {

/// Does the work with the numbers from 0 to `count` in threads, each of which takes neighbours:
/// what it remembers of one helps with the next. `make_work`: called once in each thread; makes
/// what is called with each number. `progress`: called in the caller's thread with the number that
/// is done, some times a second; it may throw, and then the rest is left. Throws what the work
/// throws, and UsageError if the threads can't be started.
template <typename MakeWork>
void in_parallel(std::size_t count, unsigned jobs, const MakeWork& make_work,
                 const std::function<void(std::size_t)>& progress) {
    constexpr std::size_t most_neighbours = 256;
    constexpr std::chrono::milliseconds between_reports{50};
    const std::size_t chunk = std::clamp<std::size_t>(count / jobs, 1, most_neighbours);
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> is_stopped = false;
    std::mutex mutex;
    std::condition_variable ended;
    unsigned running = 0;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            const auto work_with = make_work();
            for (std::size_t begin = next.fetch_add(chunk); begin < count && !is_stopped;
                 begin = next.fetch_add(chunk)) {
                for (std::size_t i = begin; i < std::min(begin + chunk, count) && !is_stopped;
                     ++i) {
                    work_with(i);
                    ++done;
                }
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            is_stopped = true;
        }
        const std::lock_guard lock(mutex);
        --running;
        ended.notify_one();
    };
    if (count == 0) {
        return;
    }
    const auto threads_needed =
        static_cast<unsigned>(std::min<std::size_t>(jobs, (count + chunk - 1) / chunk));
    running = threads_needed;
    std::vector<std::jthread> threads;  // joined before what they use is gone
    try {
        start_threads(threads, threads_needed, work);
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, between_reports, [&] { return running == 0; })) {
            lock.unlock();
            progress(done);
            lock.lock();
        }
        if (failure) {
            std::rethrow_exception(failure);
        }
    } catch (...) {
        is_stopped = true;
        throw;
    }
}

// A text of a recipe, and the commit that left it.
struct RecipeText {
    std::uint32_t commit = 0;
    Digest text{};
    bool is_alone = false;  // the commit touched no other recipe
};

struct TextsOfRecipe {
    RecipeOfHistory* recipe = nullptr;
    std::vector<RecipeText> texts;
    std::string name;
};

void refuse_large_recipe(std::uintmax_t bytes) {
    constexpr std::uintmax_t most_bytes = 1 << 20;
    if (bytes > most_bytes) {
        throw Problem("a recipe is too large");
    }
}

// Finds the versions of recipes. For one thread.
class VersionReader {
  public:
    VersionReader(const std::string& path, const std::vector<NewCommit>& commits)
        : repository_(path), commits_(commits) {}

    // From new to old, as git packs texts: what is older is made from what is newer.
    void read(const TextsOfRecipe& texts) {
        auto& versions = texts.recipe->versions;
        std::optional<Digest> last;
        RecipeVersions found;
        for (auto text = texts.texts.rbegin(); text != texts.texts.rend(); ++text) {
            if (last != text->text) {
                last = text->text;
                found = read_text(text->text);
            }
            for (const std::string& version : found.versions) {
                versions[version] = text->commit;
            }
            if (!found.calls_version && text->is_alone) {
                const std::string& subject = commits_[text->commit].subject;
                for (const std::string& version : versions_of_subject(subject, texts.name)) {
                    versions[version] = text->commit;
                }
            }
        }
    }

  private:
    // Of a text that is too large, nothing is known.
    RecipeVersions read_text(const Digest& text) {
        try {
            return recipe_versions(repository_.blob(text, refuse_large_recipe).text);
        } catch (const Problem&) {
            return {{}, true};
        }
    }

    GitRepository repository_;
    const std::vector<NewCommit>& commits_;
};

}  // namespace

RecipeHistory read_recipe_history(const std::string& path, const std::vector<NewCommit>& commits,
                                  unsigned jobs, const std::function<void(std::size_t)>& progress) {
    std::vector<CommitChanges> changes(commits.size());
    const auto make_change_work = [&] {
        return [&, reader = std::make_shared<ChangeReader>(path)](std::size_t i) {
            const std::size_t commit = commits.size() - 1 - i;
            changes[commit] = reader->read(commits[commit]);
        };
    };
    in_parallel(commits.size(), jobs, make_change_work, progress);
    RecipeHistory history;
    std::map<RecipeName, std::vector<RecipeText>> texts;
    for (std::uint32_t commit = 0; commit < commits.size(); ++commit) {
        CommitChanges& change = changes[commit];
        for (const TouchedRecipe& touched : change.recipes) {
            history.recipes[touched.name].commits.push_back(commit);
            if (touched.text) {
                texts[touched.name].push_back({commit, *touched.text, change.recipes.size() == 1});
            }
        }
        if (!change.lists.empty()) {
            history.lists.emplace(commit, std::move(change.lists));
        }
        change = {};
    }
    std::vector<TextsOfRecipe> recipes;
    recipes.reserve(texts.size());
    for (auto& [name, of_recipe] : texts) {
        recipes.push_back({&history.recipes.at(name), std::move(of_recipe), name.second});
    }
    const auto make_version_work = [&] {
        return [&, reader = std::make_shared<VersionReader>(path, commits)](std::size_t i) {
            reader->read(recipes[i]);
        };
    };
    in_parallel(recipes.size(), jobs, make_version_work,
                [&](std::size_t /*done*/) { progress(commits.size()); });
    return history;
}

}  // namespace cacheledger
