#include "ingest/snapshots/load.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// The snapshot before this one in its series, if it has the same tag and nothing differs: the same
// packages, pages and specs, and no finding about either snapshot itself.
constexpr const char* same_snapshot_before =
    "SELECT o.snapshot_id, o.name FROM snapshot s JOIN snapshot o USING (series_id) "
    "WHERE s.snapshot_id = ?1 AND o.tag = s.tag AND o.observes_all = s.observes_all AND o.kind "
    "= s.kind "
    "AND o.taken_at = (SELECT max(b.taken_at) FROM snapshot b "
    "                  WHERE b.series_id = s.series_id AND b.taken_at < s.taken_at) "
    "AND NOT EXISTS (SELECT 1 FROM page_presence g WHERE g.series_id = s.series_id "
    "                AND s.taken_at IN (g.valid_from, g.valid_to)) "
    "AND NOT EXISTS (SELECT 1 FROM presence p WHERE p.series_id = s.series_id "
    "                AND s.taken_at IN (p.valid_from, p.valid_to)) "
    "AND NOT EXISTS (SELECT 1 FROM finding f "
    "                WHERE f.snapshot_id IN (s.snapshot_id, o.snapshot_id)) "
    "AND NOT EXISTS (SELECT 1 FROM observation_exception e "
    "                WHERE e.snapshot_id IN (s.snapshot_id, o.snapshot_id) "
    "                GROUP BY e.package_id HAVING count(*) = 1)";

}  // namespace

LedgerNodes& Writing::known_nodes(const std::string& tag) {
    if (!known_nodes_) {
        known_nodes_.emplace(database, dictionary.specs);
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

FindKnown Load::known_pages() {
    return [known = std::make_shared<const KnownPages>(database_)](const Digest& digest) {
        return known->find(digest);
    };
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
        } else if (std::ranges::find(result_.replaced, name) == result_.replaced.end()) {
            result_.replaced.push_back(name);  // what was to come in its place is as it was before
        }
    }
    if (!given_.empty()) {
        std::ranges::sort(result_.replaced);  // of pages, in their order
    }
    if (options_.if_changed && result_.replaced.empty() && to_replace_.empty()) {
        remove_unchanged();
    }
    result_.bad_pages = problems_;
    result_.bad_pages.insert(result_.bad_pages.end(), unread_sizes_.begin(), unread_sizes_.end());
}

// What Load does with pages.

bool Load::take(const PageState& state) {
    if (const auto* const page = std::get_if<Page>(&state.content)) {
        return take_page(*page, state);
    }
    if (const auto* const bad = std::get_if<BadPage>(&state.content)) {
        take_bad(*bad, state.place);
    } else {
        ++result_.other_files;
    }
    return true;
}

bool Load::keep_others(const std::string& tag) {
    Target& target = targets_.at(tag);
    return target.writer && !target.replaces && target.writer->keep_others();
}

bool Load::is_in_force(const std::string& tag) const {
    const auto found = targets_.find(tag);
    return found != targets_.end() && found->second.writer && bad_pages_.empty() &&
           !found->second.has_findings && found->second.writer->can_append();
}

Load::Target& Load::target_for(const std::string& tag) {
    const auto [found, is_new] = targets_.try_emplace(tag);
    Target& target = found->second;
    if (is_new) {
        const SnapshotMoment at = moment_of(tag);
        target.tag = tag;
        target.name = snapshot_name(tag, at.moment);
        refuse_other_kinds(database_, tag, SourceKind::pages);
        target.existing = ExistingSnapshot::find(database_, tag, at.moment);
        target.replaces = replaced_.contains(target.name);
        if (!target.existing) {
            target.writer = begin({tag, at.moment, options_.source, options_.partial}, at.finding);
        }
    }
    return target;
}

bool Load::take_page(const Page& page, const PageState& state) {
    const PagePlace& place = state.place;
    Target& target = target_for(options_.tag.value_or(page.tag_to_load()));
    if (const auto first = target.files.find(page.package); first != target.files.end()) {
        take_bad(second_page(page, place.name, first->second, target.name), place);
        return true;
    }
    const bool is_kept = target.writer && page.page_id &&
                         target.writer->keep(writing_.dictionary.words.package(page.package),
                                             *page.page_id, place.path);
    if (!page.is_read && !is_kept && (target.writer || target.existing->has_other(page))) {
        return false;
    }
    if (target.existing) {
        target.existing->compare(page, place.name);
    }
    if (target.writer && !is_kept) {
        target.writer->observe(page, place.path);
        uncounted_.insert(target.tag);
    }
    for (const PageFinding& finding : state.findings) {
        if (target.writer) {
            target.writer->add_finding(page.package, place.path, finding);
            target.has_findings = true;
        }
    }
    target.files.emplace(page.package, place.name);
    ++result_.pages;
    result_.specs += page.num_specs;
    return true;
}

void Load::take_bad(const BadPage& page, const PagePlace& place) {
    problems_.push_back(page.problem.message());
    bad_pages_.emplace_back(page, place);
}

// The targets that a bad page may belong to: that of its tag, or all if its tag is unknown.
std::vector<Load::Target*> Load::targets_of(const BadPage& page) {
    std::optional<std::string> tag = options_.tag ? options_.tag : page.tag;
    if (!tag && page.possible_tag && targets_.contains(*page.possible_tag)) {
        tag = page.possible_tag;
    }
    std::vector<Target*> found;
    for (auto& [name, target] : targets_) {
        if (!tag || name == *tag) {
            found.push_back(&target);
        }
    }
    if (found.empty() && tag) {
        // No page of this tag could be read. Its snapshot has the findings, and observes no
        // packages.
        found.push_back(&target_for(*tag));
        found.back()->misses_packages = true;
    }
    return found;
}

void Load::record(const BadPage& page, const PagePlace& place) {
    const std::optional<std::string>& package = page.package;
    for (Target* target : targets_of(page)) {
        target->misses_packages = target->misses_packages || !package;
        const bool observed = package && target->files.contains(*package);
        if (target->existing) {
            target->existing->compare_bad(package, page.kind, observed);
        }
        if (!target->writer) {
            continue;
        }
        if (target->misses_packages) {
            target->writer->leave_absent_unobserved();
        }
        if (package && !observed) {
            target->writer->leave_unobserved(*package);
        }
        target->writer->add_finding(package, place.path, {page.kind, "", page.problem.message()});
    }
}

// With --if-changed: removes the new snapshots of pages that have the content of the one before
// them. Unlike that of a graph, their content is known only when it is written.
void Load::remove_unchanged() {
    const Select<std::int64_t, std::string> select_before(database_, same_snapshot_before);
    for (const auto& [tag, target] : targets_) {
        if (!target.writer) {
            continue;
        }
        const std::int64_t snapshot_id = target.writer->snapshot_id();
        if (const auto before = select_before(snapshot_id).first()) {
            std::erase(result_.loaded, target.name);
            note_unchanged(tag, std::get<0>(*before), std::get<1>(*before));
            remove_snapshot(database_, writing_.dictionary, *writing_.history, snapshot_id);
        }
    }
}

}  // namespace cacheledger
