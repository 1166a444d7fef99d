#include "ingest/graphs/nodes/node_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/nodes/node_parts.hpp"
#include "ingest/pages/parts/node_fields.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t patch_digits = 7;

// What was made of parts of nodes, by their text.
template <typename Value>
class Known {
  public:
    template <typename Make>
    const Value& operator()(std::string_view written, const Make& make) {
        if (const auto found = known_.find(written); found != known_.end()) {
            return found->second;
        }
        Value value = make();
        // A file whose parts all differ gains nothing from what is kept of them.
        if (size_ > most_bytes) {
            known_.clear();
            size_ = 0;
        }
        size_ += written.size() + sizeof(typename TextMap<Value>::value_type);
        return known_.emplace(written, std::move(value)).first->second;
    }

  private:
    static constexpr std::size_t most_bytes = std::size_t{16} << 20;
    TextMap<Value> known_;
    std::size_t size_ = 0;
};

std::string patches_text(const std::vector<std::string>& patches) {
    std::set<std::string_view> sorted;
    for (const std::string& patch : patches) {
        sorted.insert(std::string_view(patch).substr(0, patch_digits));
    }
    return fmt::format("{}", fmt::join(sorted, " "));
}

}  // namespace

struct NodeReader::State {
    State(SharedValues& shared_values, Recipes& shared_recipes)
        : values(shared_values), recipes(shared_recipes) {}

    SharedValues& values;
    Recipes& recipes;
    simdjson::dom::parser parser;
    Known<ArchPart> archs;
    Known<ParametersPart> parameters;
    Known<ExternalPart> externals;
    Known<AnnotationsPart> annotations;
    Known<CompilerPart> compilers;
    Known<const Shared<Recipe>*> known_recipes;  // by all that they are made of
    std::vector<std::string_view> list;          // kept for their memory
    std::string memory, written_recipe;

    json::element parse(std::string_view written) { return json::parse(parser, written); }

    std::string_view text(const NodeFields& fields, NodeKey key) {
        return json::text(fields[key], name_of(key), memory);
    }

    // The part, its unknown keys counted. One that is not there says nothing.
    template <typename Value>
    const Value& part(Known<Value>& known, Value (*read_part)(const json::element&, SharedValues&),
                      std::string_view written, UnknownKeys& unknown) {
        static const Value none{};
        if (written.empty()) {
            return none;
        }
        const Value& found = known(written, [&] { return read_part(parse(written), values); });
        for (const std::string& key : found.unknown) {
            ++unknown[shortened(key, longest_quote)];
        }
        return found;
    }

    std::optional<DagHash> hash_of(const NodeFields& fields, NodeKey key) {
        return fields.has(key) ? std::optional(read_dag_hash(text(fields, key), name_of(key)))
                               : std::nullopt;
    }

    const Shared<Text>* read_version(const NodeFields& fields) {
        const std::string_view written = fields[NodeKey::version];
        if (json::is_plain(written) && written.size() > 2) {
            return values.text(written.substr(1, written.size() - 2));
        }
        return values.text(version_text(parse(written), "version"));
    }

    const Shared<Text>* read_package(const NodeFields& fields) {
        const std::string_view name =
            fields.outer_name.empty() ? text(fields, NodeKey::name) : fields.outer_name;
        check_package_name(name);
        return values.text(name);
    }

    // Most specs of a package share a recipe, and making one takes ten times as long as finding it.
    const Shared<Recipe>* recipe_of(const NodeFields& fields, const ParametersPart& of_parameters,
                                    UnknownKeys& unknown) {
        if (fields.has(NodeKey::external)) {
            return read_recipe(fields, of_parameters, unknown);  // counts what is not known in it
        }
        written_recipe.clear();
        const auto add = [&](std::string_view part) {  // with its size, so that no two are one
            const std::size_t size = part.size();
            written_recipe.append(reinterpret_cast<const char*>(&size), sizeof size).append(part);
        };
        for (const NodeKey key : {NodeKey::name_space, NodeKey::package_hash, NodeKey::patches}) {
            add(fields.find(key));
        }
        add(of_parameters.flags);
        for (const std::string& patch : of_parameters.patches) {
            add(patch);
        }
        return known_recipes(written_recipe,
                             [&] { return read_recipe(fields, of_parameters, unknown); });
    }

    const Shared<Recipe>* read_recipe(const NodeFields& fields, const ParametersPart& of_parameters,
                                      UnknownKeys& unknown) {
        Recipe recipe;
        if (fields.has(NodeKey::name_space)) {
            recipe.name_space = if_said(canonical_name_space(text(fields, NodeKey::name_space)));
        }
        if (fields.has(NodeKey::package_hash)) {
            recipe.package_hash = if_said(text(fields, NodeKey::package_hash));
        }
        recipe.flags = of_parameters.flags;
        std::vector<std::string> patches = of_parameters.patches;
        if (fields.has(NodeKey::patches)) {
            json::texts(parse(fields[NodeKey::patches]), "patches", list);
            patches.insert(patches.end(), list.begin(), list.end());
        }
        recipe.patches = patches_text(patches);
        const ExternalPart& external =
            part(externals, read_external, fields.find(NodeKey::external), unknown);
        recipe.external = external.external;
        recipe.external_path = external.path;
        recipe.external_modules = external.modules;
        return recipes(std::move(recipe));
    }

    std::optional<DagHash> read_build_spec(const NodeFields& fields) {
        if (!fields.has(NodeKey::build_spec)) {
            return std::nullopt;
        }
        const json::Members members(parse(fields[NodeKey::build_spec]), "build_spec");
        const std::string_view key = members.find("hash") != nullptr ? "hash" : "build_hash";
        return read_dag_hash(members.text(key), members.place(key));
    }

    const Shared<Text>* read_virtuals(const NodeFields& fields, std::uint8_t form) {
        if (!fields.has(NodeKey::provided_virtuals)) {
            return form < newest_form ? nullptr : values.text("");
        }
        json::texts(parse(fields[NodeKey::provided_virtuals]), "provided_virtuals", list);
        std::ranges::sort(list);
        return values.text(fmt::format("{}", fmt::join(list, ",")));
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
    static bool is_recomputed(std::string_view text, const Digest& sha1, const Cut& cut,
                              EdgeForm edges, Node& node) {
        if (edges != EdgeForm::with_types && is_compact_hash(node.hash, text, cut, sha1)) {
            node.form = node.form == 3 ? 4 : node.form;
            return true;
        }
        return node.form <= 4 && is_indented_hash(node.hash, text, cut);
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

    static HashState hash_state(std::string_view text, const Digest& sha1, const Cut& cut,
                                EdgeForm edges, const ArchPart& arch, std::uint8_t written_form,
                                Node& node) {
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

    Node& read(std::string_view written, const Digest& sha1, ReadNodes& into, UnknownKeys& unknown);
};

Node& NodeReader::State::read(std::string_view written, const Digest& sha1, ReadNodes& into,
                              UnknownKeys& unknown) {
    const NodeFields fields(written, parser);
    for (const std::string& key : fields.unknown) {
        ++unknown[key];
    }
    Node node;
    node.package = read_package(fields);
    node.version = read_version(fields);
    const ArchPart& arch = part(archs, read_arch, fields[NodeKey::arch], unknown);
    node.arch = arch.arch;
    node.features = arch.features;
    const ParametersPart& of_parameters =
        part(parameters, read_parameters, fields[NodeKey::parameters], unknown);
    node.variants = of_parameters.variants;
    node.recipe = recipe_of(fields, of_parameters, unknown);

    EdgeForm edge_form = EdgeForm::none;
    node.first_edge = static_cast<std::uint32_t>(into.edges.size());
    if (fields.has(NodeKey::dependencies)) {
        edge_form = read_edges(parse(fields[NodeKey::dependencies]), values, into.edges, unknown);
        node.num_edges = static_cast<std::uint32_t>(into.edges.size()) - node.first_edge;
    }
    const CompilerPart& compiler =
        part(compilers, read_compiler, fields.find(NodeKey::compiler), unknown);
    const AnnotationsPart& annotation =
        part(annotations, read_annotations, fields.find(NodeKey::annotations), unknown);
    if (compiler.compiler != nullptr) {
        node.compiler = compiler.compiler;
        node.compiler_from = CompilerFrom::node;
    } else if (annotation.compiler != nullptr) {
        node.compiler = annotation.compiler;
        node.compiler_from = CompilerFrom::annotation;
    }
    const auto original_form = annotation.original_form;
    const std::uint8_t written_form = form_of(fields, edge_form, original_form == newest_form);
    node.form = std::min(written_form, original_form.value_or(written_form));
    node.provided_virtuals = read_virtuals(fields, node.form);
    node.build_hash = read_build_spec(fields);
    const auto hash = hash_of(fields, NodeKey::hash);
    const auto hash_of_2021 = hash_of(fields, NodeKey::hash_of_2021);
    node.hash = hash ? *hash : hash_of_2021.value_or(DagHash{});
    for (const NodeKey key : {NodeKey::build_hash, NodeKey::full_hash}) {
        if (const auto name = hash_of(fields, key)) {
            into.other_names.emplace_back(*name, static_cast<std::uint32_t>(into.nodes.size()));
        }
    }
    node.hash_state =
        hash ? hash_state(fields.text, sha1, fields.hash_cut, edge_form, arch, written_form, node)
             : HashState::unknowable;
    return into.nodes.emplace_back(node);
}

NodeReader::NodeReader(SharedValues& values, Recipes& recipes)
    : state_(std::make_unique<State>(values, recipes)) {}
NodeReader::~NodeReader() = default;

Node& NodeReader::read(std::string_view text, const Digest& sha1, ReadNodes& into,
                       UnknownKeys& unknown) {
    UnknownKeys of_node;
    Node& node = state_->read(text, sha1, into, of_node);
    node.digest = text_digest(sha1);
    node.read_again = !of_node.empty();
    for (const auto& [key, count] : of_node) {
        unknown[key] += count;
    }
    return node;
}

}  // namespace cacheledger
