#pragma once

#include <string>
#include <vector>

#include "ingest/runs/commits/history.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace cacheledger {

/// A ledger, and a repository with a lock file to fill it with.
class GraphHistoryLedger {
  public:
    GraphHistoryLedger() : repository_(ledger_.folder().path() / "repository") {}

    git_fixture::Repository& repository() { return repository_; }
    TempLedger& ledger() { return ledger_; }

    /// Writes the lock file `spack.lock`, with one node of zlib for each stem of a hash. The first
    /// is its root.
    void write(const std::vector<std::string>& stems);

    /// Commits at this moment: 2025-03-01T06:00:00Z.
    std::string commit(const std::string& moment);

    HistoryResult load(const std::string& revision = "HEAD", const std::string& tag = "derecho",
                       const std::string& file = "spack.lock");

    /// Why it can't be loaded.
    std::vector<std::string> problems(const std::string& revision = "HEAD",
                                      const std::string& tag = "derecho",
                                      const std::string& file = "spack.lock");

    void forget(const std::string& snapshot);

    /// "2025-03-01T06:00:00Z lock whole: ab, root a" by snapshot: the first letters of its hashes.
    std::vector<std::string> states();
    std::vector<std::string> findings();

    /// What `check` says.
    std::vector<std::string> faults();

  private:
    TempLedger ledger_;
    git_fixture::Repository repository_;
};

/// A lock file with one node for each stem of a hash, the first of which is its root.
std::string lock_of(const std::vector<std::string>& stems);

}  // namespace cacheledger
