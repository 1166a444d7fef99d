#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "ingest/page/page.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

/// A snapshot that is there already, to tell whether what is ingested for its tag and moment is the
/// same.
class ExistingSnapshot {
  public:
    /// Nothing where the ledger has no snapshot of this tag and moment. `database` must outlive it.
    static std::optional<ExistingSnapshot> find(SQLite::Database& database, const std::string& tag,
                                                Moment taken_at);

    /// Whether give() is enough: the snapshot has this page for the package, or none, so that its
    /// specs make no difference.
    bool has(const KnownPage& page) const { return !has_other(page); }

    /// A page that was given, and that it has().
    void give(const KnownPage& page, const std::string& file);

    /// A page that was given. Two pages are the same when their texts are, or when what they say
    /// is: spelling is not content, but what is noticed of a page is (StoredPage).
    void compare(const Page& page, const std::string& file);

    /// A page that could not be loaded, of a package if that is known. `observed`: another page of
    /// the package was given. `kind` is that of the finding.
    void compare_bad(const std::optional<std::string>& package, FindingKind kind, bool observed);

    /// After all pages: the first difference in the order of packages, in words, or nothing.
    std::optional<std::string> difference(bool partial) const;

    std::int64_t snapshot_id() const { return snapshot_id_; }
    const std::string& name() const { return name_; }

  private:
    explicit ExistingSnapshot(SQLite::Database& database) : database_(&database) {}

    bool has_other(const PageHead& page) const;

    struct HeldPage {
        Digest digest{};
        std::int64_t page_id = 0;
    };

    SQLite::Database* database_;
    std::int64_t snapshot_id_ = 0;
    std::string name_;
    bool partial_ = false;
    std::map<std::string, HeldPage> pages_;           // of the packages it observed
    std::set<std::string> unobserved_;                // packages whose page could not be read then
    std::set<std::string> given_;                     // packages given now
    std::set<std::string> given_unobserved_;          // packages whose page can't be read now
    std::map<std::string, std::string> differences_;  // by package
    using BadPages = std::multiset<std::pair<std::string, std::string>>;  // package, kind
    BadPages bad_pages_;
    BadPages given_bad_pages_;
};

}  // namespace cacheledger
