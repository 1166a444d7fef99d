#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/publishing/publication.hpp"
#include "reports/postgresql/pulling/pull.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

/// What a published ledger is compared with. Nothing here is how the program compares them.
namespace cacheledger {

using TableRows = std::map<std::string, std::vector<std::string>>;

/// The sorted rows of all tables but that of the states.
TableRows rows_of_ledger(TempLedger& ledger);
TableRows rows_of_published(PostgresConnection& connection, const std::string& name);

/// The first difference in words; empty for none.
std::string first_difference(const TableRows& published, const TableRows& ledger);

/// Publishes the ledger of the file.
PublishResult publish_file(const std::string& url, const std::filesystem::path& file,
                           const PublishOptions& options = {}, const std::string& name = "site");
PublishResult publish(const std::string& url, const TempLedger& ledger,
                      const PublishOptions& options = {});

/// Pulls the ledger `site` into the file: makes it if it is not there.
PullResult pull_file(const std::string& url, const std::filesystem::path& file);

/// In which table the pulled file differs from the ledger; empty for none.
std::string difference_of_file(const std::filesystem::path& file, TempLedger& ledger);

/// The one value of a query, as a text.
std::string value_of(PostgresConnection& connection, const std::string& sql);

/// The number of the server's next transaction that writes.
std::string next_transaction(PostgresConnection& connection);

}  // namespace cacheledger
