#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "schema/libraries/libgit2.hpp"
#include "schema/text/digest.hpp"

/// The objects of libgit2, which end with their owners.
namespace cacheledger::git {

template <typename Handle, const auto& Free>
struct Freed {
    void operator()(Handle* handle) const { Free(handle); }
};
template <typename Handle, const auto& Free>
using Owned = std::unique_ptr<Handle, Freed<Handle, Free>>;

using Repository = Owned<git_repository, git_repository_free>;
using ObjectDatabase = Owned<git_odb, git_odb_free>;
using OdbObject = Owned<git_odb_object, git_odb_object_free>;
using Object = Owned<git_object, git_object_free>;
using Reference = Owned<git_reference, git_reference_free>;
using Tree = Owned<git_tree, git_tree_free>;
using Config = Owned<git_config, git_config_free>;
using ConfigIterator = Owned<git_config_iterator, git_config_iterator_free>;
using OwnedEntry = Owned<git_tree_entry, git_tree_entry_free>;

/// Calls a function of libgit2 whose first parameter receives the new handle.
template <typename Owner, typename Function, typename... Arguments>
int make(Owner& owner, const Function& function, Arguments... arguments) {
    typename Owner::pointer handle = nullptr;
    const int error = function(&handle, arguments...);
    owner.reset(handle);
    return error;
}

/// What libgit2 says of its last error in this thread.
inline std::string last_error() {
    const git_error* const error = git_error_last();
    return error == nullptr ? "unknown error" : error->message;
}

/// Why objects are missing, for messages: "expected a whole clone, not one made with
/// --filter=tree:0"; as far as the configuration says so, else nullopt.
std::optional<std::string> problem_of_clone(git_repository& repository);

/// Says why a path can't be opened as a repository, after libgit2 did not: what it is instead.
/// Throws InputError.
[[noreturn]] void refuse_repository(const std::string& path);

inline Digest digest_of(const git_oid& id) {
    Digest digest{};
    std::memcpy(digest.data(), id.id, digest.size());
    return digest;
}

inline git_oid oid_of(const Digest& digest) {
    git_oid id;
    std::memcpy(id.id, digest.data(), digest.size());
    return id;
}

}  // namespace cacheledger::git

namespace cacheledger {

/// Starts libgit2 once in a process, with the settings of this program. It is never stopped:
/// libgit2 counts the calls. Throws UsageError if it is not installed.
void start_libgit2();

}  // namespace cacheledger
