#pragma once

#include <span>
#include <string>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// find_power.sql, compiled in.
extern const std::span<const EmbeddedText> power_texts;

/// A ledger that was published to PostgreSQL, for reading: a connection in one transaction that
/// only reads, so that all answers are of one state. Statements see its tables and views by their
/// names, and the functions that SQLite has and PostgreSQL has not.
///
/// All throw what PostgresConnection throws.
class PublishedLedger {
  public:
    /// Throws UsageError if the server has no such ledger; the message names those that it has.
    /// Throws DatabaseError if another version of the program published it.
    PublishedLedger(const std::string& url, const std::string& ledger,
                    const PostgresConnection::IsStopped& is_stopped);

    PostgresConnection& connection() { return connection_; }

    /// Throws UsageError if the role of this connection may do more than read what `publish
    /// --grant` lets a role read: such a role could have a query of a user's own read files of the
    /// server, or change something. `origin`: the name of the query, for the message.
    void refuse_powerful_role(const std::string& origin);

  private:
    PostgresConnection connection_;
    PublishedName name_;
};

}  // namespace cacheledger
