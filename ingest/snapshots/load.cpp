#include "ingest/snapshots/load.hpp"

#include <fmt/format.h>

#include <utility>

#include "ingest/snapshots/forget.hpp"
#include "ingest/stored/commit_log.hpp"
#include "ingest/stored/snapshot_kind.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/tag.hpp"

namespace cacheledger {

BadPage second_page(const PageHead& page, const std::string& name, const std::string& first,
                    const std::string& snapshot) {
    Problem problem(fmt::format("a second page for package {} in {}; the first is {}", page.package,
                                snapshot, first));
    problem.file = name;
    return {problem, "page-duplicate", page.package, page.tag_to_load()};
}

Load::Load(SQLite::Database& database, Dictionary& dictionary, PackageHistory& history,
           LoadOptions options, const std::set<std::string>& replaced)
    : database_(database),
      dictionary_(dictionary),
      history_(history),
      options_(std::move(options)),
      replaced_(replaced) {}

void Load::take(const PageState& state) {
    if (const PageHead* const page = head_of(state.content)) {
        take_page(*page, state);
    } else if (const auto* const bad = std::get_if<BadPage>(&state.content)) {
        bad_pages_.emplace_back(*bad, state.place);
    } else {
        ++result_.other_files;
    }
}

void Load::finish() {
    if (!options_.keep_going && !bad_pages_.empty()) {
        if (result_.pages > bad_pages_.size()) {
            throw UnreadableFiles(problems());
        }
        throw InputError(problems());
    }
    for (const auto& [page, place] : bad_pages_) {
        record(page, place);
    }
    for (auto& [tag, target] : targets_) {
        finish(target);
    }
    history_.flush();
    dictionary_.flush();
    if (!refusals_.empty()) {
        throw InputError(refusals_);
    }
    result_.bad_pages = problems();
}

bool Load::keep_others(const std::string& tag) {
    Target& target = targets_.at(tag);
    return target.writer && !target.replaces && target.writer->keep_others();
}

void Load::drop(const std::string& tag, const std::string& package) {
    targets_.at(tag).writer->drop(package);
}

bool Load::is_in_force(const std::string& tag) const {
    const auto found = targets_.find(tag);
    return found != targets_.end() && found->second.writer && bad_pages_.empty() &&
           !found->second.has_findings && found->second.writer->is_newest();
}

std::vector<std::string> Load::problems() const {
    std::vector<std::string> lines;
    for (const auto& [page, place] : bad_pages_) {
        lines.push_back(page.problem.message());
    }
    return lines;
}

SnapshotMoment Load::moment_of(const std::string& tag) const {
    if (const auto moment = moment_of_tag(tag)) {
        return {*moment};
    }
    return options_.moment_of ? options_.moment_of(tag) : SnapshotMoment{options_.taken_at};
}

Load::Target& Load::target_for(const std::string& tag) {
    const auto [found, is_new] = targets_.try_emplace(tag);
    if (is_new) {
        found->second.tag = tag;
        begin(found->second, moment_of(tag));
    }
    return found->second;
}

void Load::begin(Target& target, const SnapshotMoment& at) {
    const Moment moment = at.moment;
    for (const std::string& tag : std::exchange(uncounted_, {})) {
        targets_.at(tag).writer->write_counts();
    }
    refuse_other_kinds(database_, target.tag, pages_kind);
    target.name = snapshot_name(target.tag, moment);
    target.existing = ExistingSnapshot::find(database_, target.tag, moment);
    std::vector<CommitLog::Row> commits;
    if (target.existing && replaced_.contains(target.name)) {
        commits = CommitLog(database_).rows_to_keep(target.existing->snapshot_id(),
                                                    options_.keep_commits_of);
        remove_snapshot(database_, dictionary_, history_, target.existing->snapshot_id());
        dictionary_.forget_specs();
        target.existing.reset();
        result_.replaced.push_back(target.name);
        target.replaces = true;
    }
    if (!target.existing) {
        target.writer = std::make_unique<SnapshotWriter>(
            database_, dictionary_, history_,
            NewSnapshot{target.tag, moment, options_.source, options_.partial});
        if (at.finding) {
            target.writer->add_finding(std::nullopt, std::nullopt, *at.finding);
        }
        if (!commits.empty()) {
            CommitLog(database_).restore(commits, target.writer->snapshot_id());
        }
    }
}

void Load::take_page(const PageHead& page, const PageState& state) {
    const PagePlace& place = state.place;
    Target& target = target_for(options_.tag.value_or(page.tag_to_load()));
    const auto [known, is_new] = target.files.emplace(page.package, place.name);
    if (!is_new) {
        bad_pages_.emplace_back(second_page(page, place.name, known->second, target.name), place);
        return;
    }
    ++result_.pages;
    result_.specs += page.num_specs;
    // A known page is enough if the snapshot already has it; otherwise its specs are read.
    const auto* const known_page = std::get_if<KnownPage>(&state.content);
    if (target.existing && known_page != nullptr && target.existing->has(*known_page)) {
        target.existing->give(*known_page, place.name);
    } else if (target.writer && known_page != nullptr &&
               target.writer->keep(*known_page, place.path)) {
        add_findings(page, state, target);
    } else if (known_page != nullptr) {
        take_specs(state.read_again(), known_page->page_id, state, target);
    } else {
        take_specs(std::get<Page>(state.content), std::nullopt, state, target);
    }
}

void Load::take_specs(const Page& page, const std::optional<std::int64_t>& page_id,
                      const PageState& state, Target& target) {
    if (target.existing) {
        target.existing->compare(page, state.place.name);
    }
    if (target.writer) {
        target.writer->observe(page, page_id, state.place.path);
        uncounted_.insert(target.tag);
        add_findings(page, state, target);
    }
}

void Load::add_findings(const PageHead& page, const PageState& state, Target& target) {
    for (const PageFinding& finding : state.findings) {
        target.writer->add_finding(page.package, state.place.path, finding);
        target.has_findings = true;
    }
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

void Load::finish(Target& target) {
    if (target.writer) {
        target.writer->finish();
        result_.loaded.push_back(target.name);
        result_.snapshots[target.tag] = target.writer->snapshot_id();
        return;
    }
    const auto difference = target.existing->difference(options_.partial || target.misses_packages);
    if (!difference) {
        result_.unchanged.push_back(target.name);
        result_.snapshots[target.tag] = target.existing->snapshot_id();
    } else if (options_.replace) {
        to_replace_.insert(target.name);
    } else {
        refusals_.push_back(
            fmt::format("{} is in the ledger with other content: {}; --replace replaces it",
                        target.name, *difference));
    }
}

}  // namespace cacheledger
