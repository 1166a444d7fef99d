#include "ingest/snapshots/snapshot_writer.hpp"

#include <algorithm>

#include "ingest/rows/earlier/earlier.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

SnapshotWriter::SnapshotWriter(SQLite::Database& database, Dictionary& dictionary,
                               PresenceHistory& history, const NewSnapshot& snapshot)
    : database_(database),
      dictionary_(dictionary),
      history_(history),
      insert_finding_(database,
                      "INSERT INTO finding (page_id, snapshot_id, package_id, path, kind, detail) "
                      "VALUES (?, ?, ?, ?, ?, ?)"),
      delete_conflicts_(database,
                        "DELETE FROM finding WHERE page_id = ? "
                        "AND kind IN ('hash-conflict', 'compiler-missing')"),
      insert_exception_(database,
                        "INSERT OR IGNORE INTO observation_exception (snapshot_id, package_id) "
                        "VALUES (?, ?)"),
      taken_at_(snapshot.taken_at),
      partial_(snapshot.partial) {
    snapshot_id_ = make_snapshot(snapshot);
    for (const UnobservedStack& stack : snapshot.unobserved_stacks) {
        execute(database_,
                "INSERT INTO unobserved_stack (snapshot_id, stack, has_root) VALUES (?, ?, ?)",
                snapshot_id_, stack.name, stack.has_root);
    }
}

std::int64_t SnapshotWriter::make_snapshot(const NewSnapshot& snapshot) {
    const std::string series = series_of_tag(snapshot.tag);
    execute(database_, "INSERT OR IGNORE INTO series (name) VALUES (?)", series);
    series_id_ =
        only_value<std::int64_t>(database_, "SELECT series_id FROM series WHERE name = ?", series);
    const auto later =
        first_value<bool>(database_, "SELECT 1 FROM snapshot WHERE series_id = ? AND taken_at > ?",
                          series_id_, taken_at_);
    history_.begin(series_id_, taken_at_, !later);

    // The snapshot begins with the counts of the one before it. They change with its packages.
    execute(database_,
            "INSERT INTO snapshot (series_id, taken_at, tag, name, source, observes_all, kind, "
            "packages, specs) "
            "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ifnull(max(packages), 0), ifnull(max(specs), 0) "
            "FROM (SELECT packages, specs FROM snapshot WHERE series_id = ?1 AND taken_at < ?2 "
            "ORDER BY taken_at DESC LIMIT 1)",
            series_id_, taken_at_, snapshot.tag, snapshot_name(snapshot.tag, taken_at_),
            snapshot.source, !partial_, word_of(snapshot.kind));
    return database_.getLastInsertRowid();
}

void SnapshotWriter::note_observed(std::int64_t package_id) {
    observed_.insert(package_id);
    if (partial_) {
        insert_exception_(snapshot_id_,
                          package_id);  // written now, so that other snapshots of the run see it
    }
}

bool SnapshotWriter::keep(std::int64_t package_id, std::int64_t page_id, const std::string& path) {
    if (!history_.keep(series_id_, package_id, taken_at_, {page_id, path})) {
        return false;
    }
    note_observed(package_id);
    return true;
}

void SnapshotWriter::observe(const Page& page, const std::string& path) {
    const std::int64_t package_id = dictionary_.package(page.package);
    note_observed(package_id);
    dictionary_.begin_page(page.values);
    Conflicts conflicts(database_);
    std::vector<SeenSpec> state;
    state.reserve(page.specs.size());
    for (const SpecEntry& entry : page.specs) {
        const KnownSpec spec = dictionary_.spec(package_id, entry, conflicts);
        state.push_back({spec.look_id, spec.spec_id, dictionary_.stack_set(entry.stacks)});
    }
    const std::int64_t page_id =
        page.page_id ? *page.page_id : dictionary_.add_page(page, package_id);
    if (page.page_id) {
        // The conflicts of a known page are found again: a spec that was in conflict at the first
        // reading may have been removed.
        delete_conflicts_(page_id);
    } else {
        write_findings(page.findings, page_id, package_id);
    }
    write_findings(conflicts.findings(), page_id, package_id);
    apply(package_id, std::move(state), SeenPage{page_id, path});
}

void SnapshotWriter::observe_state(std::int64_t package_id, std::int64_t page_id,
                                   std::vector<SeenSpec> state) {
    note_observed(package_id);
    apply(package_id, std::move(state), SeenPage{page_id, ""});
}

void SnapshotWriter::write_findings(const std::vector<PageFinding>& findings, std::int64_t page_id,
                                    std::int64_t package_id) {
    for (const PageFinding& finding : findings) {
        insert_finding_(page_id, std::nullopt, package_id, std::nullopt, finding.kind.word(),
                        finding.detail());
    }
}

void SnapshotWriter::apply(std::int64_t package_id, std::vector<SeenSpec> state,
                           const std::optional<SeenPage>& page) {
    counts_.add(history_.set(series_id_, package_id, taken_at_, std::move(state), page));
}

bool SnapshotWriter::keep_others() {
    others_stay_ = can_append() && !partial_;
    return others_stay_;
}

void SnapshotWriter::drop(const std::string& package) {
    dropped_.insert(dictionary_.package(package));
}

void SnapshotWriter::leave_unobserved(const std::string& package) {
    unobserved_.insert(dictionary_.package(package));
}

void SnapshotWriter::add_finding(const std::optional<std::string>& package,
                                 const std::optional<std::string>& path,
                                 const PageFinding& finding) {
    std::optional<std::int64_t> package_id;
    if (package) {
        package_id = dictionary_.package(*package);
    }
    insert_finding_(std::nullopt, snapshot_id_, package_id, path, finding.kind.word(),
                    finding.detail());
}

void SnapshotWriter::empty_absent_packages() {
    std::vector<std::int64_t> absent;
    const auto note = [&](std::int64_t package_id) {
        if (!observed_.contains(package_id) && !unobserved_.contains(package_id)) {
            absent.push_back(package_id);
        }
    };
    if (others_stay_) {
        std::ranges::for_each(dropped_, note);
    } else {
        std::ranges::for_each(history_.packages_at(series_id_, taken_at_), note);
    }
    for (const std::int64_t package_id : absent) {
        apply(package_id, {}, std::nullopt);
    }
}

// An earlier snapshot of the same run may have been written while this one still counted as
// observing all packages. For packages that this one does not observe, the state before it is
// continued here. This is not needed after appending: then nothing else was written in the series.
void SnapshotWriter::hold_unobserved() {
    if ((!partial_ && unobserved_.empty()) || can_append()) {
        return;
    }
    for (const std::int64_t package_id : history_.packages_changed_at(series_id_, {taken_at_})) {
        if (!observed_.contains(package_id) && (partial_ || unobserved_.contains(package_id))) {
            counts_.add(history_.hold(series_id_, package_id, taken_at_));
        }
    }
}

void SnapshotWriter::write_counts() {
    counts_.write(database_, series_id_);
    counts_ = SnapshotCounts();
}

void SnapshotWriter::finish() {
    if (absent_unobserved_ && !partial_) {
        partial_ = true;
        execute(database_, "UPDATE snapshot SET observes_all = 0 WHERE snapshot_id = ?",
                snapshot_id_);
    }
    if (!partial_) {
        empty_absent_packages();
    }
    for (const std::int64_t package_id : partial_ ? observed_ : unobserved_) {
        insert_exception_(snapshot_id_, package_id);
    }
    hold_unobserved();
    write_counts();
    if (!can_append()) {
        hold_unobserved_stacks(database_, dictionary_, history_, series_id_, taken_at_);
    }
}

}  // namespace cacheledger
