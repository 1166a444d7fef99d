#pragma once

#include <string>
#include <vector>

#include "ingest/runs/commits/history.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace cacheledger {

/// A ledger, and a repository of pages to fill it with.
class HistoryLedger {
  public:
    HistoryLedger() : repository_(ledger_.folder().path() / "repository") {}

    git_fixture::Repository& repository() { return repository_; }
    TempLedger& ledger() { return ledger_; }

    /// Writes a page where upstream has it, with one spec for each stem of a hash.
    void write(const std::string& package, const std::vector<std::string>& hashes,
               const std::string& tag = "develop");
    void remove(const std::string& package, const std::string& tag = "develop");

    /// Commits at this moment: 2025-03-01T06:00:00Z.
    std::string commit(const std::string& moment);

    HistoryResult load(const std::string& revision = "HEAD", const std::string& folder = "");

    /// Why it can't be loaded.
    std::vector<std::string> problems(const std::string& revision = "HEAD",
                                      const std::string& folder = "");

    void forget(const std::string& snapshot);

    /// "develop@...: zlib:ab" by snapshot: the packages, and the first letters of their hashes.
    std::vector<std::string> states();
    std::vector<std::string> findings();

    /// What check says, and the views.
    std::vector<std::string> faults();

  private:
    TempLedger ledger_;
    git_fixture::Repository repository_;
};

std::string place_of(const std::string& package, const std::string& tag = "develop");
std::string page_text(const std::string& package, const std::vector<std::string>& hashes,
                      const std::string& tag = "develop");

/// A page that says whose it is, and is broken.
std::string broken_page(const std::string& package, const std::string& tag = "develop");

/// One that is broken and does not say it.
inline const std::string torn_page = "---\ntitle: \"zl";

}  // namespace cacheledger
