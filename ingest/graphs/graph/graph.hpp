#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/specs/spelling/deptypes.hpp"
#include "schema/text/keyed_hash.hpp"

/// Nodes of concrete specs and their dependencies, in canonical form (docs/formats.md, "Nodes"), as
/// indexes, lock files and install databases give them. ingest/graphs/files reads a file,
/// ingest/graphs/nodes a node, and ingest/rows/nodes writes what the ledger keeps of one.
namespace cacheledger {

/// A dependency of a node.
struct Edge {
    std::uint32_t child = 0;  ///< index into Graph::nodes
    std::uint8_t types = 0;   ///< bits of DepType
    const Shared<Text>* virtuals =
        nullptr;  ///< "c,cxx", sorted; "" none; null: the form says nothing
};

/// Where the compiler of a node stands in the file.
enum class CompilerFrom : std::uint8_t { nothing, node, annotation, edge };

/// What became of the hash when it was computed again from the text of the node.
enum class HashState : std::uint8_t {
    recomputed,  ///< it is the hash of the text
    respelled,   ///< it is not, because another Spack wrote the node again
    spliced,     ///< the last 7 characters are not a hash of the text
    unknowable,  ///< forms 1 and 2: the text does not have all that was hashed
    wrong,       ///< it is not, and nothing explains it
};

/// A digest that tells texts apart.
using TextDigest = std::array<std::uint8_t, 16>;

/// What a node says of itself beside its look: see the table `recipe`. Null: not said.
struct Recipe {
    std::optional<std::string> name_space, package_hash, flags, patches;
    bool external = false;
    std::optional<std::string> external_path, external_modules;
    std::string text;  ///< all of it, in one text that tells recipes apart
};

/// One node. What its pointers lead to belongs to Graph::values. A node that is only named, as the
/// child of an edge, has no `recipe`, `version` and `arch`. Nor has one that the ledger has
/// already: it was not read, so it has no edges here either.
struct Node {
    DagHash hash{};
    const Shared<Text>* package = nullptr;
    const Shared<Text>* version = nullptr;
    const Shared<Arch>* arch = nullptr;
    const Shared<Compiler>* compiler = nullptr;
    const Shared<VariantSet>* variants = nullptr;
    const Shared<Recipe>* recipe = nullptr;
    const Shared<Text>* features = nullptr;           ///< of the target; null if it is a name only
    const Shared<Text>* provided_virtuals = nullptr;  ///< null before form 6
    std::optional<DagHash> build_hash;
    std::uint8_t form = 0;  ///< 1 to 6; original_specfile_version where it is given and less
    CompilerFrom compiler_from = CompilerFrom::nothing;
    HashState hash_state = HashState::unknowable;
    TextDigest digest{};
    std::uint32_t first_edge = 0;  ///< index into Graph::edges
    std::uint32_t num_edges = 0;
    bool is_known = false;    ///< the ledger has it with this digest
    bool read_again = false;  ///< its text is to be read each time: see the table `node`
    bool is_described() const { return recipe != nullptr; }
    bool is_in_files() const { return is_described() || is_known; }  ///< not only named
};

/// All nodes of some files. Each hash has one node, whatever the number of files and spellings.
struct Graph {
    std::span<const Edge> edges_of(const Node& node) const {
        return std::span(edges).subspan(node.first_edge, node.num_edges);
    }

    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::map<std::string, std::set<std::string>>
        target_parents;  ///< the targets directly below each: SharedValues::parents()
    std::shared_ptr<const void> values;
};

/// A root of a lock file.
struct Root {
    std::string environment;  ///< "" for the lock itself, else the path of the one it includes
    std::string text;         ///< as the user wrote it
    std::uint32_t node = 0;   ///< index into Graph::nodes
    std::optional<std::string>
        group{};  ///< of the environment's roots; nullopt where the file names none
};

/// Another hash by which a lock file calls a node: that of all that it was built with.
struct BuildHash {
    DagHash hash{};
    std::uint32_t node = 0;  ///< index into Graph::nodes
};

/// What a snapshot is made from. Or one `spec` and its dependencies, as Spack keeps them beside a
/// binary: of many of these an index can be made.
enum class SourceKind : std::uint8_t { pages, index, lock, install, spec };

/// What one file says: which nodes are there. Indexes into Graph::nodes.
struct GraphFile {
    SourceKind kind = SourceKind::index;
    std::string version;                 ///< of the database or the lock
    std::vector<std::uint32_t> present;  ///< in the cache; in the lock; installed
    std::vector<Root> roots;
    std::vector<BuildHash> build_hashes;  ///< of locks of version 2 and 3
    std::size_t records = 0;              ///< nodes that the file has
    std::size_t edges = 0;  ///< edges that these have, those that the ledger has aside
    Findings findings;
};

/// The nodes that the ledger has, as far as reading them again would give nothing new. Only nodes
/// of form 3 and later are asked for: before, the text of a node does not say all of it.
class KnownNodes {
  public:
    KnownNodes() = default;
    virtual ~KnownNodes() = default;
    KnownNodes(const KnownNodes&) = delete;
    KnownNodes& operator=(const KnownNodes&) = delete;

    /// The id of the package of the node with this hash, if the ledger has it from a text with this
    /// digest; 0 if not. That of form 1 or 2 it must not say to have. find() knows only what was
    /// prepared, and any thread may call it while the others ask as well; look_up() asks the
    /// ledger.
    virtual std::uint32_t find(const DagHash& hash, const TextDigest& digest) const = 0;
    virtual std::uint32_t look_up(const DagHash& hash, const TextDigest& digest) const = 0;

    /// The name of a package that these gave.
    virtual std::string package(std::uint32_t package_id) const = 0;

    /// The version of a node that the ledger has. It is asked for only where such a node is the
    /// compiler of one that is read.
    virtual std::string version_of(const DagHash& hash) const = 0;

    /// The compiler of a node that the ledger has, as name@version. It is asked for only where a
    /// spliced node takes its compiler from there.
    virtual std::optional<std::string> compiler_of(const DagHash& hash) const = 0;
};

/// The recipes of nodes, each of them once. Owns what it gives.
class Recipes {
  public:
    /// One value for recipes that are equal. Its `text` is made here.
    const Shared<Recipe>* operator()(Recipe recipe);

  private:
    TextMap<std::unique_ptr<const Shared<Recipe>>> known_;
};

/// Adds to `reached`, by index into Graph::nodes, these nodes and all that they need, directly or
/// not. What is reached already has been followed.
void reach(const Graph& graph, const std::vector<std::uint32_t>& nodes, std::vector<bool>& reached);

/// The dependencies of nodes in some files that none of the files describes.
class Undescribed {
  public:
    /// Adds those of the nodes that were read. A child that the ledger has with the text of a file
    /// is described by that.
    explicit Undescribed(const Graph& graph);

    /// Adds one: `node` needs the package with this hash.
    void add(const Node& node, const std::string& package, const std::string& hash);

    /// A "dependency-missing", which names the first in the order of packages and hashes. nullopt
    /// if there is none. `files`: how many files there are.
    std::optional<PageFinding> finding(std::size_t files) const;

  private:
    std::size_t count_ = 0;
    std::string first_;
};

/// A node with its dependencies, whose values are in one GraphValues.
struct Spelled {
    Node node;
    std::vector<Edge> edges;  ///< as sort_edges() leaves them
};

/// Sorts them, and leaves each once.
void sort_edges(std::vector<Edge>& edges);

/// What messages call the child of an edge.
struct ChildName {
    std::string package;
    DagHash hash{};
};
using NameChild = std::function<ChildName(std::uint32_t child)>;

/// The one rule by which two spellings of one hash become one node (docs/formats.md, "Nodes"): two
/// in the files of a run, and one in a file and what the ledger has.
///
/// What they say differently is that of the spelling which preferred() names; the other fills in
/// what that does not say. `form` is the lower one. Of the edges that are not part of the hash the
/// node gets those of both. So the order of the two makes no difference.
struct MergeRule {
    const NameChild& name_child;
    Recipes& recipes;
    std::string_view source;  ///< what gave the second spelling: "the file", for messages

    /// Puts the node in `known`. Its look is only compared where both have one. Gives a text for
    /// each contradiction, as in "version stays 1.2, the file says 1.3".
    std::vector<std::string> merge(Spelled& known, Spelled given) const;
};

/// Which of two spellings is kept where they contradict each other: the one from whose text the
/// hash can be computed, else the one with the smaller digest.
Kept preferred(const Node& known, const Node& given);

/// Whether a text of this node says less of its edges than the node has: it has edges that are not
/// part of the hash, and another text may have others. Such a text is read each time.
bool has_varying_edges(const Node& node, const std::vector<Edge>& edges);

struct SpecWords;

/// The words that the ledger would have of the node (schema/ledger/nearest/nearest_specs.hpp).
SpecWords words_of(const Node& node);

}  // namespace cacheledger
