
#include "ingest/rows/earlier/snapshot_kind.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/snapshots/load.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

// What Load does with pages.
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

void Load::take(const PageState& state) {
    if (const PageHead* const page = head_of(state.content)) {
        take_page(*page, state);
    } else if (const auto* const bad = std::get_if<BadPage>(&state.content)) {
        take_bad(*bad, state.place);
    } else {
        ++result_.other_files;
    }
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

Load::Target& Load::target_for(const std::string& tag) {
    const auto [found, is_new] = targets_.try_emplace(tag);
    Target& target = found->second;
    if (is_new) {
        const SnapshotMoment at = moment_of(tag);
        target.tag = tag;
        target.name = snapshot_name(tag, at.moment);
        refuse_other_kinds(database_, tag, pages_kind);
        target.existing = ExistingSnapshot::find(database_, tag, at.moment);
        target.replaces = replaced_.contains(target.name);
        if (!target.existing) {
            target.writer = begin({tag, at.moment, options_.source, options_.partial}, at.finding);
        }
    }
    return target;
}

void Load::take_page(const PageHead& page, const PageState& state) {
    const PagePlace& place = state.place;
    Target& target = target_for(options_.tag.value_or(page.tag_to_load()));
    const auto [known, is_new] = target.files.emplace(page.package, place.name);
    if (!is_new) {
        take_bad(second_page(page, place.name, known->second, target.name), place);
        return;
    }
    ++result_.pages;
    result_.specs += page.num_specs;
    // A known page is enough if the snapshot already has it; otherwise its specs are read.
    const auto* const known_page = std::get_if<KnownPage>(&state.content);
    if (target.existing && known_page != nullptr && target.existing->has(*known_page)) {
        target.existing->give(*known_page, place.name);
    } else if (target.writer && known_page != nullptr &&
               target.writer->keep(writing_.dictionary.package(page.package), known_page->page_id,
                                   place.path)) {
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

void Load::take_bad(const BadPage& page, const PagePlace& place) {
    problems_.push_back(page.problem.message());
    bad_pages_.emplace_back(page, place);
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
