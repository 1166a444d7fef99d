#include "tests/support/ledgers/graph_ledger.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <sstream>

#include "schema/specs/spelling/version_order.hpp"

namespace cacheledger {

namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) {
        parts.push_back(part);
    }
    return parts;
}

std::string sql_text(const std::optional<std::string>& text) {
    return text ? "'" + *text + "'" : "NULL";
}

}  // namespace

std::int64_t GraphLedger::id(const std::string& table,
                             const std::map<std::string, std::string>& values) {
    std::string columns, literals, where;
    for (const auto& [column, literal] : values) {
        columns += (columns.empty() ? "" : ", ") + column;
        literals += (literals.empty() ? "" : ", ") + literal;
        where += (where.empty() ? "" : " AND ") + column + " IS " + literal;
    }
    SQLite::Statement query(database(),
                            fmt::format("SELECT {0}_id FROM {0} WHERE {1}", table, where));
    if (query.executeStep()) {
        return query.getColumn(0).getInt64();
    }
    database().exec(fmt::format("INSERT INTO {} ({}) VALUES ({})", table, columns, literals));
    return database().getLastInsertRowid();
}

std::int64_t GraphLedger::variant_set(const std::string& variants) {
    const auto set = id("variant_set", {{"variants", sql_text(variants)}});
    for (const std::string& word : split(variants, ' ')) {
        const auto variant = id("variant", {{"name", sql_text(word.substr(1))},
                                            {"value", word[0] == '+' ? "'true'" : "'false'"}});
        database().exec(
            fmt::format("INSERT OR IGNORE INTO variant_set_member VALUES ({}, {})", set, variant));
    }
    return set;
}

std::int64_t GraphLedger::stack_set(const std::string& stacks) {
    const auto set =
        id("stack_set", {{"stacks", sql_text(stacks)}, {"named_stacks", sql_text(stacks)}});
    for (const std::string& name : split(stacks, ',')) {
        database().exec(fmt::format("INSERT OR IGNORE INTO stack_set_member VALUES ({}, {})", set,
                                    id("stack", {{"name", sql_text(name)}})));
    }
    return set;
}

GraphLedger& GraphLedger::add(const GraphNode& node) {
    Place place;
    place.package = id("package", {{"name", sql_text(node.package)}});
    const auto version = id("version", {{"version", sql_text(node.version)},
                                        {"sort_key", sql_text(version_sort_key(node.version))}});
    const auto arch =
        id("arch",
           {{"platform", "'linux'"}, {"os", "'ubuntu24.04'"}, {"target", sql_text(node.target)}});
    std::string compiler = "NULL";
    if (node.compiler) {
        const auto at = node.compiler->find('@');
        const std::string name = node.compiler->substr(0, at);
        const std::string number = node.compiler->substr(at + 1);
        compiler = std::to_string(
            id("compiler", {{"name", sql_text(name)},
                            {"version", sql_text(number)},
                            {"spec", sql_text(node.compiler)},
                            {"sort_key", sql_text(compiler_sort_key(name, number))}}));
    }
    place.look = id("look", {{"package_id", std::to_string(place.package)},
                             {"version_id", std::to_string(version)},
                             {"arch_id", std::to_string(arch)},
                             {"compiler_id", compiler},
                             {"variant_set_id", std::to_string(variant_set(node.variants))}});
    place.spec = id(
        "spec", {{"hash", sql_text(hash_of(node.stem))}, {"look_id", std::to_string(place.look)}});
    places_[node.stem] = place;
    if (!node.is_described) {
        return *this;
    }
    const auto recipe = id("recipe", {{"namespace", "'builtin'"},
                                      {"package_hash", sql_text(node.recipe)},
                                      {"flags", sql_text(node.flags)},
                                      {"patches", "''"},
                                      {"external", node.external_path ? "1" : "0"},
                                      {"external_path", sql_text(node.external_path)}});
    const auto features = id("target_definition", {{"features", sql_text(node.features)}});
    database().exec(fmt::format(
        "INSERT INTO node (spec_id, recipe_id, form, compiler_from, hash_state, "
        "target_definition_id, build_hash, digest) VALUES ({}, {}, {}, '{}', 'recomputed', {}, {}, "
        "zeroblob(16))",
        place.spec, recipe, node.form, node.compiler_from, features, sql_text(node.build_hash)));
    for (const GraphEdge& edge : node.edges) {
        database().exec(fmt::format(
            "INSERT INTO dependency VALUES ({}, {}, {})", place.spec, places_.at(edge.child).spec,
            id("edge_kind",
               {{"deptypes", sql_text(edge.deptypes)}, {"virtuals", sql_text(edge.virtuals)}})));
    }
    return *this;
}

void GraphLedger::take(const std::vector<std::vector<std::string>>& snapshots,
                       const std::string& kind) {
    const auto series = id("series", {{"name", "'develop'"}});
    for (std::size_t moment = 0; moment < snapshots.size(); ++moment) {
        database().exec(fmt::format(
            "INSERT INTO snapshot (series_id, taken_at, tag, name, source, observes_all, specs, "
            "kind) VALUES ({}, {}, 'develop', 'develop@{}', 'test', 1, {}, '{}')",
            series, moment, moment, snapshots[moment].size(), kind));
        for (const std::string& word : snapshots[moment]) {
            const auto colon = std::min(word.find(':'), word.size());
            const Place& place = places_.at(word.substr(0, colon));
            const std::string stacks =
                colon == word.size() ? "NULL" : std::to_string(stack_set(word.substr(colon + 1)));
            // It goes on, or it comes.
            if (database().exec(fmt::format(
                    "UPDATE presence SET valid_to = {} WHERE spec_id = {} AND valid_to = {} AND "
                    "stack_set_id IS {}",
                    moment + 1, place.spec, moment, stacks)) == 0) {
                database().exec(fmt::format(
                    "INSERT INTO presence VALUES ({}, {}, {}, {}, {}, {}, {}, 1, 1)", series,
                    place.package, place.look, place.spec, moment, moment + 1, stacks));
            }
        }
    }
    database().exec(fmt::format("UPDATE presence SET valid_to = NULL, went = 0 WHERE valid_to = {}",
                                snapshots.size()));
}

void GraphLedger::take_lock(const std::vector<std::string>& stems,
                            const std::vector<std::string>& roots) {
    const auto series = id("series", {{"name", "'lock'"}});
    database().exec(fmt::format(
        "INSERT INTO snapshot (series_id, taken_at, tag, name, source, observes_all, specs, kind) "
        "VALUES ({}, 0, 'lock', 'lock@0', 'test', 1, {}, 'lock')",
        series, stems.size()));
    for (const std::string& stem : stems) {
        const Place& place = places_.at(stem);
        database().exec(
            fmt::format("INSERT INTO presence VALUES ({}, {}, {}, {}, 0, NULL, NULL, 1, 0)", series,
                        place.package, place.look, place.spec));
    }
    for (const std::string& stem : roots) {
        database().exec(
            fmt::format("INSERT INTO root_presence VALUES ({}, '', '{}', 0, {}, 0, NULL, NULL)",
                        series, stem, places_.at(stem).spec));
    }
}

}  // namespace cacheledger
