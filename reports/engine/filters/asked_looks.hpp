#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reports/engine/filters/look_filter.hpp"

namespace cacheledger {

/// The looks that a filter asks for. While this object lives, the connection has a temporary table
/// `asked_looks`, which hides the ledger's view of that name and has only these looks
/// (schema/sql/helper_views/asked_looks.sql). So reports, diff and why count only builds that are
/// asked.
class AskedLooks {
  public:
    /// Does nothing if the filter asks for all looks. Throws SQLite::Exception, and Interrupted if
    /// a progress handler stopped it.
    AskedLooks(const SQLite::Database& database, const LookFilter& filter);
    ~AskedLooks();
    AskedLooks(const AskedLooks&) = delete;
    AskedLooks& operator=(const AskedLooks&) = delete;

    /// The statements that made the table, for any SQLite shell. Empty if all looks are asked.
    const std::string& sql() const { return sql_; }

    /// A sentence for the user if there are looks of which it is not known whether they are asked,
    /// such as those without a compiler.
    std::vector<std::string> notes() const;

  private:
    void add(const LookFilter::Builds& builds);

    const SQLite::Database& database_;
    std::string sql_;
    std::int64_t unknown_ = 0;  ///< number of looks
};

}  // namespace cacheledger
