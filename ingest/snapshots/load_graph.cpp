#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/rows/nodes/node_rows.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "ingest/snapshots/load.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"

// What Load does with indexes, lock files and install databases.
namespace cacheledger {

namespace {

using NodeFindings = std::vector<NodeRows::Finding>;

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

// What says of external nodes that they are, although they are not written: nothing would tell when
// they can be forgotten. schema/ledger/wishes/wanted_builds.cpp reads it.
void note_unused_externals(const GraphInput& input, const std::vector<KnownSpec>& specs,
                           NodeFindings& findings) {
    for (std::uint32_t index = 0; index < specs.size(); ++index) {
        const Node& node = input.graph.nodes[index];
        if (specs[index].spec_id == 0 && node.is_described() && node.recipe->external &&
            node.version != nullptr) {
            findings.push_back(
                {node.package->text,
                 {"external-unused", "",
                  fmt::format("{}@{} /{} is external, and nothing needs it", node.package->text,
                              node.version->text, text_of(node.hash))}});
        }
    }
}

// How many nodes were written without being present.
std::size_t needed_specs(const std::vector<KnownSpec>& specs, const PresentNodes& present) {
    const auto written =
        std::ranges::count_if(specs, [](const KnownSpec& spec) { return spec.spec_id != 0; });
    return static_cast<std::size_t>(written) - present.nodes.size();
}

// Whether any is new. `specs`: by index into Graph::nodes; they must be written.
bool write_build_hashes(SQLite::Database& database, const GraphInput& input,
                        const std::vector<KnownSpec>& specs) {
    const Write insert(database,
                       "INSERT INTO spec_build_hash (build_hash, spec_id) VALUES (?, ?) "
                       "ON CONFLICT DO NOTHING");
    bool has_new = false;
    for (const GraphSource& source : input.files) {
        for (const BuildHash& one : source.file.build_hashes) {
            const std::int64_t spec_id = specs[one.node].spec_id;
            if (spec_id != 0) {
                insert(text_of(one.hash), spec_id);
                has_new = has_new || database.getChanges() > 0;
            }
        }
    }
    return has_new;
}

// Gives a size to each node of the graph that has none in the ledger, whether it is in the snapshot
// or only needed by others. Of several sizes of a hash the smallest is taken. A spec that nothing
// describes gets no size: the page that describes it later would seem to lack what an earlier page
// gave (ingest/rows/earlier/existing_snapshot.cpp). Returns whether the ledger has more than
// before.
bool write_sizes(SQLite::Database& database, const GraphInput& input,
                 const std::vector<KnownSpec>& specs, NodeFindings& findings) {
    std::vector<BinarySize> sizes = input.sizes;
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const Select<std::optional<std::string>> select(
        database, "SELECT size FROM spec JOIN node USING (spec_id) WHERE spec_id = ?");
    const Write update(database, "UPDATE spec SET size = ? WHERE spec_id = ?");
    bool has_changed = false;
    for (std::uint32_t index = 0; index < specs.size() && !sizes.empty(); ++index) {
        const Node& node = input.graph.nodes[index];
        const std::int64_t spec_id = specs[index].spec_id;
        for (auto size = std::lower_bound(sizes.begin(), sizes.end(), BinarySize{node.hash, 0});
             size != sizes.end() && size->hash == node.hash; ++size) {
            const auto known = select(spec_id).first();
            if (!known) {
                continue;
            }
            const std::string given = std::to_string(size->bytes);
            if (!*known) {
                update(given, spec_id);
                has_changed = true;
            } else if (**known != given) {
                findings.push_back(
                    {node.package->text, size_conflict(node.hash, **known, given, "the mirror")});
            }
        }
    }
    return has_changed;
}

// What the indexes and the files of their mirrors disagree about, as in GraphState.
std::vector<std::string> findings_of_mirrors(const GraphInput& input) {
    std::vector<std::string> texts;
    texts.reserve(input.of_mirrors.size());
    for (const MirrorFinding& finding : input.of_mirrors) {
        texts.push_back(fmt::format("{} {}", finding.kind.word(), finding.detail));
    }
    std::ranges::sort(texts);
    return texts;
}

// The same of a snapshot.
std::vector<std::string> findings_of_mirrors(SQLite::Database& database, std::int64_t snapshot_id) {
    return all_values<std::string>(database,
                                   "SELECT kind || ' ' || detail FROM finding WHERE snapshot_id = "
                                   "? AND kind IN ('index-stale', 'binary-missing', "
                                   "'binary-unlisted') ORDER BY 1",
                                   snapshot_id);
}

// In what the snapshot differs from the state, in words.
std::optional<std::string> difference(Writing& writing, const ExistingSnapshot& existing,
                                      const GraphState& state) {
    if (existing.kind() != state.kind) {
        return fmt::format("it is made from {}", sources_of(existing.kind()));
    }
    if (existing.is_partial() || state.is_held) {
        return std::string("one of the two could not be read");
    }
    if (auto other = existing.other_state(state.packages)) {
        return other;
    }
    if (unobserved_stacks_of(writing.database, existing.snapshot_id()) != state.unobserved) {
        return std::string("other stacks could not be read");
    }
    if (writing.history->roots_at(existing.series_id(), existing.taken_at()) != state.roots) {
        return std::string("it has other roots");
    }
    if (findings_of_mirrors(writing.database, existing.snapshot_id()) != state.of_mirrors) {
        return std::string("its mirror had other files");
    }
    return std::nullopt;
}

// `kept`: how many findings the snapshot has already.
void note_findings(const GraphInput& input, const NodeFindings& findings, std::size_t kept,
                   SnapshotWriter& writer) {
    std::size_t more = 0;
    const auto add = [&](const std::optional<std::string>& package,
                         const std::optional<std::string>& path, const PageFinding& finding) {
        if (kept++ < most_findings) {
            writer.add_finding(package, path, finding);
        } else {
            ++more;
        }
    };
    const FindingKind unread_kind =
        input.files.empty() ? FindingKind("file-unreadable") : FindingKind("label-unreadable");
    for (const UnreadGraph& unread : input.unread) {
        add(std::nullopt, unread.name, {unread_kind, "", unread.problem});
    }
    for (const UnreadGraph& unread : input.unread_specs) {
        add(std::nullopt, unread.name, {"spec-unreadable", "", unread.problem});
    }
    more += input.more_unread_specs;
    for (const GraphSource& source : input.files) {
        for (const PageFinding& finding : source.file.findings.kept()) {
            add(std::nullopt, source.name, finding);
        }
        more += source.file.findings.more();
    }
    for (const Problem& unread : input.unread_sizes) {
        add(std::nullopt, unread.file, {"size-unreadable", "", unread.message()});
    }
    const auto only_file = input.files.size() == 1 ? std::optional(input.files.front().name)
                                                   : std::optional<std::string>();
    for (const MirrorFinding& found : input.of_mirrors) {
        writer.add_finding(found.package, found.path, {found.kind, "", found.detail});
    }
    for (const NodeRows::Finding& found : findings) {
        add(found.package, found.package ? std::nullopt : only_file, found.finding);
    }
    if (more > 0) {
        writer.add_finding(std::nullopt, std::nullopt,
                           {"more-findings", "", fmt::format("{} more, not kept", more)});
    }
}

}  // namespace

void Load::take(const GraphInput& input) {
    if (const auto problem = tag_problem(input.tag)) {
        throw UsageError(fmt::format("--tag '{}': {}", input.tag, *problem));
    }
    const SnapshotMoment at = moment_of(input.tag);
    if (!given_.insert(snapshot_name(input.tag, at.moment)).second) {
        throw UsageError(fmt::format("'{}' is given twice", input.tag));
    }
    if (input.absent) {
        GraphState state;
        state.kind = *input.absent;
        state.is_held = !input.unread.empty();
        settle(input, at, state, {});
        return;
    }
    for (const UnreadGraph& unread : input.unread) {
        problems_.push_back(unread.problem);
    }
    for (const UnreadGraph& unread : input.unread_specs) {
        problems_.push_back(unread.problem);
    }
    if (input.more_unread_specs > 0) {
        problems_.push_back(
            fmt::format("{} more spec files can't be read", input.more_unread_specs));
    }
    if (input.same_as) {
        take_same(input, at);
    } else if (!input.files.empty()) {
        // With unread files and no --keep-going the load fails; the rest is read for what else is
        // wrong.
        take_files(input, at);
    }
}

std::optional<FilesBefore> Load::files_before(const std::string& tag) {
    writing_.flush();
    auto before = find_files_before(database_, tag, moment_of(tag).moment);
    // With --if-changed, the snapshot of the same tag counts, which may be an earlier one.
    return before && options_.if_changed && before->tag != tag ? std::nullopt : std::move(before);
}

// Everything that the snapshot before has stays, and so do the nodes that it needs.
void Load::take_same(const GraphInput& input, const SnapshotMoment& at) {
    const FilesBefore& before = *input.same_as;
    result_.pages += before.files.size();
    result_.specs += before.specs;
    if (before.is_at_moment || options_.if_changed) {
        note_unchanged(input.tag, before.snapshot_id, before.name);
        return;
    }
    const auto writer =
        begin({input.tag, at.moment, input.source, false, before.kind, {}}, std::nullopt);
    writer->keep_others();
    write_files(database_, writer->snapshot_id(), before.files);
    end(*writer, input.tag);
}

void Load::take_files(const GraphInput& input, const SnapshotMoment& at) {
    const SourceKind kind = kind_of(input);
    refuse_other_kinds(database_, input.tag, kind);
    const PresentNodes present = present_nodes(input);
    writing_.history->flush();
    NodeRows::Written written = writing_.nodes().write(input.graph, nodes_to_write(input, present),
                                                       std::string(source_of(kind)));
    if (auto missing =
            missing_dependencies(database_, input.graph, written.specs, input.files.size())) {
        written.findings.push_back({std::nullopt, std::move(*missing)});
    }
    note_unused_externals(input, written.specs, written.findings);
    const bool has_new_names = write_build_hashes(database_, input, written.specs);
    const bool has_new_sizes = write_sizes(database_, input, written.specs, written.findings);
    const bool has_new_targets = write_target_parents(database_, input.graph.target_parents);
    has_changed_ =
        has_changed_ || written.changed || has_new_names || has_new_sizes || has_new_targets;
    leaves_over_ = leaves_over_ || written.leaves_over;
    if (!input.unread_sizes.empty()) {
        unread_sizes_.push_back(fmt::format("the sizes in {} spec manifests, the first: {}",
                                            input.unread_sizes.size(),
                                            input.unread_sizes.front().message()));
    }
    if (written.changed_looks) {
        writing_.history.emplace(database_);  // it remembers looks
    }
    writing_.add_known(input.graph, written);
    const GraphState state = state_of_files(input, present, written.specs, at.moment);
    result_.pages += input.files.size();
    result_.specs += state.cache.specs.size();
    result_.needed_specs += needed_specs(written.specs, present);
    settle(input, at, state, written.findings);
}

GraphState Load::state_of_files(const GraphInput& input, const PresentNodes& present,
                                const std::vector<KnownSpec>& specs, Moment moment) {
    GraphState state;
    state.kind = kind_of(input);
    state.cache = state_of(input, present, specs);
    state.roots = roots_of(input, specs);
    state.of_mirrors = findings_of_mirrors(input);
    if (state.kind == SourceKind::index && !input.unread.empty()) {
        state.unobserved = unobserved_stacks_of(input);
        writing_.flush();
        const auto series = first_value<std::int64_t>(
            database_, "SELECT series_id FROM series WHERE name = ?", series_of_tag(input.tag));
        state.cache = with_unobserved(
            state.cache, series ? read_state(database_, *series, moment - 1) : CacheState(),
            state.unobserved);
    }
    for_each_package(state.cache, [&](std::span<const PresentSpec> of_package) {
        const std::string& package = writing_.states().package(of_package.front().spec.package_id);
        state.heads.push_back(head_of_state(package, of_package, state.cache.stack_sets));
        state.packages.emplace(package, state.heads.back().digest);
    });
    return state;
}

void Load::settle(const GraphInput& input, const SnapshotMoment& at, const GraphState& state,
                  const NodeFindings& findings) {
    writing_.history->flush();
    if (const auto existing = ExistingSnapshot::find(database_, input.tag, at.moment)) {
        settle(*existing, input.tag, difference(writing_, *existing, state));
    } else if (const auto before = same_before(input.tag, at.moment, state)) {
        note_unchanged(input.tag, before->snapshot_id(), before->name());
    } else {
        write(input, at, state, findings);
    }
}

// With --if-changed: the snapshot of the tag before this moment, if it says the same.
std::optional<ExistingSnapshot> Load::same_before(const std::string& tag, Moment moment,
                                                  const GraphState& state) {
    if (!options_.if_changed) {
        return std::nullopt;
    }
    const auto before =
        first_value<Moment>(database_,
                            "SELECT s.taken_at FROM snapshot s JOIN series r USING (series_id) "
                            "WHERE r.name = ?1 AND s.tag = ?2 AND s.taken_at = (SELECT "
                            "max(taken_at) FROM snapshot o WHERE o.series_id = s.series_id "
                            "AND o.taken_at < ?3)",
                            series_of_tag(tag), tag, moment);
    if (!before) {
        return std::nullopt;
    }
    writing_.flush();
    auto found = ExistingSnapshot::find(database_, tag, *before);
    return found && !difference(writing_, *found, state) ? std::move(found) : std::nullopt;
}

void Load::write(const GraphInput& input, const SnapshotMoment& at, const GraphState& state,
                 const NodeFindings& findings) {
    const auto writer =
        begin({input.tag, at.moment, input.source, state.is_held, state.kind, state.unobserved},
              at.finding);
    StateRows& rows = writing_.states();
    rows.begin(state.cache);
    auto head = state.heads.begin();
    for_each_package(state.cache, [&](std::span<const PresentSpec> specs) {
        const std::int64_t package_id = specs.front().spec.package_id;
        const std::int64_t page_id = rows.page(*head++, package_id);
        if (!writer->keep(package_id, page_id, "")) {
            writer->observe_state(package_id, page_id, rows.seen(specs));
        }
    });
    if (!state.is_held) {
        writing_.history->set_roots(writer->series_id(), at.moment, state.roots);
    }
    note_findings(input, findings, at.finding ? 1 : 0, *writer);
    write_files(database_, writer->snapshot_id(), files_of(input));
    end(*writer, input.tag);
}

}  // namespace cacheledger
