#pragma once

#include <string>

namespace cacheledger {

/// The schema of the functions that queries on every ledger use.
inline constexpr const char* function_schema = "cacheledger";

/// The name that a ledger is published as, and its schemas in PostgreSQL:
///
///     "NAME"          the tables, and the public views
///     "NAME tables"   a view for each table. Who only reads is granted views alone
class PublishedName {
  public:
    /// Throws UsageError unless the name has letters, digits, _, . and -, at most 48, begins with a
    /// letter, and is none that PostgreSQL or this program uses otherwise.
    explicit PublishedName(std::string name);

    const std::string& text() const { return name_; }

    /// The schemas, in quotes.
    std::string schema() const;
    std::string schema_of_tables() const;

    /// Where these are while they are removed, after others have taken their names.
    std::string old_schema() const;
    std::string old_schema_of_tables() const;

    /// What search_path is for who reads: the views, the tables by their own names, the functions.
    std::string search_path() const;

    /// A number of 32 bits that stands for the name in advisory locks.
    int lock_key() const;

  private:
    std::string name_;
};

}  // namespace cacheledger
