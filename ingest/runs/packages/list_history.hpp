#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/rows/wishes/list_findings.hpp"
#include "ingest/rows/wishes/wish_rows.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/recipes/commit_changes.hpp"

namespace cacheledger {

/// Writes the wish lists of a repository, commit by commit.
class ListHistory {
  public:
    /// `repository` must outlive this.
    ListHistory(SQLite::Database& database, const GitRepository& repository,
                std::int64_t repository_id)
        : repository_(repository),
          wishes_(database, repository_id),
          findings_(database, repository_id) {}

    /// The list is so from this moment on. One that can't be read stays as it was, and has a
    /// finding. Throws InputError if the repository is damaged.
    void change(const ChangedList& list, Moment moment);

  private:
    void keep(const ChangedList& list, const std::string& problem, Moment moment);
    void set(const ChangedList& list, const WishList& wanted, Moment moment);

    const GitRepository& repository_;
    WishRows wishes_;
    ListFindings findings_;
};

}  // namespace cacheledger
