#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Git repositories to be read. Made without the git program, and uses nothing of the program's
/// code.
namespace git_fixture {

/// A repository with a branch `main`. Files are put together for the next commit in memory; nothing
/// is checked out.
class Repository {
  public:
    explicit Repository(const std::filesystem::path& folder);
    ~Repository();
    Repository(const Repository&) = delete;
    Repository& operator=(const Repository&) = delete;

    std::string path() const { return folder_.string(); }

    void write(const std::string& path, std::string_view text);
    void link(const std::string& path, std::string_view target);
    void remove(const std::string& path);
    void clear();  ///< removes all files

    /// Makes a commit of the files as they are, on the branch at hand. `time` is the committer's,
    /// in seconds since 1970; the author's is another. Gives its id in hex digits.
    std::string commit(std::int64_t time, const std::vector<std::string>& more_parents = {},
                       const std::string& message = "pages");

    /// Goes on from this commit, with its files, on a branch of this name.
    void begin_branch(const std::string& name, const std::string& commit);
    void tag(const std::string& name, const std::string& commit);

    std::string clone_bare(const std::filesystem::path& to) const;

    /// Removes the object of a file's text, so that it can't be read.
    void lose(std::string_view text) const;

    /// Writes a blob or a tree of these bytes, right or not. Gives its id in hex digits.
    std::string write_object(const std::string& kind, std::string_view bytes) const;

    /// The bytes of an entry of a tree. `mode` is octal, as git writes it.
    static std::string tree_entry(const std::string& mode, const std::string& name,
                                  const std::string& id);

    /// Makes a commit of this tree, whether there is such a one or not.
    std::string commit_tree(const std::string& tree, std::int64_t time) const;

    /// Makes a commit of the files as they are, on the branch `main`, with these two lines, right
    /// or not, for who wrote and who committed it.
    std::string commit_by(const std::string& author, const std::string& committer) const;

    /// Puts these bytes where git keeps the object of this id.
    void replace_object(const std::string& id, std::string_view bytes) const;

  private:
    std::string write_commit(const std::string& tree, const std::string& author,
                             const std::string& committer) const;

    struct Handles;
    std::unique_ptr<Handles> handles_;
    std::filesystem::path folder_;
};

}  // namespace git_fixture
