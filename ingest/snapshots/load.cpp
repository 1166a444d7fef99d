#include "ingest/snapshots/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot_rows.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

LedgerNodes& Writing::known_nodes(const std::string& tag) {
    if (!known_nodes_) {
        known_nodes_.emplace(database, dictionary.specs());
    }
    known_nodes_->expect(series_of_tag(tag));
    return *known_nodes_;
}

void Writing::add_known(const Graph& graph, const NodeRows::Written& written) {
    if (known_nodes_) {
        known_nodes_->add(graph, written.new_nodes, written.specs);
    }
}

void Writing::flush() {
    history->flush();
    dictionary.flush();
}

void Writing::forget_specs() {
    new_nodes_ = new_nodes();
    dictionary.forget_specs();
    nodes_.reset();
    known_nodes_.reset();
}

std::unique_ptr<Load> load_and_replace(const std::function<std::unique_ptr<Load>()>& begin,
                                       const std::function<bool(Load&)>& give) {
    std::set<std::string> replaced;
    while (true) {
        std::unique_ptr<Load> load = begin();
        for (const std::string& name : replaced) {
            load->replace(name);
        }
        if (!give(*load)) {
            return nullptr;
        }
        load->finish();
        if (load->to_replace().empty()) {
            return load;
        }
        replaced = load->to_replace();
    }
}

BadPage second_page(const PageHead& page, const std::string& name, const std::string& first,
                    const std::string& snapshot) {
    Problem problem(fmt::format("a second page for package {} in {}; the first is {}", page.package,
                                snapshot, first));
    problem.file = name;
    return {problem, "page-duplicate", page.package, page.tag_to_load()};
}

void Load::replace(const std::string& name) {
    count_written();
    const auto found = select_snapshots(database_, "WHERE name = ?", name);
    if (found.empty()) {
        return;  // somebody else removed it, between a rollback and now
    }
    replaced_[name] = CommitLog(database_).rows_to_keep(found[0].id, options_.keep_commits_of);
    remove_snapshot(database_, writing_.dictionary, *writing_.history, found[0].id);
    writing_.forget_specs();
    leaves_over_ = has_changed_ = true;
}

SnapshotMoment Load::moment_of(const std::string& tag) const {
    if (const auto moment = moment_of_tag(tag)) {
        return {*moment};
    }
    return options_.moment_of ? options_.moment_of(tag)
                              : SnapshotMoment{options_.taken_at.value_or(0)};
}

std::unique_ptr<SnapshotWriter> Load::begin(const NewSnapshot& snapshot,
                                            const std::optional<PageFinding>& about_moment) {
    count_written();
    auto writer = std::make_unique<SnapshotWriter>(database_, writing_.dictionary,
                                                   *writing_.history, snapshot);
    if (about_moment) {
        writer->add_finding(std::nullopt, std::nullopt, *about_moment);
    }
    const std::string name = snapshot_name(snapshot.tag, snapshot.taken_at);
    if (const auto commits = replaced_.find(name); commits != replaced_.end()) {
        if (!commits->second.empty()) {
            CommitLog(database_).restore(commits->second, writer->snapshot_id());
        }
        result_.replaced.push_back(name);
    }
    return writer;
}

void Load::end(SnapshotWriter& writer, const std::string& tag) {
    writer.finish();
    result_.loaded.push_back(snapshot_name(tag, writer.taken_at()));
    result_.snapshots[tag] = writer.snapshot_id();
}

void Load::note_unchanged(const std::string& tag, std::int64_t snapshot_id,
                          const std::string& name) {
    result_.unchanged.push_back(name);
    result_.snapshots[tag] = snapshot_id;
}

// What becomes of a snapshot that the ledger has: it stays, is replaced, or the load is refused.
void Load::settle(const ExistingSnapshot& existing, const std::string& tag,
                  const std::optional<std::string>& difference) {
    if (!difference) {
        note_unchanged(tag, existing.snapshot_id(), existing.name());
    } else if (options_.replace) {
        to_replace_.insert(existing.name());
    } else {
        refusals_.push_back(
            fmt::format("{} is in the ledger with other content: {}; --replace replaces it",
                        existing.name(), *difference));
    }
}

// The next snapshot of a series begins with the counts of this one.
void Load::count_written() {
    for (const std::string& tag : std::exchange(uncounted_, {})) {
        targets_.at(tag).writer->write_counts();
    }
}

void Load::refuse_problems() {
    if (!options_.keep_going && !problems_.empty()) {
        if (result_.pages > problems_.size()) {
            throw UnreadableFiles(problems_);
        }
        throw InputError(problems_);
    }
    if (targets_.empty() && given_.empty()) {
        auto lines = problems_;
        lines.push_back(
            fmt::format("{}: no package pages found; expected .md or .txt files that "
                        "open with front matter",
                        options_.source));
        throw InputError(lines);
    }
}

void Load::finish() {
    refuse_problems();
    for (const auto& [page, place] : bad_pages_) {
        record(page, place);
    }
    for (auto& [tag, target] : targets_) {
        if (target.writer) {
            end(*target.writer, tag);
        } else {
            settle(*target.existing, tag,
                   target.existing->difference(options_.partial || target.misses_packages));
        }
    }
    writing_.flush();
    if (!problems_.empty() && result_.loaded.empty() && result_.unchanged.empty() &&
        to_replace_.empty() && refusals_.empty()) {
        throw InputError(problems_);
    }
    if (!refusals_.empty()) {
        throw InputError(refusals_);
    }
    for (const auto& [name, commits] : replaced_) {
        if (!to_replace_.empty()) {
            to_replace_.insert(name);
        } else if (std::find(result_.replaced.begin(), result_.replaced.end(), name) ==
                   result_.replaced.end()) {
            result_.replaced.push_back(name);  // what was to come in its place is as it was before
        }
    }
    if (!given_.empty()) {
        std::sort(result_.replaced.begin(), result_.replaced.end());  // of pages, in their order
    }
    if (options_.if_changed && result_.replaced.empty() && to_replace_.empty()) {
        remove_unchanged();
    }
    result_.bad_pages = problems_;
    result_.bad_pages.insert(result_.bad_pages.end(), unread_sizes_.begin(), unread_sizes_.end());
}

}  // namespace cacheledger
