#include "ingest/runs/packages/recipe_history.hpp"

#include <memory>
#include <optional>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/files/threads.hpp"
#include "ingest/sources/recipes/recipe_text.hpp"
#include "ingest/sources/recipes/recipe_versions.hpp"

namespace cacheledger {

namespace {

// So many follow each other in a thread: what it remembers of one helps with the next.
constexpr std::size_t most_neighbours = 256;

// A text of a recipe, and the commit that left it.
struct TextOfCommit {
    std::uint32_t commit = 0;
    Digest text{};
    bool is_alone = false;  // the commit touched no other recipe
};

struct TextsOfRecipe {
    RecipeOfHistory* recipe = nullptr;
    std::vector<TextOfCommit> texts;
    std::string name;
};

using Versions = std::map<std::string, std::uint32_t>;

// Finds the versions of recipes. For one thread.
class VersionReader {
  public:
    VersionReader(const std::string& path, const std::vector<NewCommit>& commits)
        : repository_(path), commits_(commits) {}

    // From new to old, as git packs texts: what is older is made from what is newer.
    Versions read(const TextsOfRecipe& texts) {
        Versions versions;
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
        return versions;
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
    const auto read_changes = [&] {
        return [&, reader = std::make_shared<ChangeReader>(path)](std::size_t i) {
            return reader->read(commits[commits.size() - 1 - i]);
        };
    };
    OrderedStream<CommitChanges> all_changes(read_changes, jobs, most_neighbours);
    all_changes.start(commits.size());
    for (std::size_t left = commits.size(); left > 0; --left) {
        changes[left - 1] = all_changes.next().value();
        progress(commits.size() - left + 1);
    }
    RecipeHistory history;
    std::map<RecipeName, std::vector<TextOfCommit>> texts;
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
    const auto read_versions = [&] {
        return [&, reader = std::make_shared<VersionReader>(path, commits)](std::size_t i) {
            return reader->read(recipes[i]);
        };
    };
    OrderedStream<Versions> all_versions(read_versions, jobs);
    all_versions.start(recipes.size());
    for (const TextsOfRecipe& recipe : recipes) {
        recipe.recipe->versions = all_versions.next().value();
        progress(commits.size());
    }
    return history;
}

}  // namespace cacheledger
