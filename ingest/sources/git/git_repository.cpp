#include "ingest/sources/git/git_repository.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/git/handles.hpp"
#include "schema/errors/error.hpp"
#include "schema/libraries/libgit2.hpp"
#include "schema/text/digest.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

bool can_be_stored(Moment moment) {
    return moment >= first_moment && moment <= last_moment;
}

// Leaves the time of `commit` unchanged if the text has none.
void set_time(GitCommit& commit, const CommitText& text) {
    commit.is_far = text.committer_time && !can_be_stored(*text.committer_time);
    if (commit.is_far) {
        return;
    }
    if (text.committer_time) {
        commit.time = *text.committer_time;
        commit.time_of = TimeOf::committer;
    } else if (text.author_time && can_be_stored(*text.author_time)) {
        commit.time = *text.author_time;
        commit.time_of = TimeOf::author;
    }
}

GitEntry entry_of(const git_tree_entry& entry) {
    return {git_tree_entry_name(&entry), git::digest_of(*git_tree_entry_id(&entry)),
            static_cast<int>(git_tree_entry_filemode(&entry))};
}

}  // namespace

bool GitEntry::is_file() const {
    return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

bool GitEntry::is_folder() const {
    return mode == GIT_FILEMODE_TREE;
}

struct GitRepository::Handles {
    std::string path;
    git::Repository repository;
    git::ObjectDatabase odb;

    // git_repository_is_empty() returns no if the branch does not have the default name.
    bool is_empty() const {
        git_strarray references{};
        const bool has_some =
            git_reference_list(&references, repository.get()) == 0 && references.count > 0;
        git_strarray_dispose(&references);
        return !has_some && git_repository_head_unborn(repository.get()) == 1;
    }

    // The branches of a repository whose HEAD names none of them, as "main, develop"; empty if HEAD
    // is on a branch. A mirror of one branch is such a repository.
    std::string branches_beside_head() const {
        git_strarray references{};
        if (git_repository_head_unborn(repository.get()) != 1 ||
            git_reference_list(&references, repository.get()) != 0) {
            return "";
        }
        std::vector<std::string_view> names;
        for (const char* const reference : std::span(references.strings, references.count)) {
            std::string_view name = reference;
            if (take_prefix(name, "refs/heads/") || take_prefix(name, "refs/remotes/")) {
                names.push_back(name);
            }
        }
        std::string text = fmt::format("{}", fmt::join(names, ", "));
        git_strarray_dispose(&references);
        return text;
    }

    // The commit that a revision names. A commit that libgit2 can't parse is found too, if a branch
    // or its whole id names it.
    Digest commit_id(const std::string& revision) const {
        const auto id = named_id(revision);
        if (id && is_commit(*id)) {
            return git::digest_of(*id);
        }
        git::Object object;
        git::Object commit;
        const int error =
            id ? git::make(object, git_object_lookup, repository.get(), &*id, GIT_OBJECT_ANY)
               : git::make(object, git_revparse_single, repository.get(), revision.c_str());
        if (error != 0 ||
            git::make(commit, git_object_peel, object.get(), GIT_OBJECT_COMMIT) != 0) {
            throw UsageError(
                fmt::format("--rev '{}': expected a commit, a branch, a tag or A..B ({})", revision,
                            git::last_error()));
        }
        return git::digest_of(*git_object_id(commit.get()));
    }

    // The object that a whole id or a reference names; nullopt for any other revision.
    // git_revparse_single() would find it, too, but libgit2 1.5 leaks a reference to an object that
    // it can't parse.
    std::optional<git_oid> named_id(const std::string& revision) const {
        git_oid id;
        if (revision.size() == GIT_OID_HEXSZ && git_oid_fromstr(&id, revision.c_str()) == 0 &&
            git_odb_exists(odb.get(), &id) != 0) {
            return id;
        }
        git::Reference named;
        git::Reference direct;
        if (revision.empty() ||  // git_reference_dwim() takes it for HEAD
            git::make(named, git_reference_dwim, repository.get(), revision.c_str()) != 0 ||
            git::make(direct, git_reference_resolve, named.get()) != 0) {
            return std::nullopt;
        }
        return *git_reference_target(direct.get());
    }

    bool is_commit(const git_oid& id) const {
        std::size_t size = 0;
        git_object_t type = GIT_OBJECT_INVALID;
        return git_odb_read_header(&size, &type, odb.get(), &id) == 0 && type == GIT_OBJECT_COMMIT;
    }

    // nullopt if the repository lacks the commit, as a shallow clone may.
    std::optional<CommitText> commit(const Digest& id) const {
        const git_oid oid = git::oid_of(id);
        git::OdbObject object;
        const int error = git::make(object, git_odb_read, odb.get(), &oid);
        if (error == GIT_ENOTFOUND) {
            return std::nullopt;
        }
        if (error != 0) {
            throw InputError(fmt::format("{}: a commit can't be read: {}; see git fsck", path,
                                         git::last_error()));
        }
        try {
            return parse_commit({static_cast<const char*>(git_odb_object_data(object.get())),
                                 git_odb_object_size(object.get())});
        } catch (const Problem& problem) {
            throw InputError(fmt::format("{}: commit {} can't be read: {}; see git fsck", path,
                                         to_hex(id), problem.what()));
        }
    }

    // The bytes of a blob or a tree.
    GitBlob object(const Digest& digest, git_object_t wanted, RefuseSize refuse_size) const {
        const bool is_blob = wanted == GIT_OBJECT_BLOB;
        const git_oid id = git::oid_of(digest);
        std::size_t size = 0;
        git_object_t type = GIT_OBJECT_INVALID;
        git::OdbObject object;
        if (git_odb_read_header(&size, &type, odb.get(), &id) == 0) {
            if (type != wanted) {
                throw InputError(fmt::format("{}: expected a {}, found a {}; see git fsck", path,
                                             is_blob ? "file" : "folder",
                                             git_object_type2string(type)));
            }
            refuse_size(size);
            if (git::make(object, git_odb_read, odb.get(), &id) == 0) {
                const auto* const text =
                    static_cast<const char*>(git_odb_object_data(object.get()));
                size = git_odb_object_size(object.get());
                return {std::shared_ptr<git_odb_object>(std::move(object)), {text, size}};
            }
        }
        if (!is_blob) {
            refuse_missing("tree");
        }
        refuse_missing("file");
    }

    // The commit and all of its ancestors that the repository has.
    std::set<Digest> with_ancestors(const Digest& id) const {
        std::set<Digest> all;
        std::vector<Digest> waiting = {id};
        while (!waiting.empty()) {
            const Digest next = waiting.back();
            waiting.pop_back();
            if (!all.insert(next).second) {
                continue;
            }
            if (const auto text = commit(next)) {
                waiting.insert(waiting.end(), text->parents.begin(), text->parents.end());
            }
        }
        return all;
    }

    git::Tree tree(const Digest& id) const {
        refuse_large_tree(id);
        git::Tree tree;
        const git_oid oid = git::oid_of(id);
        if (git::make(tree, git_tree_lookup, repository.get(), &oid) != 0) {
            refuse_missing("tree");
        }
        return tree;
    }

    // Without reading it: what takes little in a repository can be large.
    void refuse_large_tree(const Digest& id) const {
        const git_oid oid = git::oid_of(id);
        std::size_t size = 0;
        git_object_t type = GIT_OBJECT_INVALID;
        if (git_odb_read_header(&size, &type, odb.get(), &oid) == 0 && size > most_tree_bytes) {
            throw InputError(
                fmt::format("{}: expected folders of at most {} MiB in the tree of a commit, found "
                            "a larger one: {}",
                            path, most_tree_bytes >> 20U, to_hex(id)));
        }
    }

    [[noreturn]] void refuse_missing(std::string_view what) const {
        const std::string error = git::last_error();
        throw InputError(fmt::format(
            "{}: a {} can't be read: {}; {}", path, what, error,
            git::problem_of_clone(*repository).value_or("expected a whole clone (see git fsck)")));
    }

    // The file, folder or link at a path; null if there is none.
    git::OwnedEntry entry(const Digest& tree_id, const std::string& entry_path) const {
        const git::Tree root = tree(tree_id);
        git::OwnedEntry entry;
        const int error = git::make(entry, git_tree_entry_bypath, root.get(), entry_path.c_str());
        // A tree that is missing on the way is not found, either, but is an error of the database.
        if (error != 0 && (error != GIT_ENOTFOUND || git_error_last()->klass != GIT_ERROR_TREE)) {
            refuse_missing("tree");
        }
        return entry;
    }
};

std::string git_library_version() {
    int major = 0;
    int minor = 0;
    int patch = 0;
    git_libgit2_version(&major, &minor, &patch);
    return fmt::format("{}.{}.{}", major, minor, patch);
}

GitRepository::GitRepository(const std::string& path)
    : handles_(std::make_unique<Handles>(Handles{path, {}, {}})), path_(path) {
    start_libgit2();
    if (git::make(handles_->repository, git_repository_open_ext, path.c_str(),
                  static_cast<unsigned>(GIT_REPOSITORY_OPEN_NO_SEARCH),
                  static_cast<const char*>(nullptr)) != 0 ||
        git::make(handles_->odb, git_repository_odb, handles_->repository.get()) != 0) {
        git::refuse_repository(path);
    }
}

GitRepository::~GitRepository() = default;

std::vector<GitCommit> GitRepository::first_parent_history(const std::string& revision) const {
    if (handles_->is_empty()) {
        throw InputError(fmt::format("{}: the repository has no commits", path_));
    }
    const std::size_t dots = revision.find("..");
    const bool is_range = dots != std::string::npos;
    if (is_range && revision.substr(dots).starts_with("...")) {
        throw UsageError(fmt::format("--rev '{}': expected A..B, not A...B", revision));
    }
    const auto id_of = [&](const std::string& name) {
        return handles_->commit_id(is_range && name.empty() ? "HEAD" : name);
    };
    if (const std::string branches = handles_->branches_beside_head();
        revision == "HEAD" && !branches.empty()) {
        throw InputError(
            fmt::format("{}: HEAD is on no branch that exists; name one with --rev, such as: {}",
                        path_, branches));
    }
    std::set<Digest> left_out;
    if (is_range) {
        left_out = handles_->with_ancestors(id_of(revision.substr(0, dots)));
    }
    std::vector<GitCommit> history;
    Digest id = id_of(is_range ? revision.substr(dots + 2) : revision);
    auto text = handles_->commit(id);
    const auto go_to_parent = [&] {
        const bool has_parent = !text->parents.empty();
        id = has_parent ? text->parents[0] : id;
        text = has_parent ? handles_->commit(id) : std::nullopt;
    };
    while (text && !left_out.contains(id)) {
        history.push_back({id, text->tree, std::nullopt, 0, TimeOf::parent});
        set_time(history.back(), *text);
        go_to_parent();
        if (text) {
            history.back().parent_tree = text->tree;
        }
    }
    std::reverse(history.begin(), history.end());
    GitCommit before{{}, {}, std::nullopt, 0, TimeOf::nobody};
    for (GitCommit& commit : history) {
        if (commit.time_of == TimeOf::parent) {
            for (; before.time_of == TimeOf::nobody && text; go_to_parent()) {
                set_time(before, *text);  // a commit that the range leaves out
            }
            commit.time = before.time;
            commit.time_of = before.time_of == TimeOf::nobody ? TimeOf::nobody : TimeOf::parent;
        }
        before = commit;
    }
    return history;
}

bool GitRepository::is_later(const Digest& commit, const Digest& other) const {
    const git_oid later = git::oid_of(commit);
    const git_oid earlier = git::oid_of(other);
    const int answer = git_graph_descendant_of(handles_->repository.get(), &later, &earlier);
    if (answer == 0 || answer == 1) {
        return answer == 1;
    }
    // The history has a commit that libgit2 does not accept.
    return handles_->with_ancestors(commit).contains(other);
}

std::optional<Digest> GitRepository::head() const {
    git::Reference head;
    if (git::make(head, git_repository_head, handles_->repository.get()) == 0) {
        return git::digest_of(*git_reference_target(head.get()));
    }
    const std::string branches = handles_->branches_beside_head();
    if (branches.empty() || branches.find(", ") != std::string::npos) {
        return std::nullopt;
    }
    return handles_->commit_id(branches);
}

std::optional<CommitText> GitRepository::commit(const Digest& id) const {
    return handles_->commit(id);
}

GitBlob GitRepository::tree_bytes(const Digest& tree) const {
    handles_->refuse_large_tree(tree);
    return handles_->object(tree, GIT_OBJECT_TREE, [](std::uintmax_t /*bytes*/) {});
}

std::vector<GitEntry> GitRepository::entries(const Digest& tree) const {
    const git::Tree opened = handles_->tree(tree);
    std::vector<GitEntry> entries;
    entries.reserve(git_tree_entrycount(opened.get()));
    for (std::size_t i = 0; i < git_tree_entrycount(opened.get()); ++i) {
        entries.push_back(entry_of(*git_tree_entry_byindex(opened.get(), i)));
    }
    return entries;
}

std::optional<GitEntry> GitRepository::find(const Digest& tree, const std::string& path) const {
    if (path.empty()) {
        return GitEntry{"", tree, GIT_FILEMODE_TREE};
    }
    const git::OwnedEntry entry = handles_->entry(tree, path);
    return entry ? std::optional(entry_of(*entry)) : std::nullopt;
}

std::optional<Digest> GitRepository::find_file(const Digest& tree, const std::string& path) const {
    const auto entry = find(tree, path);
    return entry && entry->is_file() ? std::optional(entry->id) : std::nullopt;
}

GitBlob GitRepository::blob(const Digest& blob, RefuseSize refuse_size) const {
    return handles_->object(blob, GIT_OBJECT_BLOB, refuse_size);
}

std::string GitRepository::read(const Digest& blob) const {
    return std::string(this->blob(blob, refuse_too_large).text);
}

std::optional<std::string> GitRepository::read(const Digest& tree, const std::string& path) const {
    const auto blob = find_file(tree, path);
    return blob ? std::optional(read(*blob)) : std::nullopt;
}

}  // namespace cacheledger
