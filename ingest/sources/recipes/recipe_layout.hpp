#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sources/git/git_repository.hpp"
#include "schema/text/digest.hpp"

/// Trees of git as their bytes: a folder with 8,900 recipes takes a third of a megabyte, and most
/// commits change one entry of it.
namespace cacheledger {

/// An entry of a tree. It refers to the bytes.
struct RawEntry {
    std::string_view name;
    Digest id{};
    bool is_folder = false;
    bool is_file = false;  ///< no link, no submodule

    bool operator==(const RawEntry&) const = default;
};

/// All entries, in their order. Throws Problem if the bytes are no tree.
std::vector<RawEntry> read_tree(std::string_view bytes);

/// The first entry of that name that is a file, or a folder; nullopt if there is none. Throws like
/// read_tree().
std::optional<RawEntry> find_in_tree(std::string_view bytes, std::string_view name,
                                     bool RawEntry::*kind);

/// A folder that differs between two trees; nullopt where there is none.
struct FolderChange {
    std::string_view name;
    std::optional<Digest> before;
    std::optional<Digest> after;
};

/// The folders that differ, by name. Empty bytes are a tree without entries. What both begin with,
/// and end with, is not parsed. Throws like read_tree().
std::vector<FolderChange> changed_folders(std::string_view before, std::string_view after);

// Where a package repository has its recipes and its wish lists (docs/formats.md, "Package
// repositories").

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
    std::optional<Digest> build_systems{};  ///< the folder of that name beside it

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
