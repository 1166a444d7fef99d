#include "tests/support/ledgers/graph_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "ingest/bytes/streams/bytes.hpp"
#include "schema/errors/error.hpp"

namespace graph_text {

namespace {

using namespace cacheledger;

std::string list(const std::vector<std::string>& texts) {
    return texts.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(texts, "\",\""));
}

std::string dependency_text(const Dependency& dependency, int form) {
    const std::string hash = fmt::format(R"("hash":"{}")", dependency.hash);
    if (form == 1) {
        return fmt::format(R"("{}":{{{},"type":{}}})", dependency.package, hash,
                           list(dependency.types));
    }
    const std::string parameters =
        form < 4 ? fmt::format(R"("type":{})", list(dependency.types))
                 : fmt::format(R"("parameters":{{"deptypes":{},"virtuals":{}}})",
                               list(dependency.types), list(dependency.virtuals));
    return fmt::format(R"({{"name":"{}",{},{}}})", dependency.package, hash, parameters);
}

std::string dependencies_text(const std::vector<Dependency>& dependencies, int form) {
    std::vector<std::string> texts;
    for (const Dependency& dependency : dependencies) {
        texts.push_back(dependency_text(dependency, form));
    }
    const std::string all = fmt::format("{}", fmt::join(texts, ","));
    return form == 1 ? fmt::format(R"("dependencies":{{{}}},)", all)
                     : fmt::format(R"("dependencies":[{}],)", all);
}

std::string object(const std::vector<Keyed>& nodes) {
    std::vector<std::string> texts;
    for (const auto& [key, text] : nodes) {
        texts.push_back(fmt::format(R"("{}":{})", key, text));
    }
    return fmt::format("{{{}}}", fmt::join(texts, ","));
}

std::string types_text(std::uint8_t types) {
    std::vector<std::string> names;
    for (const auto& [type, name] : {std::pair(dep_build, "build"), std::pair(dep_link, "link"),
                                     std::pair(dep_run, "run"), std::pair(dep_test, "test")}) {
        if ((types & type) != 0) {
            names.emplace_back(name);
        }
    }
    return fmt::format("{}", fmt::join(names, ","));
}

std::string said(const std::optional<std::string>& value) {
    return value.value_or("?");
}

std::string said(const Shared<Text>* value) {
    return value == nullptr ? "?" : value->text;
}

}  // namespace

std::string NodeText::text(int form) const {
    const std::string name = form == 1 ? "" : fmt::format(R"("name":"{}",)", package);
    const auto blank = compiler.find(' ');
    const std::string of_compiler =
        form >= 5 ? ""
                  : fmt::format(R"("compiler":{{"name":"{}","version":"{}"}},)",
                                compiler.substr(0, blank), compiler.substr(blank + 1));
    const std::string annotations =
        form < 5 ? "" : fmt::format(R"("annotations":{{"original_specfile_version":{}}},)", form);
    const std::string of_hash = hash.empty() ? "" : fmt::format(R"(,"hash":"{}")", hash);
    const std::string node = fmt::format(
        R"({{{}"version":"{}","arch":{{"platform":"linux","platform_os":"ubuntu22.04","target":{}}},)"
        R"({}"namespace":"{}",{}{}{}{}"parameters":{}{}}})",
        name, version, target, of_compiler, name_space,
        form < 3 ? "" : R"("package_hash":"abc====",)",
        dependencies.empty() ? "" : dependencies_text(dependencies, form), more, annotations,
        parameters, of_hash);
    return form == 1 ? fmt::format(R"({{"{}":{}}})", package, node) : node;
}

std::string index(std::string_view version, const std::vector<Keyed>& nodes,
                  std::string_view state) {
    std::vector<Keyed> records;
    for (const auto& [key, text] : nodes) {
        records.emplace_back(key, fmt::format(R"({{"spec":{},{}}})", text, state));
    }
    return fmt::format(R"({{"database":{{"version":"{}","installs":{}}}}})", version,
                       object(records));
}

std::string environment(const std::vector<RootText>& roots, const std::vector<Keyed>& nodes) {
    std::vector<std::string> texts;
    for (const RootText& root : roots) {
        texts.push_back(fmt::format(R"({{"hash":"{}","spec":"{}"}})", root.key, root.text));
    }
    return fmt::format(R"("roots":[{}],"concrete_specs":{})", fmt::join(texts, ","), object(nodes));
}

std::string lock(int version, const std::vector<RootText>& roots, const std::vector<Keyed>& nodes,
                 std::string_view more) {
    return fmt::format(R"({{"_meta":{{"file-type":"spack-lockfile","lockfile-version":{}}},{}{}}})",
                       version, environment(roots, nodes), more);
}

const Node& ReadGraph::node(std::string_view hash) const {
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const Node& node) { return text_of(node.hash) == hash; });
    if (found == graph.nodes.end()) {
        throw std::runtime_error(fmt::format("no node {}", hash));
    }
    return *found;
}

std::vector<std::string> ReadGraph::edges(std::string_view hash) const {
    const Node& parent = node(hash);
    std::vector<std::string> texts;
    for (std::uint32_t i = parent.first_edge; i < parent.first_edge + parent.num_edges; ++i) {
        const Edge& edge = graph.edges[i];
        const Node& child = graph.nodes[edge.child];
        texts.push_back(fmt::format("{}/{} {} {}", child.package->text, text_of(child.hash),
                                    types_text(edge.types), said(edge.virtuals)));
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

std::string ReadGraph::text(std::string_view hash) const {
    const Node& one = node(hash);
    if (!one.is_described()) {
        return fmt::format("{} {}", hash, one.package->text);
    }
    const Recipe& recipe = *one.recipe;
    return fmt::format(
        "{} {}@{} {}-{}-{} %{} [{}] namespace={} package_hash={} flags=[{}] patches=[{}] "
        "external={} path={} modules={} provides=[{}] built={} features=[{}] edges: {}",
        hash, one.package->text, one.version->text, one.arch->platform, one.arch->os,
        one.arch->target, one.compiler == nullptr ? "?" : one.compiler->spec, one.variants->text,
        said(recipe.name_space), said(recipe.package_hash), said(recipe.flags),
        said(recipe.patches), recipe.external, said(recipe.external_path),
        said(recipe.external_modules), said(one.provided_virtuals),
        one.build_hash ? text_of(*one.build_hash) : "?", said(one.features),
        fmt::join(edges(hash), "; "));
}

ReadGraph read(const std::vector<std::string>& texts, const KnownNodes* known) {
    GraphReader reader(known);
    ReadGraph read;
    for (const std::string& text : texts) {
        TextBytes bytes(text);
        read.files.push_back(reader.read("the file", bytes));
    }
    read.graph = reader.finish();
    return read;
}

std::string problem_of(std::string_view text) {
    GraphReader reader;
    TextBytes bytes(text);
    try {
        reader.read("the file", bytes);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace graph_text
