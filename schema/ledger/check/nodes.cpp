#include "schema/ledger/check/nodes.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/statement.hpp"

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

struct Compilers {
    bool is_doubtful = false;
    std::string said;
    std::set<std::string> provided;
};

}  // namespace

// A spliced node has the compiler of the spec that was built, and no dependencies to build with.
// Where descriptions of a package contradict each other, the compiler may be that of another one.
Lines compiler_edge_problems(SQLite::Database& database) {
    SQLite::Statement query(
        database,
        "WITH language_kind AS MATERIALIZED (SELECT edge_kind_id FROM edge_kind WHERE ',' || "
        "virtuals || ',' LIKE '%,c,%' OR ',' || virtuals || ',' LIKE '%,cxx,%' OR ',' || virtuals "
        "|| ',' LIKE '%,fortran,%') "
        "SELECT x.hash, c.spec, k.name, v.version, EXISTS (SELECT 1 FROM finding f WHERE f.kind = "
        "'hash-conflict' AND f.package_id IN (l.package_id, m.package_id)) FROM node n "
        "CROSS JOIN spec x USING (spec_id) CROSS JOIN look l USING (look_id) "
        "CROSS JOIN compiler c USING (compiler_id) "
        "LEFT JOIN dependency d ON d.spec_id = n.spec_id "
        "AND d.edge_kind_id IN (SELECT edge_kind_id FROM language_kind) "
        "LEFT JOIN spec y ON y.spec_id = d.dependency_id LEFT JOIN look m ON m.look_id = y.look_id "
        "LEFT JOIN package k ON k.package_id = m.package_id "
        "LEFT JOIN version v ON v.version_id = m.version_id "
        "WHERE n.compiler_from = 'edge' AND n.build_hash IS NULL");
    std::map<std::string, Compilers> nodes;
    while (query.executeStep()) {
        Compilers& node = nodes[query.getColumn(0).getString()];
        node.is_doubtful = node.is_doubtful || query.getColumn(4).getInt() != 0;
        node.said = query.getColumn(1).getString();
        if (!query.isColumnNull(3)) {
            node.provided.insert(
                make_compiler(query.getColumn(2).getString(), query.getColumn(3).getString()).spec);
        }
    }
    Lines lines;
    for (const auto& [hash, node] : nodes) {
        if (!node.is_doubtful && !node.provided.contains(node.said)) {
            lines.push_back(
                fmt::format("look: {} has the compiler {}, expected {}, which it depends on", hash,
                            node.said, node.provided.empty() ? "a spec" : *node.provided.begin()));
        }
    }
    return lines;
}

// Only where one text has one hash: one that another Spack wrote may have the hash of another node,
// and before form 5 a text has two hashes, with line breaks and without.
Lines node_digest_problems(SQLite::Database& database) {
    std::vector<std::pair<NodeDigest, std::string>> nodes;  // with their hashes
    std::map<NodeDigest, std::string> by_beginning;
    SQLite::Statement query(database,
                            "SELECT n.digest, x.hash, n.hash_state = 'recomputed' AND n.form >= 5 "
                            "FROM node n JOIN spec x USING (spec_id)");
    while (query.executeStep()) {
        std::string hash = query.getColumn(1).getString();
        if (is_dag_hash(hash)) {
            by_beginning.emplace(beginning_of(hash), hash);
        }
        if (query.getColumn(2).getInt() != 0) {
            nodes.emplace_back(bytes_column<NodeDigest>(query, 0), std::move(hash));
        }
    }
    Lines lines;
    for (const auto& [digest, hash] : nodes) {
        const auto other = by_beginning.find(digest);
        if (other != by_beginning.end() && other->second != hash) {
            lines.push_back(
                fmt::format("node: {} has the digest of the text of {}", hash, other->second));
        }
    }
    return lines;
}

Lines unneeded_spec_problems(SQLite::Database& database) {
    SQLite::Statement any_node(database, "SELECT EXISTS (SELECT 1 FROM node)");
    any_node.executeStep();
    if (any_node.getColumn(0).getInt() == 0) {
        return {};
    }
    SpecSet needed;
    try {
        needed = needed_by_snapshots(database);
    } catch (const DatabaseError&) {
        return {"spec: the greatest spec_id is out of bounds"};
    }
    Lines lines;
    SQLite::Statement query(
        database,
        "SELECT x.spec_id, x.hash, k.name FROM spec x JOIN look USING (look_id) "
        "JOIN package k USING (package_id)");
    while (query.executeStep()) {
        const std::int64_t spec = query.getColumn(0).getInt64();
        if (spec < 0 || !needed.at(static_cast<std::size_t>(spec))) {
            lines.push_back(
                fmt::format("spec: {} of {} is in no snapshot, and needed by none that is",
                            query.getColumn(1).getString(), query.getColumn(2).getString()));
        }
    }
    return lines;
}

}  // namespace cacheledger
