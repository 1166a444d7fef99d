#include "ingest/rows/nodes/node_rows.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "ingest/rows/specs/spec_rows.hpp"

namespace cacheledger {

NodeRows::NodeRows(SQLite::Database& database, Dictionary& dictionary)
    : database_(database),
      dictionary_(dictionary),
      words_(database),
      stored_(database, dictionary.specs, words_),
      select_node_(database, "SELECT 1 FROM node WHERE spec_id = ?"),
      update_node_(database,
                   "UPDATE node SET recipe_id = ?, form = ?, compiler_from = ?, hash_state = ?, "
                   "target_definition_id = ?, build_hash = ?, provided_virtuals = ?, digest = ?, "
                   "read_again = ? WHERE spec_id = ?"),
      delete_dependencies_(database, "DELETE FROM dependency WHERE spec_id = ?"),
      // Only of pages all specs of which have a compiler now, whenever they were in force.
      delete_missing_(
          database,
          "DELETE FROM finding WHERE kind = 'compiler-missing' AND package_id = ?1 "
          "AND page_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_presence g "
          "CROSS JOIN presence p ON p.series_id = g.series_id AND p.package_id = g.package_id "
          "AND (p.valid_to IS NULL OR p.valid_to > g.valid_from) "
          "AND (g.valid_to IS NULL OR g.valid_to > p.valid_from) "
          "JOIN look l ON l.look_id = p.look_id "
          "WHERE g.page_id = finding.page_id AND l.compiler_id IS NULL)"),
      insert_node_(database,
                   "node (spec_id, recipe_id, form, compiler_from, hash_state, "
                   "target_definition_id, build_hash, provided_virtuals, digest, read_again)"),
      insert_dependency_(database, "dependency (spec_id, dependency_id, edge_kind_id)"),
      last_node_(only_value<Id>(database, "SELECT max(spec_id) FROM node")) {
    dictionary.specs.may_read_all();
}

NodeRows::Id NodeRows::package_of(const Node& node, Pass& pass) {
    return id_of_shared(pass.packages, *node.package,
                        [&] { return dictionary_.words.package(node.package->text); });
}

Conflicts& NodeRows::conflicts_of(Id package_id, const Node& node, Pass& pass) {
    return pass.conflicts
        .try_emplace(package_id, node.package->text, Conflicts(database_, pass.source))
        .first->second.second;
}

// Makes the look of a known spec whole, and decides what stays where the node contradicts it.
void NodeRows::merge_look(const Node& node, const KnownSpec& spec, Pass& pass) {
    Words& words = dictionary_.words;
    const LookKey known = dictionary_.specs.key_of(spec.look_id);
    const LookKey given = {known[0], words.version(*node.version), words.arch(*node.arch),
                           words.variant_set(*node.variants), words.compiler(node.compiler)};
    LookKey filled = known;
    LookKey said = given;
    for (std::size_t i = 0; i < filled.size(); ++i) {
        filled[i] = known[i] == 0 ? given[i] : known[i];
        said[i] = given[i] == 0 ? known[i] : given[i];
    }
    LookKey both = filled;
    if (said != filled) {
        const Kept kept = is_described(spec.spec_id)
                              ? preferred(stored_.read(spec.spec_id).node, node)
                              : Kept::given;
        conflicts_of(known[0], node, pass).add(node.hash, filled, said, kept);
        both = kept == Kept::given ? said : filled;
        pass.written.leaves_over = true;  // the values that are not kept
    }
    if (both != known) {
        pass.new_looks.push_back(
            {node.hash, spec, dictionary_.specs.look(both), !is_only_named(known)});
    }
}

// The spec of a node, which is written if the ledger does not have it.
KnownSpec NodeRows::spec_of(std::uint32_t index, Pass& pass) {
    const Node& node = pass.graph.nodes[index];
    const Id package_id = package_of(node, pass);
    SpecRows& specs = dictionary_.specs;
    Words& words = dictionary_.words;
    const KnownSpec* const first = specs.find(node.hash);
    const KnownSpec* const known = first == nullptr ? nullptr : specs.find(node.hash, package_id);
    if (known != nullptr) {
        const KnownSpec spec = *known;
        if (node.is_described()) {
            merge_look(node, spec, pass);
            (is_described(spec.spec_id) ? pass.known_nodes : pass.new_nodes)
                .push_back({spec.spec_id, index});
        }
        return spec;
    }
    LookKey key{package_id};
    if (node.is_described()) {
        key = {package_id, words.version(*node.version), words.arch(*node.arch),
               words.variant_set(*node.variants), words.compiler(node.compiler)};
    }
    if (first != nullptr) {
        conflicts_of(package_id, node, pass)
            .add_claim(node.hash, LookKey(specs.key_of(first->look_id)), key);
    }
    const KnownSpec spec = specs.insert(node.hash, key, std::nullopt);
    if (node.is_described()) {
        pass.new_nodes.push_back({spec.spec_id, index});
    }
    pass.written.changed = true;
    return spec;
}

NodeRow NodeRows::row_of(const Node& node, Pass& pass) {
    std::optional<Id> target;
    if (node.features != nullptr) {
        target = id_of_shared(pass.features, *node.features,
                              [&] { return words_.target_definition(node.features->text); });
    }
    const Id recipe =
        id_of_shared(pass.recipes, *node.recipe, [&] { return words_.recipe(*node.recipe); });
    NodeRow row = row_of_node(node, recipe, target);
    row.dependencies.reserve(node.num_edges);
    for (const Edge& edge : pass.graph.edges_of(node)) {
        const auto [kind, is_new] = pass.kinds.try_emplace({edge.types, edge.virtuals});
        if (is_new) {
            kind->second = words_.edge_kind({edge.types, text_of_shared(edge.virtuals)});
        }
        row.dependencies.emplace_back(pass.written.specs[edge.child].spec_id, kind->second);
    }
    std::ranges::sort(row.dependencies);
    row.dependencies.erase(std::unique(row.dependencies.begin(), row.dependencies.end()),
                           row.dependencies.end());
    return row;
}

// After this the look in Written::specs is the new one, too.
void NodeRows::write_looks(Pass& pass) {
    dictionary_.specs.write_specs();
    std::set<Id> packages;
    std::map<Id, Id> looks;
    for (const NewLook& changed : pass.new_looks) {
        dictionary_.specs.change_look(changed.hash, changed.spec, changed.look_id);
        looks.emplace(changed.spec.spec_id, changed.look_id);
        if (changed.had_look) {
            packages.insert(changed.spec.package_id);
            pass.written.changed_looks = true;
        }
    }
    for (KnownSpec& spec : pass.written.specs) {
        if (const auto changed = looks.find(spec.spec_id); changed != looks.end()) {
            spec.look_id = changed->second;
        }
    }
    for (const Id package_id : packages) {
        delete_missing_(package_id);
    }
    pass.written.changed = true;
}

void NodeRows::insert_dependencies(Id spec_id, const NodeRow& row) {
    for (const auto& [dependency_id, kind_id] : row.dependencies) {
        insert_dependency_.add(spec_id, dependency_id, kind_id);
    }
}

void NodeRows::write_new(Pass& pass) {
    std::ranges::sort(pass.new_nodes,
                      [](const NewNode& a, const NewNode& b) { return a.spec_id < b.spec_id; });
    const auto number = static_cast<std::int64_t>(pass.new_nodes.size());
    const bool is_most =
        only_value<std::int64_t>(database_, "SELECT count(*) FROM (SELECT 1 FROM node LIMIT ?)",
                                 number) < number;
    std::optional<DeferredIndexes> deferred;
    if (is_most) {  // sorting all keys is then the sooner way
        deferred.emplace(database_, std::vector<std::string>{"node_recipe", "node_build_hash",
                                                             "dependency_dependent"});
    }
    for (const NewNode& node : pass.new_nodes) {
        NodeRow row = row_of(pass.graph.nodes[node.node], pass);
        insert_dependencies(node.spec_id, row);
        std::apply([&](auto&... columns) { insert_node_.add(node.spec_id, std::move(columns)...); },
                   row.columns);
        last_node_ = std::max(last_node_, node.spec_id);
        pass.written.new_nodes.push_back(node.node);
    }
    insert_node_.flush();
    insert_dependency_.flush();
    if (deferred) {
        deferred->restore();
    }
    new_nodes_ += number;
    pass.written.changed = true;
}

// As those of StoredNodes.
std::vector<Edge> NodeRows::edges_of(const Node& node, const Pass& pass) {
    std::vector<Edge> edges;
    edges.reserve(node.num_edges);
    for (const Edge& edge : pass.graph.edges_of(node)) {
        edges.push_back({static_cast<std::uint32_t>(pass.written.specs[edge.child].spec_id),
                         edge.types, edge.virtuals});
    }
    sort_edges(edges);
    return edges;
}

void NodeRows::update(Id spec_id, const NodeRow& known, const NodeRow& both) {
    std::apply(update_node_, std::tuple_cat(both.columns, std::tuple(spec_id)));
    if (both.dependencies != known.dependencies) {
        delete_dependencies_(spec_id);
        insert_dependencies(spec_id, both);
        // Its rows may be asked for in this pass again.
        insert_dependency_.flush();
    }
}

// Whether there was something to merge.
bool NodeRows::merge_known(const NewNode& known, Pass& pass) {
    const Node& node = pass.graph.nodes[known.node];
    Spelled both = stored_.read(known.spec_id);
    Spelled given{node, edges_of(node, pass)};
    if (says_the_same(both, given)) {
        // Where a dependency has another name than its dependents use, it may be another spec.
        pass.written.leaves_over =
            pass.written.leaves_over ||
            !std::equal(both.edges.begin(), both.edges.end(), given.edges.begin(),
                        given.edges.end(),
                        [](const Edge& a, const Edge& b) { return a.child == b.child; });
        return false;
    }
    const NodeRow before = stored_.row_of(both);
    const NodeRow said = stored_.row_of(given);
    const NameChild name_child = [&](std::uint32_t child) { return stored_.name_of(child); };
    const MergeRule rule{name_child, stored_.recipes(), pass.source};
    both.node.package = node.package;
    Conflicts& conflicts = conflicts_of(pass.written.specs[known.node].package_id, node, pass);
    for (std::string& difference : rule.merge(both, std::move(given))) {
        conflicts.add_other(node.hash, std::move(difference));
    }
    const NodeRow row = stored_.row_of(both);
    if (lacks_a_child(row, before) || lacks_a_child(row, said)) {
        pass.written.leaves_over = true;
    }
    if (row != before) {
        update(known.spec_id, before, row);
        pass.written.changed = true;
    }
    return true;
}

void NodeRows::merge_known(Pass& pass) {
    bool has_merged = false;
    for (const NewNode& known : pass.known_nodes) {
        has_merged = merge_known(known, pass) || has_merged;
    }
    stored_.clear();
    if (has_merged) {
        words_.drop_unused();
    }
}

// What a node that was not parsed needs is known to the ledger only. So where there is such a one,
// all that the ledger knows may be needed.
std::vector<bool> NodeRows::wanted_nodes(const std::vector<std::uint32_t>& present, Pass& pass) {
    const std::vector<Node>& nodes = pass.graph.nodes;
    std::vector<bool> wanted(nodes.size());
    reach(pass.graph, present, wanted);
    if (std::ranges::any_of(nodes, [](const Node& node) {
            return !node.is_described() && node.digest != TextDigest{};
        })) {
        reach_through_ledger(pass, wanted);
    }
    return wanted;
}

// Only a node that was parsed, is not reached through others that were, and is in the ledger can
// be one that such a node needs. There are few or none.
void NodeRows::reach_through_ledger(Pass& pass, std::vector<bool>& wanted) {
    const std::vector<Node>& nodes = pass.graph.nodes;
    std::unordered_map<Id, std::uint32_t> unreached;  // by spec_id
    std::vector<std::uint32_t> named;
    for (std::uint32_t index = 0; index < nodes.size(); ++index) {
        if (wanted[index]) {
            continue;
        }
        const KnownSpec* const known = dictionary_.specs.find(nodes[index].hash);
        if (known == nullptr) {
            continue;
        }
        if (nodes[index].is_described()) {
            unreached.emplace(known->spec_id, index);
        } else {
            named.push_back(index);
        }
    }
    const Select<Id> children(database_,
                              "SELECT DISTINCT dependency_id FROM dependency WHERE spec_id = ?");
    std::vector<bool> is_asked(nodes.size());
    for (bool has_more = !unreached.empty(); std::exchange(has_more, false);) {
        for (std::uint32_t index = 0; index < nodes.size(); ++index) {
            if (!wanted[index] || nodes[index].is_described() || is_asked[index]) {
                continue;
            }
            is_asked[index] = true;
            const KnownSpec* known = dictionary_.specs.find(nodes[index].hash);
            if (known != nullptr) {  // of the packages that claim the hash, that of the text
                known = dictionary_.specs.find(nodes[index].hash, package_of(nodes[index], pass));
            }
            for (const auto& [child_id] : children(known == nullptr ? 0 : known->spec_id)) {
                const auto child = unreached.find(child_id);
                if (child != unreached.end() && !wanted[child->second]) {
                    reach(pass.graph, {child->second}, wanted);
                    has_more = true;
                }
            }
        }
    }
    reach(pass.graph, named, wanted);  // they are in the ledger as they are
}

NodeRows::Written NodeRows::write(const Graph& graph, const std::vector<std::uint32_t>& present,
                                  const std::string& source) {
    Pass pass{graph, source, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    dictionary_.words.begin_page(graph.values);
    pass.written.specs.reserve(graph.nodes.size());
    const std::vector<bool> wanted = wanted_nodes(present, pass);
    for (std::uint32_t index = 0; index < graph.nodes.size(); ++index) {
        pass.written.specs.push_back(wanted[index] ? spec_of(index, pass) : KnownSpec());
    }
    if (!pass.new_looks.empty()) {
        write_looks(pass);
    }
    dictionary_.specs.write_specs();  // merging reads their hashes
    if (!pass.new_nodes.empty()) {
        write_new(pass);
    }
    merge_known(pass);
    for (const auto& [package_id, named] : pass.conflicts) {
        for (PageFinding& finding : named.second.findings()) {
            pass.written.findings.push_back({named.first, std::move(finding)});
        }
    }
    return std::move(pass.written);
}

}  // namespace cacheledger
