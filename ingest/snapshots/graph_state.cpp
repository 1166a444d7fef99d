#include "ingest/snapshots/graph_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "ingest/rows/earlier/earlier.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::uint32_t absent = 0;

std::string stack_of_label(const std::string& label) {
    return label.empty() ? stack_of_all : label;
}

void refuse_bad_label(const GraphSource& source) {
    const auto is_bad = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ' ' || byte == 0x7f || c == ',';
    };
    if (std::any_of(source.label.begin(), source.label.end(), is_bad)) {
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

    // Whoever is not among these is absent.
    void restrict_to(const std::vector<std::uint32_t>& present) {
        std::vector<std::uint32_t> all(of_nodes_.size(), absent);
        for (const std::uint32_t node : present) {
            all[node] = of_nodes_[node];
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

bool is_root(const GraphSource& source) {
    return stack_of_label(source.label) == stack_of_all;
}

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
        std::vector<std::uint32_t> of_root;
        for (const GraphSource& source : input.files) {
            if (is_root(source)) {
                of_root.insert(of_root.end(), source.file.present.begin(),
                               source.file.present.end());
            }
        }
        stacks.restrict_to(of_root);
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
    std::vector<UnobservedStack> stacks;
    for (const UnreadGraph& unread : input.unread) {
        // With a second file of the same label something is known of it, but not all.
        stacks.push_back({stack_of_label(unread.label), has_root});
    }
    std::sort(stacks.begin(), stacks.end());
    stacks.erase(std::unique(stacks.begin(), stacks.end()), stacks.end());
    return stacks;
}

std::vector<std::string> findings_of_mirrors(const GraphInput& input) {
    std::vector<std::string> texts;
    texts.reserve(input.of_mirrors.size());
    for (const MirrorFinding& finding : input.of_mirrors) {
        texts.push_back(fmt::format("{} {}", finding.kind.word(), finding.detail));
    }
    std::ranges::sort(texts);
    return texts;
}

std::vector<std::string> findings_of_mirrors(SQLite::Database& database, std::int64_t snapshot_id) {
    return all_values<std::string>(database,
                                   "SELECT kind || ' ' || detail FROM finding WHERE snapshot_id = "
                                   "? AND kind IN ('index-stale', 'binary-missing', "
                                   "'binary-unlisted') ORDER BY 1",
                                   snapshot_id);
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
        std::sort(of_file.begin(), of_file.end());
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

}  // namespace cacheledger
