#include "tests/support/repositories/git_fixture.hpp"

#include <git2.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace git_fixture {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t day = 86400;

void check(int error) {
    if (error < 0) {
        throw std::runtime_error(std::string("libgit2: ") + git_error_last()->message);
    }
}

git_oid oid_of(const std::string& hex) {
    git_oid id;
    check(git_oid_fromstr(&id, hex.c_str()));
    return id;
}

std::string hex_of(const git_oid& id) {
    char text[GIT_OID_HEXSZ + 1];
    return git_oid_tostr(text, sizeof text, &id);
}

git_signature* signature(std::int64_t time) {
    git_signature* made = nullptr;
    check(git_signature_new(&made, "A", "a@example.org", time, 120));
    return made;
}

}  // namespace

struct Repository::Handles {
    git_repository* repository = nullptr;
    git_index* files = nullptr;

    ~Handles() {
        git_index_free(files);
        git_repository_free(repository);
    }

    void add(const std::string& path, std::string_view text, git_filemode_t mode) const {
        git_index_entry entry{};
        check(git_blob_create_from_buffer(&entry.id, repository, text.data(), text.size()));
        entry.mode = mode;
        entry.path = path.c_str();
        check(git_index_add(files, &entry));
    }

    git_commit* commit(const git_oid& id) const {
        git_commit* found = nullptr;
        check(git_commit_lookup(&found, repository, &id));
        return found;
    }
};

Repository::Repository(const fs::path& folder)
    : handles_(std::make_unique<Handles>()), folder_(folder) {
    git_libgit2_init();
    git_repository_init_options options;
    check(git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION));
    options.flags = GIT_REPOSITORY_INIT_MKPATH;
    options.initial_head = "main";
    check(git_repository_init_ext(&handles_->repository, folder.c_str(), &options));
    check(git_index_new(&handles_->files));
}

Repository::~Repository() {
    handles_.reset();
    git_libgit2_shutdown();
}

void Repository::write(const std::string& path, std::string_view text) {
    handles_->add(path, text, GIT_FILEMODE_BLOB);
}

void Repository::link(const std::string& path, std::string_view target) {
    handles_->add(path, target, GIT_FILEMODE_LINK);
}

void Repository::remove(const std::string& path) {
    check(git_index_remove(handles_->files, path.c_str(), 0));
}

void Repository::clear() {
    check(git_index_clear(handles_->files));
}

std::string Repository::commit(std::int64_t time, const std::vector<std::string>& more_parents,
                               const std::string& message) {
    git_repository* const repository = handles_->repository;
    git_oid id;
    check(git_index_write_tree_to(&id, handles_->files, repository));
    git_tree* tree = nullptr;
    check(git_tree_lookup(&tree, repository, &id));

    std::vector<git_commit*> parents;
    if (git_reference_name_to_id(&id, repository, "HEAD") == 0) {
        parents.push_back(handles_->commit(id));
    }
    for (const std::string& parent : more_parents) {
        parents.push_back(handles_->commit(oid_of(parent)));
    }
    git_signature* const author = signature(time - day);
    git_signature* const committer = signature(time);
    std::vector<const git_commit*> as_given(parents.begin(), parents.end());
    const int error = git_commit_create(&id, repository, "HEAD", author, committer, nullptr,
                                        message.c_str(), tree, as_given.size(), as_given.data());
    git_signature_free(author);
    git_signature_free(committer);
    for (git_commit* const parent : parents) {
        git_commit_free(parent);
    }
    git_tree_free(tree);
    check(error);
    return hex_of(id);
}

void Repository::begin_branch(const std::string& name, const std::string& commit) {
    const std::string reference = "refs/heads/" + name;
    const git_oid id = oid_of(commit);
    git_reference* made = nullptr;
    check(git_reference_create(&made, handles_->repository, reference.c_str(), &id, 1, nullptr));
    git_reference_free(made);
    check(git_repository_set_head(handles_->repository, reference.c_str()));
    git_commit* const tip = handles_->commit(id);
    git_tree* tree = nullptr;
    check(git_commit_tree(&tree, tip));
    git_commit_free(tip);
    const int error = git_index_read_tree(handles_->files, tree);
    git_tree_free(tree);
    check(error);
}

void Repository::tag(const std::string& name, const std::string& commit) {
    const git_oid id = oid_of(commit);
    git_object* object = nullptr;
    check(git_object_lookup(&object, handles_->repository, &id, GIT_OBJECT_COMMIT));
    git_signature* const tagger = signature(0);
    git_oid made;
    const int error =
        git_tag_create(&made, handles_->repository, name.c_str(), object, tagger, "a tag", 0);
    git_signature_free(tagger);
    git_object_free(object);
    check(error);
}

// By hand: cloning through libgit2 leaves memory of its regular expressions behind, which the leak
// checker reports.
std::string Repository::clone_bare(const fs::path& to) const {
    fs::copy(folder_ / ".git", to, fs::copy_options::recursive);
    std::ofstream(to / "config") << "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
    return to.string();
}

void Repository::lose(std::string_view text) const {
    git_oid id;
    check(git_odb_hash(&id, text.data(), text.size(), GIT_OBJECT_BLOB));
    const std::string hex = hex_of(id);
    if (!fs::remove(folder_ / ".git/objects" / hex.substr(0, 2) / hex.substr(2))) {
        throw std::runtime_error("no object " + hex);
    }
}

std::string Repository::write_object(const std::string& kind, std::string_view bytes) const {
    git_odb* objects = nullptr;
    check(git_repository_odb(&objects, handles_->repository));
    git_oid id;
    const int error = git_odb_write(&id, objects, bytes.data(), bytes.size(),
                                    git_object_string2type(kind.c_str()));
    git_odb_free(objects);
    check(error);
    return hex_of(id);
}

std::string Repository::tree_entry(const std::string& mode, const std::string& name,
                                   const std::string& id) {
    const git_oid oid = oid_of(id);
    std::string bytes = mode;
    bytes += ' ';
    bytes += name;
    bytes += '\0';
    return bytes.append(reinterpret_cast<const char*>(oid.id), sizeof oid.id);
}

std::string Repository::commit_tree(const std::string& tree, std::int64_t time) const {
    const std::string who = " A <a@example.org> " + std::to_string(time) + " +0000";
    return write_commit(tree, "author" + who, "committer" + who);
}

std::string Repository::commit_by(const std::string& author, const std::string& committer) const {
    git_oid tree;
    check(git_index_write_tree_to(&tree, handles_->files, handles_->repository));
    return write_commit(hex_of(tree), author, committer);
}

std::string Repository::write_commit(const std::string& tree, const std::string& author,
                                     const std::string& committer) const {
    git_oid parent;
    std::string text = "tree " + tree + "\n";
    if (git_reference_name_to_id(&parent, handles_->repository, "HEAD") == 0) {
        text += "parent " + hex_of(parent) + "\n";
    }
    const std::string made = write_object("commit", text + author + "\n" + committer + "\n\npages");
    const git_oid id = oid_of(made);
    git_reference* branch = nullptr;
    check(git_reference_create(&branch, handles_->repository, "refs/heads/main", &id, 1, nullptr));
    git_reference_free(branch);
    return made;
}

void Repository::replace_object(const std::string& id, std::string_view bytes) const {
    const fs::path file = folder_ / ".git/objects" / id.substr(0, 2) / id.substr(2);
    fs::create_directories(file.parent_path());
    fs::remove(file);
    std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace git_fixture
