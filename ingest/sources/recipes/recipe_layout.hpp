#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sources/git/git_repository.hpp"

/// Where a package repository has its recipes and its wish lists (docs/formats.md, "Package
/// repositories").
namespace cacheledger {

/// How the folders of packages are named.
enum class FolderNames : unsigned char {
    packages,  ///< as specs have them
    modules,   ///< as modules of Python: py_numpy, _7zip
};

/// The package whose recipe is in a folder of this name. Empty if there can be none.
std::string package_of_folder(std::string_view folder, FolderNames names);

/// A folder `packages`.
struct RecipeFolder {
    std::string name_space;
    FolderNames names = FolderNames::packages;
    Digest tree{};

    bool operator==(const RecipeFolder&) const = default;
};

/// A folder with a folder for each stack.
struct StacksFolder {
    std::string path;
    Digest tree{};
};

/// What a commit of a package repository has.
struct RecipeLayout {
    std::vector<RecipeFolder> recipes;
    std::vector<StacksFolder> stacks;
};

/// So many namespaces may a repository have.
inline constexpr std::size_t most_name_spaces = 256;

/// Finds them in the trees of commits. Of a repo.yaml, remembers what it said.
class LayoutReader {
  public:
    /// `repository` must outlive this.
    explicit LayoutReader(const GitRepository& repository) : repository_(repository) {}

    /// `root`: the tree of a commit. Throws InputError if the repository is damaged, or has more
    /// than most_name_spaces.
    RecipeLayout read(const Digest& root);

  private:
    // What a repo.yaml says.
    struct RepoFile {
        std::string name_space;  // empty: nothing
        bool has_modules = false;
    };
    struct Folder {
        std::string name;
        Digest tree{};
    };

    std::vector<Folder> folders_in(const Digest& tree) const;
    void add_all_below(const Digest& tree, unsigned depth, bool are_modules, RecipeLayout& layout);
    bool add_if_repository(const Folder& folder, bool are_modules, bool needs_file,
                           RecipeLayout& layout);
    const RepoFile& repo_file(const Digest& blob);

    const GitRepository& repository_;
    std::map<Digest, RepoFile> repo_files_;
};

/// Whether the path is that of a git repository, bare or not, whose HEAD has recipes or wish lists.
/// False where that can't be found out.
bool is_package_repository(const std::string& path);

}  // namespace cacheledger
