#include "ingest/load.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "ingest/commit_log.hpp"
#include "ingest/forget.hpp"
#include "ingest/page_files.hpp"
#include "ingest/page_place.hpp"
#include "schema/error.hpp"
#include "schema/tag.hpp"

namespace cacheledger {

namespace {

// Upstream's own layout says the package and the tag a second time.
void note_misplaced(const Page& page, const std::string& file, SnapshotWriter& writer) {
    if (!has_page_name(file) || folder_above(file, 3) != "_cache") {
        return;
    }
    const std::string package = folder_above(file, 1).value_or("");
    const std::string tag = folder_above(file, 2).value_or("");
    if (package != page.package) {
        writer.add_finding(
            page.package, page.path,
            {"title-mismatch", fmt::format("the page lies in the folder of {}", package)});
    }
    if (page.tag && tag != *page.tag) {
        writer.add_finding(
            page.package, page.path,
            {"tag-mismatch",
             fmt::format("the page says {}, it lies in the folder of {}", *page.tag, tag)});
    }
}

}  // namespace

BadPage second_page(const Page& page, const std::string& name, const std::string& first,
                    const std::string& snapshot) {
    BadPage second;
    second.file = name;
    second.path = page.path;
    second.problem = fmt::format("{}: a second page for package {} in {}; the first is {}", name,
                                 page.package, snapshot, first);
    second.kind = "page-duplicate";
    second.package = page.package;
    second.tag = page.tag.value_or(std::string(untagged));
    return second;
}

Load::Load(SQLite::Database& database, Dictionary& dictionary, PackageHistory& history,
           LoadOptions options, const std::set<std::string>& replaced)
    : database_(database),
      dictionary_(dictionary),
      history_(history),
      options_(std::move(options)),
      replaced_(replaced) {}

void Load::take(PageItem& item) {
    std::visit(
        [&](auto& result) {
            using Result = std::decay_t<decltype(result)>;
            if constexpr (std::is_same_v<Result, Page>) {
                take_page(result, item);
            } else if constexpr (std::is_same_v<Result, BadPage>) {
                bad_pages_.push_back(std::move(result));
            } else {
                ++result_.other_files;
            }
        },
        item.result);
}

void Load::finish() {
    if (!options_.keep_going && !bad_pages_.empty()) {
        throw InputError(problems());
    }
    for (const BadPage& page : bad_pages_) {
        record(page);
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

std::vector<std::string> Load::problems() const {
    std::vector<std::string> lines;
    for (const BadPage& page : bad_pages_) {
        lines.push_back(page.problem);
    }
    return lines;
}

Load::Target& Load::target_for(const std::string& tag) {
    const auto [found, is_new] = targets_.try_emplace(tag);
    if (is_new) {
        found->second.tag = tag;
        begin(found->second, moment_of_tag(tag).value_or(options_.taken_at));
    }
    return found->second;
}

void Load::begin(Target& target, Moment moment) {
    for (const auto& [tag, other] : targets_) {
        if (other.writer) {
            other.writer->write_counts();
        }
    }
    target.name = snapshot_name(target.tag, moment);
    target.existing = ExistingSnapshot::find(database_, target.tag, moment);
    std::vector<CommitLog::Row> commits;
    if (target.existing && replaced_.contains(target.name)) {
        commits = CommitLog(database_).rows_of(target.existing->snapshot_id());
        if (options_.history_of) {
            std::erase_if(commits,
                          [&](const auto& row) { return row.path != *options_.history_of; });
        }
        remove_snapshot(database_, history_, target.existing->snapshot_id());
        dictionary_.forget_specs();
        target.existing.reset();
        result_.replaced.push_back(target.name);
    }
    if (!target.existing) {
        target.writer = std::make_unique<SnapshotWriter>(
            database_, dictionary_, history_,
            NewSnapshot{target.tag, moment, options_.source, options_.partial});
        if (options_.about_moment && !moment_of_tag(target.tag)) {
            target.writer->add_finding(std::nullopt, std::nullopt, *options_.about_moment);
        }
        if (!commits.empty()) {
            CommitLog(database_).restore(commits, target.writer->snapshot_id());
        }
    }
}

void Load::take_page(Page& page, const PageItem& item) {
    Target& target =
        target_for(options_.tag ? *options_.tag : page.tag.value_or(std::string(untagged)));
    const auto [known, is_new] = target.files.emplace(page.package, item.name);
    if (!is_new) {
        bad_pages_.push_back(second_page(page, item.name, known->second, target.name));
        return;
    }
    ++result_.pages;
    result_.specs += page.num_specs;
    const bool needs_specs = (target.existing && target.existing->needs_specs(page)) ||
                             (target.writer && target.writer->needs_specs(page));
    if (needs_specs && item.read_specs) {
        Page again = item.read_specs(reader_);
        page.specs = std::move(again.specs);
        page.values = std::move(again.values);
    }
    if (target.existing) {
        target.existing->compare(page, item.name);
    }
    if (target.writer) {
        target.writer->observe(page);
        note_misplaced(page, item.name, *target.writer);
    }
}

// The targets that a bad page may belong to: the one of its tag, if that can be told.
std::vector<Load::Target*> Load::targets_of(const BadPage& page) {
    std::optional<std::string> tag = options_.tag ? options_.tag : page.tag;
    if (!tag) {
        tag = tag_of_place(page.file);
    }
    if (const auto folder = folder_above(page.file, 2);
        !tag && folder && targets_.contains(*folder)) {
        tag = folder;
    }
    std::vector<Target*> found;
    for (auto& [name, target] : targets_) {
        if (!tag || name == *tag) {
            found.push_back(&target);
        }
    }
    if (found.empty() && tag) {
        // No page of this tag could be read: its snapshot holds the findings and says nothing of
        // packages.
        found.push_back(&target_for(*tag));
        found.back()->misses_packages = true;
    }
    return found;
}

void Load::record(const BadPage& page) {
    const std::optional<std::string> package =
        page.package && !page.package->empty() ? page.package : folder_above(page.file, 1);
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
        target->writer->add_finding(package, page.path, {page.kind, page.problem});
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
