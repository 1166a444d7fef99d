#pragma once

#include <string>

namespace cacheledger {

/// The schema of what all ledgers of a database share: the views over all of them.
inline constexpr const char* shared_schema = "cacheledger";

/// The name that a ledger is published as, and its schemas in PostgreSQL:
///
///     "NAME"          the tables, and the public views
///     "NAME tables"   a view for each table, because who only reads is granted views alone; the
///                     functions of SQLite that queries use; what the last publishes changed; and
///                     for each public view X the view of_all_X, of which all_X is made
class PublishedName {
  public:
    /// Throws UsageError unless the name has letters, digits, _, . and -, at most 48, begins with a
    /// letter, and is none that PostgreSQL or this program uses otherwise.
    explicit PublishedName(std::string name);

    const std::string& text() const { return name_; }

    /// The schemas, in quotes.
    std::string schema() const;
    std::string schema_of_tables() const;

    /// What search_path is for who reads: the tables by their own names, the functions, the views.
    std::string search_path() const;

    /// A number of 32 bits that stands for the name in advisory locks.
    int lock_key() const;

  private:
    std::string name_;
};

}  // namespace cacheledger
