#include "schema/ledger/wishes/known_externals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/ledger/search/matching_specs.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

class KnownExternals {
  public:
    explicit KnownExternals(SQLite::Database& database)
        : database_(database),
          external_(database,
                    "SELECT o.external FROM node CROSS JOIN recipe o USING (recipe_id) "
                    "WHERE spec_id = ?") {}

    bool contains(const WantedSpec& wanted);

  private:
    void read();
    std::optional<bool> are_external(const SpecQuery& query);

    SQLite::Database& database_;
    Select<bool> external_;
    std::set<std::string> known_;   // "gcc@12.2.0": that are needed
    std::set<std::string> unused_;  // and that nothing needs; also "gcc/<hash>" and "/<hash>"
    bool is_read_ = false;
};

bool KnownExternals::contains(const WantedSpec& wanted) {
    const SpecQuery& query = wanted.query;
    const std::string name = query.package.value_or("");
    if (!query.hash.empty()) {
        if (const auto are_all = are_external(wanted.asked())) {
            return *are_all;
        }
        read();
        const std::string text = name + "/" + query.hash;
        const auto unused = unused_.lower_bound(text);
        return unused != unused_.end() && unused->starts_with(text);
    }
    const std::string& version = query.version.text();
    if (wanted.is_wish || name.empty() || !version.starts_with('=')) {
        return false;
    }
    read();
    const std::string text = fmt::format("{}@{}", name, version.substr(1));
    SpecQuery known;
    known.package = query.package;
    known.version = query.version;
    known.platform = query.platform;
    known.os = query.os;
    known.target = query.target;
    // Asking the whole ledger for a package reads all its specs.
    const bool is_unused = unused_.contains(text);
    return (is_unused || known_.contains(text)) && are_external(known).value_or(is_unused);
}

void KnownExternals::read() {
    if (std::exchange(is_read_, true)) {
        return;
    }
    known_ = rows<std::string>(
                 database_,
                 "SELECT DISTINCT k.name || '@' || v.version "
                 "FROM node n CROSS JOIN recipe o USING (recipe_id) "
                 "CROSS JOIN spec x ON x.spec_id = n.spec_id CROSS JOIN look l USING (look_id) "
                 "CROSS JOIN package k USING (package_id) CROSS JOIN version v USING (version_id) "
                 "WHERE o.external = 1")
                 .to<std::set<std::string>>();
    for (const auto& [detail] : rows<std::string>(
             database_, "SELECT DISTINCT detail FROM finding WHERE kind = 'external-unused'")) {
        const std::size_t at = detail.find('@');
        const std::size_t slash = detail.find(" /", at);
        const std::string hash = detail.substr(slash + 1, 1 + 32);
        unused_.insert({detail.substr(0, slash), detail.substr(0, at) + hash, hash});
    }
}

// Whether all that match are; nullopt if the ledger has none, or only what nothing needs.
std::optional<bool> KnownExternals::are_external(const SpecQuery& query) {
    const std::vector<std::int64_t> specs = matching_specs(database_, query).specs;
    if (specs.empty()) {
        return std::nullopt;
    }
    return std::ranges::all_of(
        specs, [&](std::int64_t spec_id) { return external_(spec_id).first().value_or(false); });
}

}  // namespace

void leave_out_externals(SQLite::Database& database, SpecList& list) {
    KnownExternals known(database);
    list.external += static_cast<std::int64_t>(std::erase_if(
        list.specs, [&](const WantedSpec& wanted) { return known.contains(wanted); }));
}

}  // namespace cacheledger
