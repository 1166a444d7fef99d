#pragma once

#include <git2.h>

#include "schema/libraries/library.hpp"

/// The functions of libgit2 that ingest/sources/git calls. See schema/libraries/library.hpp.
namespace cacheledger {

inline constexpr Library libgit2{CACHELEDGER_LIBGIT2, "git repositories are read with it"};

CACHELEDGER_ON_DEMAND(libgit2, git_config_free);
CACHELEDGER_ON_DEMAND(libgit2, git_config_iterator_free);
CACHELEDGER_ON_DEMAND(libgit2, git_config_iterator_new);
CACHELEDGER_ON_DEMAND(libgit2, git_config_next);
CACHELEDGER_ON_DEMAND(libgit2, git_error_last);
CACHELEDGER_ON_DEMAND(libgit2, git_graph_descendant_of);
CACHELEDGER_ON_DEMAND(libgit2, git_libgit2_init);
CACHELEDGER_ON_DEMAND(libgit2, git_libgit2_opts);
CACHELEDGER_ON_DEMAND(libgit2, git_libgit2_version);
CACHELEDGER_ON_DEMAND(libgit2, git_object_free);
CACHELEDGER_ON_DEMAND(libgit2, git_object_id);
CACHELEDGER_ON_DEMAND(libgit2, git_object_lookup);
CACHELEDGER_ON_DEMAND(libgit2, git_object_peel);
CACHELEDGER_ON_DEMAND(libgit2, git_object_type2string);
CACHELEDGER_ON_DEMAND(libgit2, git_odb_exists);
CACHELEDGER_ON_DEMAND(libgit2, git_odb_free);
CACHELEDGER_ON_DEMAND(libgit2, git_odb_object_data);
CACHELEDGER_ON_DEMAND(libgit2, git_odb_object_free);
CACHELEDGER_ON_DEMAND(libgit2, git_odb_object_size);
CACHELEDGER_ON_DEMAND(libgit2, git_odb_read);
CACHELEDGER_ON_DEMAND(libgit2, git_odb_read_header);
CACHELEDGER_ON_DEMAND(libgit2, git_oid_fromstr);
CACHELEDGER_ON_DEMAND(libgit2, git_reference_dwim);
CACHELEDGER_ON_DEMAND(libgit2, git_reference_free);
CACHELEDGER_ON_DEMAND(libgit2, git_reference_list);
CACHELEDGER_ON_DEMAND(libgit2, git_reference_resolve);
CACHELEDGER_ON_DEMAND(libgit2, git_reference_target);
CACHELEDGER_ON_DEMAND(libgit2, git_repository_config_snapshot);
CACHELEDGER_ON_DEMAND(libgit2, git_repository_free);
CACHELEDGER_ON_DEMAND(libgit2, git_repository_head);
CACHELEDGER_ON_DEMAND(libgit2, git_repository_head_unborn);
CACHELEDGER_ON_DEMAND(libgit2, git_repository_odb);
CACHELEDGER_ON_DEMAND(libgit2, git_repository_open_ext);
CACHELEDGER_ON_DEMAND(libgit2, git_revparse_single);
CACHELEDGER_ON_DEMAND(libgit2, git_strarray_dispose);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_entry_byindex);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_entry_bypath);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_entry_filemode);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_entry_free);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_entry_id);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_entry_name);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_entrycount);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_free);
CACHELEDGER_ON_DEMAND(libgit2, git_tree_lookup);

}  // namespace cacheledger
