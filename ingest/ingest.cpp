#include "ingest/ingest.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <type_traits>

#include "ingest/dictionary.hpp"
#include "ingest/existing_snapshot.hpp"
#include "ingest/forget.hpp"
#include "ingest/known_pages.hpp"
#include "ingest/package_history.hpp"
#include "ingest/page_files.hpp"
#include "ingest/page_stream.hpp"
#include "ingest/snapshot_writer.hpp"
#include "schema/error.hpp"
#include "schema/statement.hpp"
#include "schema/tag.hpp"

namespace cacheledger {

namespace {

// What becomes of one tag of the run: it is written, or compared with the snapshot that is there.
struct Target {
    std::string name;
    std::optional<ExistingSnapshot> existing;
    std::unique_ptr<SnapshotWriter> writer;
    std::map<std::string, std::string> files;  // by package
    bool misses_packages = false;  // a page of a package that is not known could not be read
};

// `_cache/TAG/PACKAGE/specs.md`: what the place of a page says of it.
std::optional<std::string> folder_above(const std::filesystem::path& file, int levels) {
    if (file.filename() != "specs.md" && file.filename() != "index.md") {
        return std::nullopt;
    }
    std::filesystem::path folder = file.parent_path();
    for (; levels > 1; --levels) {
        folder = folder.parent_path();
    }
    const std::string name = folder.filename().string();
    return name.empty() ? std::nullopt : std::optional(name);
}

class Run {
  public:
    // `replaced`: names of snapshots that are to give way.
    Run(SQLite::Database& database, const IngestOptions& options,
        const std::set<std::string>& replaced)
        : database_(database),
          options_(options),
          replaced_(replaced),
          dictionary_(database),
          history_(database),
          taken_at_(options.taken_at ? *options.taken_at : moment_of_run()) {}

    void take(PageStream::Item& item) {
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

    // Gives true where the ledger is to be kept as it now is.
    bool finish() {
        if (!options_.keep_going && !bad_pages_.empty()) {
            throw InputError(problems());
        }
        if (targets_.empty()) {
            auto lines = problems();
            lines.push_back(
                fmt::format("{}: no package pages found; expected .md or .txt files that "
                            "open with front matter",
                            fmt::join(options_.paths, " ")));
            throw InputError(lines);
        }
        for (const BadPage& page : bad_pages_) {
            record(page);
        }
        for (auto& [tag, target] : targets_) {
            finish(target);
        }
        if (!refusals_.empty()) {
            throw InputError(refusals_);
        }
        result_.new_specs = dictionary_.new_specs();
        result_.bad_pages = problems();
        if (!result_.replaced.empty()) {
            sweep(database_);
        }
        return !result_.loaded.empty();
    }

    const IngestResult& result() const { return result_; }

    // After finish(): the snapshots that are there with other content, where such may be replaced.
    // The run is then to be made again, with these given way.
    const std::set<std::string>& to_replace() const { return to_replace_; }

  private:
    // A run right after another one can fall into the same second: it waits for the next, so that
    // its snapshot has a moment of its own.
    Moment moment_of_run() {
        SQLite::Statement taken(database_, "SELECT 1 FROM snapshot WHERE taken_at = ?");
        while (true) {
            const Moment moment = now();
            rebind(taken, moment);
            if (!taken.executeStep()) {
                return moment;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }

    std::vector<std::string> problems() const {
        std::vector<std::string> lines;
        for (const BadPage& page : bad_pages_) {
            lines.push_back(page.problem);
        }
        return lines;
    }

    Target& target_for(const std::string& tag) {
        const auto [found, is_new] = targets_.try_emplace(tag);
        Target& target = found->second;
        if (is_new) {
            const Moment moment = moment_of_tag(tag).value_or(taken_at_);
            target.name = snapshot_name(tag, moment);
            target.existing = ExistingSnapshot::find(database_, tag, moment);
            if (target.existing && replaced_.contains(target.name)) {
                remove_snapshot(database_, target.existing->snapshot_id());
                target.existing.reset();
                result_.replaced.push_back(target.name);
            }
            if (!target.existing) {
                target.writer = std::make_unique<SnapshotWriter>(
                    database_, dictionary_, history_,
                    NewSnapshot{tag, moment, fmt::format("{}", fmt::join(options_.paths, " ")),
                                options_.partial});
            }
        }
        return target;
    }

    void take_page(Page& page, const PageStream::Item& item) {
        const std::string file = item.file->file.string();
        Target& target =
            target_for(options_.tag ? *options_.tag : page.tag.value_or(std::string(untagged)));
        const auto [known, is_new] = target.files.emplace(page.package, file);
        if (!is_new) {
            BadPage second;
            second.file = file;
            second.path = page.path;
            second.problem = fmt::format("{}: a second page for package {} in {}; the first is {}",
                                         file, page.package, target.name, known->second);
            second.kind = "page-duplicate";
            second.package = page.package;
            second.tag = page.tag.value_or(std::string(untagged));
            bad_pages_.push_back(std::move(second));
            return;
        }
        ++result_.pages;
        result_.specs += page.num_specs;
        const bool needs_specs = (target.existing && target.existing->needs_specs(page)) ||
                                 (target.writer && target.writer->needs_specs(page));
        if (page.page_id && needs_specs) {
            auto again = reader_.read(page.path, item.text, page.digest);
            page.specs = std::move(std::get<Page>(again).specs);
        }
        if (target.existing) {
            target.existing->compare(page, file);
        }
        if (target.writer) {
            target.writer->observe(page);
            note_misplaced(page, item.file->file, *target.writer);
        }
    }

    // Upstream's own layout says the package and the tag a second time.
    static void note_misplaced(const Page& page, const std::filesystem::path& file,
                               SnapshotWriter& writer) {
        if (file.filename() != "specs.md" || folder_above(file, 3) != "_cache") {
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

    // The targets that a bad page may belong to: the one of its tag, if that can be told.
    std::vector<Target*> targets_of(const BadPage& page) {
        std::optional<std::string> tag = options_.tag ? options_.tag : page.tag;
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
        if (found.empty()) {
            // No page of this tag could be read: its snapshot holds the findings and says
            // nothing of packages.
            found.push_back(&target_for(*tag));
            found.back()->misses_packages = true;
        }
        return found;
    }

    void record(const BadPage& page) {
        const std::optional<std::string> package =
            page.package && !page.package->empty() ? page.package : folder_above(page.file, 1);
        for (Target* target : targets_of(page)) {
            target->misses_packages = target->misses_packages || !package;
            const bool observed = package && target->files.contains(*package);
            if (target->existing && package && !observed) {
                target->existing->compare_unobserved(*package);
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

    void finish(Target& target) {
        if (target.writer) {
            target.writer->finish();
            result_.loaded.push_back(target.name);
            return;
        }
        const auto difference =
            target.existing->difference(options_.partial || target.misses_packages);
        if (!difference) {
            result_.unchanged.push_back(target.name);
        } else if (options_.replace) {
            to_replace_.insert(target.name);
        } else {
            refusals_.push_back(
                fmt::format("{} is in the ledger with other content: {}; --replace replaces it",
                            target.name, *difference));
        }
    }

    SQLite::Database& database_;
    const IngestOptions& options_;
    const std::set<std::string>& replaced_;
    std::set<std::string> to_replace_;
    Dictionary dictionary_;
    PackageHistory history_;
    PageReader reader_;
    Moment taken_at_;
    std::map<std::string, Target> targets_;  // by tag
    std::vector<BadPage> bad_pages_;
    std::vector<std::string> refusals_;
    IngestResult result_;
};

void read_all(SQLite::Database& database, const std::vector<PageFile>& files, unsigned jobs,
              Run& run, const Progress& progress) {
    const KnownPages known(database);
    PageStream stream(files, known, jobs);
    std::size_t done = 0;
    while (auto item = stream.next()) {
        run.take(*item);
        progress(++done, files.size());
    }
}

}  // namespace

IngestResult ingest(SQLite::Database& database, const IngestOptions& options,
                    const Progress& progress) {
    if (options.tag) {
        if (const auto problem = tag_problem(*options.tag)) {
            throw UsageError(fmt::format("--tag '{}': {}", *options.tag, *problem));
        }
    }
    const FoundFiles found = find_page_files(options.paths);
    std::set<std::string> replaced;
    while (true) {
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        Run run(database, options, replaced);
        read_all(database, found.files, options.jobs, run, progress);
        const bool keep = run.finish();
        if (run.to_replace().empty()) {
            if (keep) {
                transaction.commit();
            }
            IngestResult result = run.result();
            result.linked_folders = found.linked_folders;
            return result;
        }
        replaced = run.to_replace();
    }
}

}  // namespace cacheledger
