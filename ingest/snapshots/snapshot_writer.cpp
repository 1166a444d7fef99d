#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/snapshots/load.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

// What a snapshot of a GraphInput observes, and how one is written.
namespace cacheledger {

namespace {

constexpr std::uint32_t absent = 0;

std::string stack_of_label(const std::string& label) {
    return label.empty() ? stack_of_all : label;
}

bool is_root(const GraphSource& source) {
    return stack_of_label(source.label) == stack_of_all;
}

void refuse_bad_label(const GraphSource& source) {
    const auto is_bad = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ' ' || byte == 0x7f || c == ',';
    };
    if (std::ranges::any_of(source.label, is_bad)) {
        throw InputError(
            fmt::format("{}: expected the name of a stack, without commas, blanks and control "
                        "characters, found '{}'",
                        source.name, source.label));
    }
}

// The stacks of each node. Few sets occur, so each step from one to the next is made once. A set is
// the one before it and a stack: those that no node keeps take no names.
class NodeStacks {
  public:
    explicit NodeStacks(std::size_t nodes) : of_nodes_(nodes, absent) {}

    // `stack`: "" for none.
    void add(const std::vector<std::uint32_t>& present, const std::string& stack) {
        const auto [known, is_new_stack] = stacks_.insert(stack);
        std::map<std::uint32_t, std::uint32_t> next;
        for (const std::uint32_t node : present) {
            std::uint32_t& set = of_nodes_[node];
            const auto [found, is_new] = next.try_emplace(set, set);
            if (is_new && (is_new_stack || !has(set, *known))) {
                found->second = static_cast<std::uint32_t>(sets_.size());
                sets_.push_back({set, &*known});
            }
            set = found->second;
        }
    }

    // Whoever is in no index of `root` is absent.
    void restrict_to_root(const std::vector<GraphSource>& files) {
        std::vector<std::uint32_t> all(of_nodes_.size(), absent);
        for (const GraphSource& source : files) {
            if (is_root(source)) {
                for (const std::uint32_t node : source.file.present) {
                    all[node] = of_nodes_[node];
                }
            }
        }
        of_nodes_ = std::move(all);
    }

    PresentNodes present_nodes() const {
        PresentNodes present;
        std::vector<std::optional<std::uint32_t>> numbers(sets_.size());
        std::map<StackNames, std::uint32_t> known;
        for (std::uint32_t node = 0; node < of_nodes_.size(); ++node) {
            const std::uint32_t set = of_nodes_[node];
            if (set == absent) {
                continue;
            }
            if (!numbers[set]) {
                const auto [found, is_new] = known.try_emplace(
                    names_of(set), static_cast<std::uint32_t>(present.stack_sets.size()));
                if (is_new) {
                    present.stack_sets.push_back(found->first);
                }
                numbers[set] = found->second;
            }
            present.nodes.emplace_back(node, *numbers[set]);
        }
        return present;
    }

  private:
    struct Set {
        std::uint32_t before = absent;
        const std::string* stack = nullptr;
    };

    bool has(std::uint32_t set, const std::string& stack) const {
        for (; set != absent; set = sets_[set].before) {
            if (sets_[set].stack == &stack) {
                return true;
            }
        }
        return false;
    }

    StackNames names_of(std::uint32_t set) const {
        StackNames names;
        for (; set != absent; set = sets_[set].before) {
            if (!sets_[set].stack->empty()) {
                names.insert(*sets_[set].stack);
            }
        }
        return names;
    }

    std::set<std::string> stacks_;
    std::vector<Set> sets_{{}};  // the first stands for absent nodes
    std::vector<std::uint32_t> of_nodes_;
};

// Whether what the index of `root` does not list is not there.
bool has_all_in_root(const GraphInput& input) {
    return !input.has_views && std::ranges::any_of(input.files, is_root);
}

}  // namespace

SourceKind kind_of(const GraphInput& input) {
    const GraphSource& first = input.files.at(0);
    for (const GraphSource& source : input.files) {
        if (source.file.kind == SourceKind::spec) {
            throw InputError(fmt::format(
                "{}: expected an index, a lock file or an install database, found one spec",
                source.name));
        }
    }
    for (const GraphSource& source : input.files) {
        if (source.file.kind != first.file.kind) {
            throw UsageError(fmt::format("{} and {} can't make one snapshot: they are {} and {}",
                                         first.name, source.name, sources_of(first.file.kind),
                                         sources_of(source.file.kind)));
        }
        if (source.file.kind != SourceKind::index && !source.label.empty()) {
            throw UsageError(fmt::format("{}={}: the specs of {} are in no stack", source.label,
                                         source.name, sources_of(source.file.kind)));
        }
    }
    return first.file.kind;
}

PresentNodes present_nodes(const GraphInput& input) {
    const bool has_stacks = kind_of(input) == SourceKind::index;
    NodeStacks stacks(input.graph.nodes.size());
    for (const GraphSource& source : input.files) {
        refuse_bad_label(source);
        stacks.add(source.file.present, has_stacks ? stack_of_label(source.label) : "");
    }
    if (has_stacks && has_all_in_root(input)) {
        stacks.restrict_to_root(input.files);
    }
    return stacks.present_nodes();
}

CacheState state_of(const GraphInput& input, const PresentNodes& present,
                    const std::vector<KnownSpec>& specs) {
    CacheState state{present.stack_sets, {}};
    state.specs.reserve(present.nodes.size());
    for (const auto& [node, stacks] : present.nodes) {
        state.specs.push_back({specs[node], input.graph.nodes[node].hash, stacks});
    }
    sort_specs(state);
    return state;
}

std::vector<UnobservedStack> unobserved_stacks_of(const GraphInput& input) {
    const bool has_root = has_all_in_root(input);
    std::set<UnobservedStack> stacks;
    for (const UnreadGraph& unread : input.unread) {
        // With a second file of the same label something is known of it, but not all.
        stacks.insert({stack_of_label(unread.label), has_root});
    }
    return {stacks.begin(), stacks.end()};
}

std::vector<SeenRoot> roots_of(const GraphInput& input, const std::vector<KnownSpec>& specs) {
    // Of several roots with one text, the hash decides which is first, then the group.
    using Roots = std::vector<
        std::tuple<std::string, std::string, DagHash, std::optional<std::string>, std::int64_t>>;
    Roots all;
    for (const GraphSource& source : input.files) {
        Roots of_file;
        for (const Root& root : source.file.roots) {
            of_file.emplace_back(root.environment, root.text, input.graph.nodes[root.node].hash,
                                 root.group, specs[root.node].spec_id);
        }
        std::ranges::sort(of_file);
        Roots both;
        std::set_union(all.begin(), all.end(), of_file.begin(), of_file.end(),
                       std::back_inserter(both));
        all = std::move(both);
    }
    std::vector<SeenRoot> roots;
    for (const auto& [environment, text, hash, group, spec_id] : all) {
        const bool again =
            !roots.empty() && roots.back().environment == environment && roots.back().text == text;
        roots.push_back({environment, text, again ? roots.back().number + 1 : 0, spec_id, group});
    }
    return roots;
}

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
    const std::int64_t package_id = dictionary_.words.package(page.package);
    note_observed(package_id);
    dictionary_.words.begin_page(page.values);
    Conflicts conflicts(database_);
    std::vector<SeenSpec> state;
    state.reserve(page.specs.size());
    for (const SpecEntry& entry : page.specs) {
        const KnownSpec spec = dictionary_.spec(package_id, entry, conflicts);
        state.push_back({spec.look_id, spec.spec_id, dictionary_.words.stack_set(entry.stacks)});
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

bool SnapshotWriter::keep_others() {
    others_stay_ = can_append() && !partial_;
    return others_stay_;
}

void SnapshotWriter::add_finding(const std::optional<std::string>& package,
                                 const std::optional<std::string>& path,
                                 const PageFinding& finding) {
    const std::int64_t package_id = package ? dictionary_.words.package(*package) : 0;
    insert_finding_(std::nullopt, snapshot_id_, null_if_zero(package_id), path, finding.kind.word(),
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
