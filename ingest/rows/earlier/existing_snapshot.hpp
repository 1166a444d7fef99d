#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// Compares an existing snapshot with the pages, or the states of packages, that are loaded for its
/// tag and moment.
class ExistingSnapshot {
  public:
    /// nullopt if the ledger has no snapshot of this tag and moment. `database` must outlive the
    /// result.
    static std::optional<ExistingSnapshot> find(SQLite::Database& database, const std::string& tag,
                                                Moment taken_at);

    /// Whether the snapshot has another page of this package: then compare() needs the specs.
    bool has_other(const PageHead& page) const;

    /// Adds a loaded page. It equals the stored page if the texts are equal, or if their meaning
    /// is: spelling is not content, but the findings of a page are (StoredPage). `file`: its name
    /// for messages.
    void compare(const Page& page, const std::string& file);

    /// Adds a page that could not be loaded, of a package if that is known. `kind`: the kind of its
    /// finding. `observed`: whether another page of the package was loaded.
    void compare_bad(const std::optional<std::string>& package, FindingKind kind, bool observed);

    /// The first difference in the order of packages, in words, or nullopt. Call this after all
    /// pages.
    std::optional<std::string> difference(bool partial) const;

    /// For a snapshot that is not made from pages: the first package, in their order, of which the
    /// snapshot has another state, in words, or nullopt. `states`: what each is known by.
    std::optional<std::string> other_state(const std::map<std::string, Digest>& states) const;

    std::int64_t snapshot_id() const { return snapshot_id_; }
    std::int64_t series_id() const { return series_id_; }
    Moment taken_at() const { return taken_at_; }
    /// Whether it does not observe all packages.
    bool is_partial() const { return partial_; }
    SourceKind kind() const { return kind_; }
    const std::string& name() const { return name_; }

  private:
    explicit ExistingSnapshot(SQLite::Database& database) : database_(&database) {}

    struct HeldPage {
        Digest digest{};
        std::int64_t page_id = 0;
    };

    SQLite::Database* database_;
    std::int64_t snapshot_id_ = 0;
    std::int64_t series_id_ = 0;
    Moment taken_at_ = 0;
    std::string name_;
    SourceKind kind_ = SourceKind::pages;
    bool partial_ = false;
    std::map<std::string, HeldPage> pages_;           // of the packages that it observed
    std::set<std::string> unobserved_;                // packages whose page could not be read then
    std::set<std::string> given_;                     // packages that are loaded now
    std::set<std::string> given_unobserved_;          // packages whose page can't be read now
    std::map<std::string, std::string> differences_;  // by package
    using BadPages = std::multiset<std::pair<std::string, std::string>>;  // package, kind
    BadPages bad_pages_;
    BadPages given_bad_pages_;
};

}  // namespace cacheledger
