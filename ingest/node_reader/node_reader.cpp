#include "ingest/node_reader/node_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "ingest/basics/problem.hpp"
#include "ingest/graph/recipes.hpp"
#include "ingest/json/json.hpp"
#include "ingest/node_reader/edge_reader.hpp"
#include "ingest/node_reader/node_hash.hpp"
#include "ingest/nodes/node_fields.hpp"
#include "ingest/nodes/node_parts.hpp"
#include "ingest/nodes/node_values.hpp"
#include "schema/hashing/keyed_hash.hpp"
#include "schema/spelling/package_name.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t patch_digits = 7;

// An empty text says nothing.
std::optional<std::string> said(std::string text) {
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::string patches_text(const std::vector<std::string>& patches) {
    std::set<std::string_view> sorted;
    for (const std::string& patch : patches) {
        sorted.insert(std::string_view(patch).substr(0, patch_digits));
    }
    return fmt::format("{}", fmt::join(sorted, " "));
}

}  // namespace

struct NodeReader::State {
    State(NodeParts& shared_parts, Recipes& shared_recipes)
        : parts(shared_parts), recipes(shared_recipes), edge_reader(parts.values()) {}

    NodeParts& parts;
    Recipes& recipes;
    EdgeReader edge_reader;
    simdjson::dom::parser parser;
    json::Texts texts;
    NodeFieldsReader fields_reader;
    NodeHash node_hash;
    std::vector<std::string_view> list;            // kept for its memory
    std::string written_recipe;                    // likewise
    TextMap<const Shared<Recipe>*> known_recipes;  // as they are written

    std::optional<DagHash> hash_of(const NodeFields& fields, NodeKey key) {
        const std::string_view written = fields.find(key);
        if (written.empty()) {
            return std::nullopt;
        }
        const std::string_view name = keys_of_node[static_cast<std::size_t>(key)];
        return read_hash(texts(written, name), name);
    }

    static DagHash read_hash(std::string_view text, std::string_view name) {
        if (!is_dag_hash(text)) {
            throw Problem(fmt::format("{}: expected 32 characters of a-z and 2-7, found '{}'", name,
                                      shortened(text, longest_quote)));
        }
        return dag_hash(text);
    }

    const Shared<Text>* read_version(const NodeFields& fields) {
        const std::string_view written = fields[NodeKey::version];
        if (json::is_plain(written) && written.size() > 2) {
            return parts.values().text(written.substr(1, written.size() - 2));
        }
        return parts.values().text(version_text(json::parse(parser, written), "version"));
    }

    const Shared<Text>* read_package(const NodeFields& fields) {
        const std::string_view name =
            fields.outer_name.empty() ? texts(fields[NodeKey::name], "name") : fields.outer_name;
        check_package_name(name);
        return parts.values().text(name);
    }

    // Most specs of a package share a recipe, and making one takes ten times as long as finding it.
    const Shared<Recipe>* recipe_of(const NodeFields& fields, const ParametersPart& parameters,
                                    UnknownKeys& unknown) {
        if (!fields.find(NodeKey::external).empty()) {
            return read_recipe(fields, parameters, unknown);  // counts what is not known in it
        }
        written_recipe.clear();
        const auto add = [&](std::string_view part) {  // with its size, so that no two are one
            const std::size_t size = part.size();
            written_recipe.append(reinterpret_cast<const char*>(&size), sizeof size).append(part);
        };
        for (const NodeKey key : {NodeKey::name_space, NodeKey::package_hash, NodeKey::patches}) {
            add(fields.find(key));
        }
        add(parameters.flags);
        for (const std::string& patch : parameters.patches) {
            add(patch);
        }
        if (const auto known = known_recipes.find(written_recipe); known != known_recipes.end()) {
            return known->second;
        }
        return known_recipes.emplace(written_recipe, read_recipe(fields, parameters, unknown))
            .first->second;
    }

    const Shared<Recipe>* read_recipe(const NodeFields& fields, const ParametersPart& parameters,
                                      UnknownKeys& unknown) {
        Recipe recipe;
        if (const std::string_view written = fields.find(NodeKey::name_space); !written.empty()) {
            recipe.name_space = said(canonical_name_space(texts(written, "namespace")));
        }
        if (const std::string_view written = fields.find(NodeKey::package_hash); !written.empty()) {
            recipe.package_hash = said(std::string(texts(written, "package_hash")));
        }
        recipe.flags = parameters.flags;
        std::vector<std::string> patches = parameters.patches;
        if (const std::string_view written = fields.find(NodeKey::patches); !written.empty()) {
            json::texts(json::parse(parser, written), "patches", list);
            patches.insert(patches.end(), list.begin(), list.end());
        }
        recipe.patches = patches_text(patches);
        if (const std::string_view written = fields.find(NodeKey::external); !written.empty()) {
            const ExternalPart& part = parts.external(written);
            count(part, unknown);
            recipe.external = part.external;
            recipe.external_path = part.path;
            recipe.external_modules = part.modules;
        }
        return recipes(std::move(recipe));
    }

    std::optional<DagHash> read_build_spec(const NodeFields& fields) {
        const std::string_view written = fields.find(NodeKey::build_spec);
        if (written.empty()) {
            return std::nullopt;
        }
        const json::Members members(json::parse(parser, written), "build_spec");
        const std::string_view key = members.find("hash") != nullptr ? "hash" : "build_hash";
        return read_hash(members.text(key), members.place(key));
    }

    const Shared<Text>* read_virtuals(const NodeFields& fields, std::uint8_t form) {
        const std::string_view written = fields.find(NodeKey::provided_virtuals);
        if (written.empty()) {
            return form < newest_form ? nullptr : parts.values().text("");
        }
        json::texts(json::parse(parser, written), "provided_virtuals", list);
        std::sort(list.begin(), list.end());
        return parts.values().text(fmt::format("{}", fmt::join(list, ",")));
    }

    static void count(const Part& part, UnknownKeys& unknown) {
        for (const std::string& key : part.unknown) {
            ++unknown[shortened(key, longest_quote)];
        }
    }

    // The form in which the node is written, which it may not have had from the first.
    static std::uint8_t form_of(const NodeFields& fields, EdgeForm edges, bool is_original_newest) {
        if (!fields.outer_name.empty()) {
            return 1;
        }
        if (fields.has(NodeKey::annotations) || !fields.has(NodeKey::compiler)) {
            return !fields.has(NodeKey::provided_virtuals) && !is_original_newest ? 5 : 6;
        }
        if (!fields.has(NodeKey::package_hash)) {
            return 2;
        }
        return edges == EdgeForm::with_parameters ? 4 : 3;
    }

    // Whether the hash is that of the text. Forms 3 and 4 differ in their edges only, and in how
    // they were hashed: where there are no edges, that tells them apart.
    bool is_recomputed(std::string_view text, const Digest& sha1, const Cut& cut, EdgeForm edges,
                       Node& node) {
        if (edges != EdgeForm::with_types &&
            node_hash.is_compact_hash(node.hash, text, cut, sha1)) {
            node.form = node.form == 3 ? 4 : node.form;
            return true;
        }
        return node.form <= 4 && node_hash.is_indented_hash(node.hash, text, cut);
    }

    // Whether another Spack than the one that hashed the node may have written it otherwise: it
    // rewrites edges, describes targets by its own table, and spells namespaces its own way.
    // External nodes change in more ways.
    static bool may_be_respelled(const Node& node, EdgeForm edges, const ArchPart& arch) {
        const auto& name_space = node.recipe->name_space;
        return (node.form == 4 && edges == EdgeForm::with_parameters) ||
               arch.has_described_target || node.recipe->external ||
               (name_space && name_space->find('_') != std::string::npos);
    }

    HashState hash_state(std::string_view text, const Digest& sha1, const Cut& cut, EdgeForm edges,
                         const ArchPart& arch, std::uint8_t written_form, Node& node) {
        if (written_form <= 2) {
            return HashState::unknowable;
        }
        if (node.build_hash) {
            return HashState::spliced;
        }
        if (node.form < written_form) {
            return HashState::respelled;
        }
        if (is_recomputed(text, sha1, cut, edges, node)) {
            return HashState::recomputed;
        }
        return may_be_respelled(node, edges, arch) ? HashState::respelled : HashState::wrong;
    }

    ReadNode read(std::string_view text, const Digest& sha1, std::vector<ReadEdge>& edges,
                  UnknownKeys& unknown);
};

ReadNode NodeReader::State::read(std::string_view text, const Digest& sha1,
                                 std::vector<ReadEdge>& edges, UnknownKeys& unknown) {
    const NodeFields& fields = fields_reader.read(text);
    for (const std::string& key : fields.unknown) {
        ++unknown[key];
    }
    ReadNode read;
    Node& node = read.node;
    node.package = read_package(fields);
    node.version = read_version(fields);
    const ArchPart& arch = parts.arch(fields[NodeKey::arch]);
    count(arch, unknown);
    node.arch = arch.arch;
    node.features = arch.features;
    const ParametersPart& parameters = parts.parameters(fields[NodeKey::parameters]);
    node.variants = parameters.variants;
    node.recipe = recipe_of(fields, parameters, unknown);

    const EdgeForm edge_form =
        edge_reader.read(fields.find(NodeKey::dependencies), edges, node.num_edges, unknown);
    std::optional<std::uint8_t> original_form;
    if (const std::string_view written = fields.find(NodeKey::compiler); !written.empty()) {
        const CompilerPart& part = parts.compiler(written);
        count(part, unknown);
        node.compiler = part.compiler;
        node.compiler_from = CompilerFrom::node;
    }
    if (const std::string_view written = fields.find(NodeKey::annotations); !written.empty()) {
        const AnnotationsPart& part = parts.annotations(written);
        count(part, unknown);
        if (node.compiler == nullptr && part.compiler != nullptr) {
            node.compiler = part.compiler;
            node.compiler_from = CompilerFrom::annotation;
        }
        original_form = part.original_form;
    }
    const std::uint8_t written_form = form_of(fields, edge_form, original_form == newest_form);
    node.form = std::min(written_form, original_form.value_or(written_form));
    node.provided_virtuals = read_virtuals(fields, node.form);
    node.build_hash = read_build_spec(fields);
    const auto hash = hash_of(fields, NodeKey::hash);
    const auto hash_of_2021 = hash_of(fields, NodeKey::hash_of_2021);
    read.has_hash = hash || hash_of_2021;
    node.hash = hash ? *hash : hash_of_2021.value_or(DagHash{});
    read.build_name = hash_of(fields, NodeKey::build_hash);
    read.full_name = hash_of(fields, NodeKey::full_hash);
    node.hash_state =
        hash ? hash_state(fields.text, sha1, fields.hash_cut, edge_form, arch, written_form, node)
             : HashState::unknowable;
    return read;
}

NodeReader::NodeReader(NodeParts& parts, Recipes& recipes)
    : state_(std::make_unique<State>(parts, recipes)) {}
NodeReader::~NodeReader() = default;

ReadNode NodeReader::read(std::string_view text, const Digest& sha1, std::vector<ReadEdge>& edges,
                          UnknownKeys& unknown) {
    UnknownKeys of_node;
    ReadNode read = state_->read(text, sha1, edges, of_node);
    read.node.digest = text_digest(sha1);
    read.node.read_again = !of_node.empty();
    for (const auto& [key, count] : of_node) {
        unknown[key] += count;
    }
    return read;
}

Node NodeReader::read_name(std::string_view text) {
    const NodeFields& fields = state_->fields_reader.read_name(text);
    Node node;
    node.package = state_->read_package(fields);
    node.version = state_->read_version(fields);
    return node;
}

}  // namespace cacheledger
