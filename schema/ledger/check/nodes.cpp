#include "schema/ledger/check/problems.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

using Lines = std::vector<std::string>;
using NodeDigest = std::array<std::uint8_t, 16>;

// The bytes that a hash begins with: 5 bits for each character.
NodeDigest beginning_of(std::string_view hash) {
    NodeDigest digest{};
    std::uint32_t bits = 0;
    std::size_t known = 0;
    std::size_t at = 0;
    for (const char c : hash) {
        const auto value = static_cast<std::uint32_t>(c >= 'a' ? c - 'a' : c - '2' + 26);
        bits = (bits << 5U | value) & 0xfffU;
        known += 5;
        if (known >= 8 && at < digest.size()) {
            known -= 8;
            digest.at(at++) = static_cast<std::uint8_t>(bits >> known);
        }
    }
    return digest;
}

// The words of compilers, of looks and of the specs that provide languages.
class CompilerWords {
  public:
    explicit CompilerWords(const SQLite::Database& database)
        : packages_(texts(database, "SELECT package_id, name FROM package")),
          versions_(texts(database, "SELECT version_id, version FROM version")),
          compilers_(texts(database, "SELECT compiler_id, spec FROM compiler")) {
        for (const auto& [look, package, version, compiler] :
             rows<std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
                 database, "SELECT look_id, package_id, version_id, compiler_id FROM look")) {
            looks_[look] = {package, version, compiler};
        }
        for (const auto& [package] : rows<std::int64_t>(
                 database, "SELECT package_id FROM finding WHERE kind = 'hash-conflict'")) {
            doubtful_.insert(package);
        }
    }

    // The compiler that a look says; nullptr: none.
    const std::string* said_by(std::int64_t look) const {
        const auto found = looks_.find(look);
        return found == looks_.end() ? nullptr : text(compilers_, found->second.compiler);
    }
    // The compiler that a spec of the look is; empty: not known.
    const std::string& provided_by(std::int64_t look) {
        const auto [provided, is_first] = provided_.try_emplace(look);
        const auto found = looks_.find(look);
        if (is_first && found != looks_.end()) {
            const std::string* const name = text(packages_, found->second.package);
            const std::string* const version = text(versions_, found->second.version);
            provided->second = name == nullptr || version == nullptr
                                   ? std::string()
                                   : make_compiler(*name, *version).spec;
        }
        return provided->second;
    }
    // Whether descriptions of the package contradict each other.
    bool is_doubtful(std::int64_t look) const {
        const auto found = looks_.find(look);
        return found != looks_.end() && doubtful_.contains(found->second.package);
    }

  private:
    struct Look {
        std::int64_t package = 0, version = 0, compiler = 0;
    };
    using Texts = std::unordered_map<std::int64_t, std::string>;

    static Texts texts(const SQLite::Database& database, const std::string& sql) {
        Texts all;
        for (const auto& [id, text] : rows<std::int64_t, std::string>(database, sql)) {
            all.emplace(id, text);
        }
        return all;
    }
    static const std::string* text(const Texts& texts, std::int64_t id) {
        const auto found = texts.find(id);
        return found == texts.end() ? nullptr : &found->second;
    }

    Texts packages_, versions_, compilers_;
    std::unordered_map<std::int64_t, Look> looks_;
    std::unordered_map<std::int64_t, std::string> provided_;
    std::unordered_set<std::int64_t> doubtful_;
};

std::vector<bool> language_kinds(const SpecGraph& graph) {
    std::vector<bool> all;
    for (const DependencyKind& kind : graph.kinds()) {
        const std::string virtuals = kind.virtuals.value_or("");
        all.push_back(has_word(virtuals, "c") || has_word(virtuals, "cxx") ||
                      has_word(virtuals, "fortran"));
    }
    return all;
}

struct CheckedSpec {
    std::int64_t look = 0;  // 0: no spec has this number
    bool has_compiler_from_edge = false;
};

std::vector<CheckedSpec> read_specs(const SQLite::Database& database, std::size_t places) {
    std::vector<CheckedSpec> specs(places);
    for (const auto& [spec, look, has_compiler_from_edge] : rows<std::size_t, std::int64_t, bool>(
             database,
             "SELECT x.spec_id, x.look_id, n.compiler_from = 'edge' AND n.build_hash IS NULL "
             "FROM spec x LEFT JOIN node n USING (spec_id) WHERE x.spec_id > 0")) {
        specs.at(spec) = {look, has_compiler_from_edge};
    }
    return specs;
}

// A spliced node has the compiler of the spec that was built, and no dependencies to build with.
// Where descriptions of a package contradict each other, the compiler may be that of another one.
void add_compiler_problems(const SQLite::Database& database, const SpecGraph& graph,
                           const std::vector<CheckedSpec>& specs, Lines& lines) {
    CompilerWords words(database);
    const std::vector<bool> is_language = language_kinds(graph);
    for (std::uint32_t spec = 0; spec < specs.size(); ++spec) {
        const std::string* const said =
            specs[spec].has_compiler_from_edge ? words.said_by(specs[spec].look) : nullptr;
        if (said == nullptr) {
            continue;
        }
        bool is_right = words.is_doubtful(specs[spec].look);
        std::set<std::string> provided;
        for (const SpecGraph::Edge& edge : graph.dependencies(spec)) {
            if (is_right || !is_language[edge.kind]) {
                continue;
            }
            const std::string& compiler = words.provided_by(specs[edge.spec].look);
            is_right = compiler == *said || words.is_doubtful(specs[edge.spec].look);
            if (!is_right && !compiler.empty()) {
                provided.insert(compiler);
            }
        }
        if (!is_right) {
            lines.push_back(fmt::format(
                "look: {} has the compiler {}, expected {}, which it depends on",
                only_value<std::string>(database, "SELECT hash FROM spec WHERE spec_id = ?", spec),
                *said, provided.empty() ? "a spec" : *provided.begin()));
        }
    }
}

void add_unneeded_specs(const SQLite::Database& database, const SpecGraph& graph,
                        const std::vector<CheckedSpec>& specs, Lines& lines) {
    const SpecSet needed =
        with_dependencies(graph, listed_by_snapshots(database), SpecGraph::all_edges());
    const Select<std::string, std::string> names(
        database,
        "SELECT x.hash, k.name FROM spec x JOIN look USING (look_id) "
        "JOIN package k USING (package_id) WHERE x.spec_id = ?");
    for (std::uint32_t spec = 0; spec < specs.size(); ++spec) {
        if (specs[spec].look == 0 || needed[spec]) {
            continue;
        }
        for (const auto& [hash, package] : names(spec)) {
            lines.push_back(fmt::format(
                "spec: {} of {} is in no snapshot, and needed by none that is", hash, package));
        }
    }
}

}  // namespace

Lines graph_problems(SQLite::Database& database) {
    if (!only_value<bool>(database, "SELECT EXISTS (SELECT 1 FROM node)")) {
        return {};
    }
    Lines lines;
    try {
        const SpecGraph graph(database);
        const std::vector<CheckedSpec> specs = read_specs(database, graph.size());
        add_compiler_problems(database, graph, specs, lines);
        add_unneeded_specs(database, graph, specs, lines);
    } catch (const DatabaseError& error) {  // "the ledger has a spec with the number -7: ..."
        const std::string_view problem = error.what();
        lines = {
            fmt::format("graph: {}, which no ledger gives", problem.substr(0, problem.find(':')))};
    }
    return lines;
}

// Only where one text has one hash: one that another Spack wrote may have the hash of another node,
// and before form 5 a text has two hashes, with line breaks and without.
Lines node_digest_problems(SQLite::Database& database) {
    Lines lines;
    std::vector<std::pair<NodeDigest, std::string>> others;  // digests that are not their hash's
    for (const auto& [hash, is_of_text, digest] : rows<std::string_view, bool, NodeDigest>(
             database,
             "SELECT x.hash, n.hash_state = 'recomputed' AND n.form >= 5, n.digest "
             "FROM spec x LEFT JOIN node n USING (spec_id)")) {
        if (!is_dag_hash(hash)) {
            lines.push_back(
                fmt::format("spec: {} is no hash, expected 32 characters of a-z and 2-7", hash));
        } else if (is_of_text && digest != beginning_of(hash)) {
            others.emplace_back(digest, hash);
        }
    }
    if (others.empty()) {
        return lines;
    }
    std::map<NodeDigest, std::string> by_beginning;
    for (const auto& [hash] : rows<std::string_view>(database, "SELECT hash FROM spec")) {
        if (is_dag_hash(hash)) {
            by_beginning.emplace(beginning_of(hash), hash);
        }
    }
    for (const auto& [digest, hash] : others) {
        const auto other = by_beginning.find(digest);
        if (other != by_beginning.end() && other->second != hash) {
            lines.push_back(
                fmt::format("node: {} has the digest of the text of {}", hash, other->second));
        }
    }
    return lines;
}

}  // namespace cacheledger
