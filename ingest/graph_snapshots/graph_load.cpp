#include "ingest/graph_snapshots/graph_load.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "ingest/graph_snapshots/build_hashes.hpp"
#include "ingest/graph_snapshots/graph_sizes.hpp"
#include "ingest/node_rows/missing_dependencies.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/stored/snapshot_kind.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/snapshot.hpp"
#include "schema/names/tag.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

constexpr const char* said_by(GraphKind kind) {
    switch (kind) {
        case GraphKind::lock:
            return "the lock file";
        case GraphKind::install:
            return "the install database";
        case GraphKind::index:
        case GraphKind::spec:  // never a snapshot
            break;
    }
    return "the index";
}

std::vector<std::uint32_t> nodes_to_write(const GraphInput& input, const PresentNodes& present) {
    std::vector<std::uint32_t> nodes;
    for (const auto& [node, stacks] : present.nodes) {
        nodes.push_back(node);
    }
    for (const GraphSource& source : input.files) {
        for (const Root& root : source.file.roots) {
            nodes.push_back(root.node);
        }
    }
    return nodes;
}

// None if not all are known.
std::vector<SnapshotFile> files_of(const GraphInput& input) {
    std::vector<SnapshotFile> files;
    for (const GraphSource& source : input.files) {
        if (source.sha256.empty() || !input.unread.empty()) {
            return {};
        }
        files.push_back({source.label, source.size, source.sha256});
    }
    return files;
}

// How many nodes were written without being present.
std::size_t needed_specs(const std::vector<KnownSpec>& specs, const PresentNodes& present) {
    const auto written = std::count_if(specs.begin(), specs.end(),
                                       [](const KnownSpec& spec) { return spec.spec_id != 0; });
    return static_cast<std::size_t>(written) - present.nodes.size();
}

}  // namespace

GraphLoad::GraphLoad(SQLite::Database& database, GraphOptions options,
                     const std::set<std::string>& replaced)
    : database_(database), options_(std::move(options)), dictionary_(database), roots_(database) {
    forget_remembered();
    for (const std::string& name : replaced) {
        replace(name);
    }
}

void GraphLoad::replace(const std::string& name) {
    const std::int64_t snapshot_id = find_snapshot(database_, name).id;
    commits_[name] = CommitLog(database_).rows_to_keep(snapshot_id, options_.keep_commits_of);
    remove_snapshot(database_, dictionary_, *history_, snapshot_id);
    result_.replaced.push_back(name);
    names_.erase(name);
    history_->flush();
    dictionary_.forget_specs();
    forget_remembered();
    leaves_over_ = has_changed_ = true;
}

void GraphLoad::forget_remembered() {
    if (nodes_) {
        new_nodes_ += nodes_->new_nodes();
    }
    known_.reset();
    nodes_.emplace(database_, dictionary_);
    history_.emplace(database_);
    rows_.emplace(database_, dictionary_);
}

void GraphLoad::take(const GraphInput& input) {
    if (const auto problem = tag_problem(input.tag)) {
        throw UsageError(fmt::format("--tag '{}': {}", input.tag, *problem));
    }
    const std::string name = snapshot_name(input.tag, moment_of(input));
    if (!names_.insert(name).second) {
        throw UsageError(fmt::format("'{}' is given twice", input.tag));
    }
    for (const UnreadGraph& unread : input.unread) {
        problems_.push_back(unread.problem);
    }
    if (input.same_as) {
        take_unchanged(input);
        return;
    }
    // With unread files and no --keep-going the run fails; the rest is read for what else is wrong.
    if (!input.files.empty()) {
        const GraphKind kind = kind_of(input);
        refuse_other_kinds(database_, input.tag, word_of(kind));
        take_snapshot(input, kind);
    }
}

Moment GraphLoad::moment_of(const GraphInput& input) const {
    return moment_of_tag(input.tag).value_or(input.taken_at.value_or(options_.taken_at));
}

std::optional<FilesBefore> GraphLoad::files_before(const std::string& tag) {
    const Moment moment = moment_of_tag(tag).value_or(options_.taken_at);
    history_->flush();
    dictionary_.flush();
    auto before = find_files_before(database_, tag, moment);
    // With --if-changed, the snapshot of the same tag counts, which may be an earlier one.
    return before && options_.if_changed && before->tag != tag ? std::nullopt : std::move(before);
}

// Everything that the snapshot before has stays, and so do the nodes that it needs.
void GraphLoad::take_unchanged(const GraphInput& input) {
    const FilesBefore& before = *input.same_as;
    result_.pages += before.files.size();
    result_.specs += before.specs;
    if (before.is_at_moment || options_.if_changed) {
        result_.unchanged.push_back(before.name);
        result_.snapshots[input.tag] = before.snapshot_id;
        return;
    }
    const Moment moment = moment_of(input);
    SnapshotWriter writer(database_, dictionary_, *history_,
                          {input.tag, moment, input.source, false, before.kind, {}});
    writer.keep_others();
    write_files(database_, writer.snapshot_id(), before.files);
    add_loaded(input, moment, writer);
}

const LedgerNodes& GraphLoad::known() {
    if (!known_) {
        known_.emplace(database_);
    }
    return *known_;
}

void GraphLoad::take_absent(const GraphInput& input, GraphKind kind) {
    const auto existing = ExistingSnapshot::find(database_, input.tag, moment_of(input));
    history_->flush();
    State state;
    state.is_held = !input.unread.empty();
    settle(input, kind, state, existing, {});
}

void GraphLoad::take_snapshot(const GraphInput& input, GraphKind kind) {
    const Moment moment = moment_of(input);
    const auto existing = ExistingSnapshot::find(database_, input.tag, moment);
    history_->flush();
    const PresentNodes present = present_nodes(input);
    NodeRows::Written written =
        nodes_->write(input.graph, nodes_to_write(input, present), said_by(kind));
    if (auto missing =
            missing_dependencies(database_, input.graph, written.specs, input.files.size())) {
        written.findings.push_back({std::nullopt, std::move(*missing)});
    }
    const bool has_new_names = write_build_hashes(database_, input, written.specs);
    WrittenSizes sizes = write_sizes(database_, input, written.specs);
    std::move(sizes.findings.begin(), sizes.findings.end(), std::back_inserter(written.findings));
    has_changed_ = has_changed_ || written.changed || has_new_names || sizes.changed;
    if (!input.unread_sizes.empty()) {
        unread_sizes_.push_back(fmt::format("the sizes in {} spec manifests, the first: {}",
                                            input.unread_sizes.size(),
                                            input.unread_sizes.front().message()));
    }
    leaves_over_ = leaves_over_ || written.leaves_over;
    if (written.changed_looks) {
        history_.emplace(database_);  // it remembers looks
    }
    for (const std::uint32_t node : written.new_nodes) {
        if (known_) {
            known_->add(input.graph.nodes[node]);
        }
    }
    const State state = state_of_input(input, present, written.specs, moment);
    result_.pages += input.files.size();
    result_.specs += state.cache.specs.size();
    result_.needed_specs += needed_specs(written.specs, present);
    settle(input, kind, state, existing, written.findings);
}

void GraphLoad::settle(const GraphInput& input, GraphKind kind, const State& state,
                       const std::optional<ExistingSnapshot>& existing,
                       const std::vector<NodeRows::Finding>& findings) {
    const Moment moment = moment_of(input);
    if (existing) {
        compare(*existing, input.tag, kind, moment, state);
    } else if (const auto before = same_before(input.tag, kind, moment, state)) {
        result_.unchanged.push_back(before->name());
        result_.snapshots[input.tag] = before->snapshot_id();
    } else {
        write(input, kind, moment, state, findings);
    }
}

std::optional<std::int64_t> GraphLoad::series_of(const std::string& tag) {
    SQLite::Statement select(database_, "SELECT series_id FROM series WHERE name = ?");
    rebind(select, series_of_tag(tag));
    return select.executeStep() ? std::optional(select.getColumn(0).getInt64()) : std::nullopt;
}

GraphLoad::State GraphLoad::state_of_input(const GraphInput& input, const PresentNodes& present,
                                           const std::vector<KnownSpec>& specs, Moment moment) {
    State state{state_of(input, present, specs), {}, roots_of(input, specs), {}, {}};
    if (kind_of(input) == GraphKind::index && !input.unread.empty()) {
        state.unobserved = unobserved_stacks_of(input);
        history_->flush();
        dictionary_.flush();
        const auto series_id = series_of(input.tag);
        state.cache = with_unobserved(
            state.cache, series_id ? read_state(database_, *series_id, moment - 1) : CacheState(),
            state.unobserved);
    }
    for_each_package(state.cache, [&](std::span<const PresentSpec> specs_of_package) {
        const std::string& package = rows_->package(specs_of_package.front().spec.package_id);
        state.heads.push_back(head_of_state(package, specs_of_package, state.cache.stack_sets));
        state.packages.emplace(package, state.heads.back().digest);
    });
    return state;
}

std::optional<std::string> GraphLoad::difference(const ExistingSnapshot& existing, GraphKind kind,
                                                 Moment moment, const State& state) {
    if (existing.kind() != word_of(kind)) {
        return fmt::format("it is made from {}", sources_of(existing.kind()));
    }
    if (existing.is_partial() || state.is_held) {
        return std::string("one of the two could not be read");
    }
    if (auto other = existing.other_state(state.packages)) {
        return other;
    }
    if (unobserved_stacks_of(database_, existing.snapshot_id()) != state.unobserved) {
        return std::string("other stacks could not be read");
    }
    SQLite::Statement select(database_, "SELECT series_id FROM snapshot WHERE snapshot_id = ?");
    rebind(select, existing.snapshot_id());
    select.executeStep();
    if (roots_.at(select.getColumn(0).getInt64(), moment) != state.roots) {
        return std::string("it has other roots");
    }
    return std::nullopt;
}

void GraphLoad::compare(const ExistingSnapshot& existing, const std::string& tag, GraphKind kind,
                        Moment moment, const State& state) {
    const auto other = difference(existing, kind, moment, state);
    if (!other) {
        result_.unchanged.push_back(existing.name());
        result_.snapshots[tag] = existing.snapshot_id();
    } else if (options_.replace) {
        to_replace_.insert(existing.name());
    } else {
        refusals_.push_back(
            fmt::format("{} is in the ledger with other content: {}; --replace replaces it",
                        existing.name(), *other));
    }
}

// With --if-changed: the snapshot of the tag before this moment, if it says the same.
std::optional<ExistingSnapshot> GraphLoad::same_before(const std::string& tag, GraphKind kind,
                                                       Moment moment, const State& state) {
    if (!options_.if_changed) {
        return std::nullopt;
    }
    SQLite::Statement select(database_,
                             "SELECT s.taken_at FROM snapshot s JOIN series r USING (series_id) "
                             "WHERE r.name = ?1 AND s.tag = ?2 AND s.taken_at = (SELECT "
                             "max(taken_at) FROM snapshot o WHERE o.series_id = s.series_id "
                             "AND o.taken_at < ?3)");
    rebind(select, series_of_tag(tag), tag, moment);
    if (!select.executeStep()) {
        return std::nullopt;
    }
    const Moment before = select.getColumn(0).getInt64();
    history_->flush();
    dictionary_.flush();
    auto found = ExistingSnapshot::find(database_, tag, before);
    return found && !difference(*found, kind, before, state) ? std::move(found) : std::nullopt;
}

void GraphLoad::write(const GraphInput& input, GraphKind kind, Moment moment, const State& state,
                      const std::vector<NodeRows::Finding>& findings) {
    SnapshotWriter writer(database_, dictionary_, *history_,
                          {input.tag, moment, input.source, state.is_held,
                           std::string(word_of(kind)), state.unobserved});
    rows_->begin(state.cache);
    auto head = state.heads.begin();
    for_each_package(state.cache, [&](std::span<const PresentSpec> specs) {
        const std::int64_t package_id = specs.front().spec.package_id;
        KnownPage page;
        static_cast<PageHead&>(page) = *head++;
        page.page_id = rows_->page(page, package_id);
        if (!writer.keep(page, "")) {
            writer.observe_state(package_id, page.page_id, rows_->seen(specs));
        }
    });
    if (!state.is_held) {
        roots_.set(writer.series_id(), moment, state.roots);
    }
    add_findings(input, findings, writer);
    write_files(database_, writer.snapshot_id(), files_of(input));
    add_loaded(input, moment, writer);
}

void GraphLoad::add_loaded(const GraphInput& input, Moment moment, SnapshotWriter& writer) {
    writer.finish();
    const std::string name = snapshot_name(input.tag, moment);
    CommitLog(database_).restore(commits_[name], writer.snapshot_id());
    result_.loaded.push_back(name);
    result_.snapshots[input.tag] = writer.snapshot_id();
    has_changed_ = true;
}

void GraphLoad::add_findings(const GraphInput& input,
                             const std::vector<NodeRows::Finding>& findings,
                             SnapshotWriter& writer) {
    std::size_t more = 0;
    std::size_t kept = 0;
    const auto add = [&](const std::optional<std::string>& package,
                         const std::optional<std::string>& path, const PageFinding& finding) {
        if (kept++ < most_findings) {
            writer.add_finding(package, path, finding);
        } else {
            ++more;
        }
    };
    if (input.about_moment) {
        add(std::nullopt, std::nullopt, *input.about_moment);
    }
    const FindingKind unread_kind =
        input.files.empty() ? FindingKind("file-unreadable") : FindingKind("label-unreadable");
    for (const UnreadGraph& unread : input.unread) {
        add(std::nullopt, unread.name, {unread_kind, "", unread.problem});
    }
    for (const GraphSource& source : input.files) {
        for (const PageFinding& finding : source.file.findings) {
            add(std::nullopt, source.name, finding);
        }
        more += source.file.more_findings;
    }
    for (const Problem& unread : input.unread_sizes) {
        add(std::nullopt, unread.file, {"size-unreadable", "", unread.message()});
    }
    const auto only_file = input.files.size() == 1 ? std::optional(input.files.front().name)
                                                   : std::optional<std::string>();
    for (const NodeRows::Finding& found : findings) {
        add(found.package, found.package ? std::nullopt : only_file, found.finding);
    }
    if (more > 0) {
        writer.add_finding(std::nullopt, std::nullopt,
                           {"more-findings", "", fmt::format("{} more, not kept", more)});
    }
}

void GraphLoad::finish() {
    history_->flush();
    dictionary_.flush();
    if (!problems_.empty() &&
        (!options_.keep_going || (result_.loaded.empty() && result_.unchanged.empty() &&
                                  to_replace_.empty() && refusals_.empty()))) {
        if (!options_.keep_going && result_.pages > problems_.size()) {
            throw UnreadableFiles(problems_);
        }
        throw InputError(problems_);
    }
    if (!refusals_.empty()) {
        throw InputError(refusals_);
    }
    result_.bad_pages = problems_;
    result_.bad_pages.insert(result_.bad_pages.end(), unread_sizes_.begin(), unread_sizes_.end());
}

}  // namespace cacheledger
