#pragma once

#include <string>

#include "tests/reports/postgresql/server.hpp"
#include "tests/support/program/program.hpp"

namespace postgresql_fixture {

/// A bench whose ledger has pages at two moments, two states of a mirror and a lock file, and what
/// was published of it.
class PublishedBench {
  public:
    explicit PublishedBench(const Server& server);

    const program::Workbench& bench() const { return bench_; }

    /// The database, for who published, and for a role that may only read.
    const std::string& owner_url() const { return owner_url_; }
    const std::string& url() const { return url_; }
    const std::string& role() const { return role_; }

    /// Runs a command on the file, or on what was published, as the role that may only read.
    program::Run run(const program::Words& words) const { return bench_.run(words); }
    program::Run run_published(const program::Words& words) const;

    /// The text without the words that name the published ledger in a command to type.
    std::string without_database(std::string text) const;

  private:
    program::Workbench bench_;
    std::string owner_url_, url_, role_;
};

}  // namespace postgresql_fixture
