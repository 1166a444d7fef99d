#include "ingest/node_reader/edge_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "ingest/basics/problem.hpp"
#include "ingest/json/json.hpp"
#include "ingest/nodes/node_values.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::pair<std::string_view, DepType>, 4> types_by_name = {
    {{"build", dep_build}, {"link", dep_link}, {"run", dep_run}, {"test", dep_test}}};
constexpr std::uint32_t most_edges = 100000;

}  // namespace

struct EdgeReader::State {
    explicit State(SharedValues& shared) : values(shared), no_virtuals(shared.text("")) {}

    SharedValues& values;
    const Shared<Text>* no_virtuals;
    simdjson::dom::parser parser;
    std::vector<std::string_view> list;  // kept for its memory
    std::string virtuals;                // likewise

    static std::uint8_t read_types(const json::element& value, std::string_view key) {
        simdjson::dom::array types;
        if (value.get(types) != simdjson::SUCCESS) {
            json::refuse(key, "a list of build, link, run, test", value);
        }
        std::uint8_t bits = 0;
        for (const json::element type : types) {
            const std::string_view name = json::text(type, key);
            const auto* const known =
                std::find_if(types_by_name.begin(), types_by_name.end(),
                             [&](const auto& pair) { return pair.first == name; });
            if (known == types_by_name.end()) {
                json::refuse(key, "build, link, run or test", type);
            }
            bits = static_cast<std::uint8_t>(bits | known->second);
        }
        return bits;
    }

    const Shared<Text>* read_virtuals(const json::element& value) {
        json::texts(value, "virtuals", list);
        if (list.empty()) {
            return no_virtuals;
        }
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        virtuals.clear();
        for (const std::string_view name : list) {
            check_package_name(name);
            virtuals.append(virtuals.empty() ? 0 : 1, ',').append(name);
        }
        return values.text(virtuals);
    }

    static DagHash read_hash(const json::element& value, std::string_view key) {
        const std::string_view text = json::text(value, key);
        if (!is_dag_hash(text)) {
            json::refuse(key, "32 characters of a-z and 2-7", value);
        }
        return dag_hash(text);
    }

    void read_parameters(const json::element& value, ReadEdge& edge, UnknownKeys& unknown) {
        simdjson::dom::object parameters;
        if (value.get(parameters) != simdjson::SUCCESS) {
            json::refuse("parameters", "an object", value);
        }
        edge.virtuals = no_virtuals;
        bool has_types = false;
        for (const auto [key, member] : parameters) {
            if (key == "deptypes") {
                refuse_second(has_types, key);
                edge.types = read_types(member, key);
            } else if (key == "virtuals") {
                edge.virtuals = read_virtuals(member);
            } else if (key != "direct") {  // is in no file, and means nothing for a concrete node
                ++unknown[fmt::format("dependencies.parameters.{}", shortened(key, longest_quote))];
            }
        }
        if (!has_types) {
            throw Problem("expected a 'deptypes'");
        }
    }

    static void refuse_second(bool& is_given, std::string_view key) {
        if (std::exchange(is_given, true)) {
            throw Problem(fmt::format("'{}' is given twice", key));
        }
    }

    // Where an edge has several hashes, Spack follows `hash`.
    EdgeForm read_members(const simdjson::dom::object& object, ReadEdge& edge,
                          UnknownKeys& unknown) {
        EdgeForm form = EdgeForm::none;
        bool has_name = false;
        bool has_hash = false;
        bool has_other_hash = false;
        bool has_types = false;
        for (const auto [key, value] : object) {
            if (key == "name") {
                refuse_second(has_name, key);
                edge.package = values.text(json::text(value, key));
            } else if (key == "hash") {
                refuse_second(has_hash, key);
                edge.child = read_hash(value, key);
            } else if (key == "build_hash" || key == "full_hash") {
                if (!has_hash && !(has_other_hash && key == "full_hash")) {
                    edge.child = read_hash(value, key);
                }
                has_other_hash = true;
            } else if (key == "type") {
                refuse_second(has_types, key);
                edge.types = read_types(value, key);
                form = EdgeForm::with_types;
            } else if (key == "parameters") {
                refuse_second(has_types, key);
                read_parameters(value, edge, unknown);
                form = EdgeForm::with_parameters;
            } else {
                ++unknown[fmt::format("dependencies.{}", shortened(key, longest_quote))];
            }
        }
        if (!(has_hash || has_other_hash) || !has_types) {
            throw Problem(has_types ? "expected a 'hash'" : "expected a 'type' or 'parameters'");
        }
        return form;
    }

    EdgeForm read_object(const json::element& value, ReadEdge& edge, UnknownKeys& unknown) {
        simdjson::dom::object object;
        if (value.get(object) != simdjson::SUCCESS) {
            json::refuse("a dependency", "an object", value);
        }
        return read_members(object, edge, unknown);
    }

    // The oldest give only the hash.
    void read_named(std::string_view name, const json::element& value, ReadEdge& edge,
                    UnknownKeys& unknown) {
        if (value.is_string()) {
            edge.child = read_hash(value, "hash");
            edge.types = dep_build | dep_link;
        } else {
            read_object(value, edge, unknown);
        }
        edge.package = values.text(name);
    }

    // `make_place` is called for messages only.
    template <typename Read, typename Place>
    static void read_at(const Place& make_place, std::vector<ReadEdge>& edges, const Read& read) {
        try {
            ReadEdge& edge = edges.emplace_back();
            read(edge);
            check_package_name(edge.package == nullptr ? "" : std::string_view(edge.package->text));
        } catch (Problem& problem) {
            problem.enter(make_place());
            throw;
        }
    }

    EdgeForm read_all(const json::element& value, std::vector<ReadEdge>& edges,
                      UnknownKeys& unknown);
};

EdgeForm EdgeReader::State::read_all(const json::element& value, std::vector<ReadEdge>& edges,
                                     UnknownKeys& unknown) {
    simdjson::dom::object by_name;
    if (value.get(by_name) == simdjson::SUCCESS) {
        for (const auto member : by_name) {
            read_at(
                [&] {
                    return fmt::format("dependencies.{}", shortened(member.key, longest_quote));
                },
                edges,
                [&](ReadEdge& edge) { read_named(member.key, member.value, edge, unknown); });
        }
        return EdgeForm::by_name;
    }
    simdjson::dom::array dependencies;
    if (value.get(dependencies) != simdjson::SUCCESS) {
        json::refuse("dependencies", "a list or an object", value);
    }
    EdgeForm form = EdgeForm::none;
    std::size_t index = 0;
    for (const json::element dependency : dependencies) {
        read_at(
            [&] { return fmt::format("dependencies[{}]", index); }, edges,
            [&](ReadEdge& edge) { form = std::max(form, read_object(dependency, edge, unknown)); });
        ++index;
    }
    return form;
}

EdgeReader::EdgeReader(SharedValues& values) : state_(std::make_unique<State>(values)) {}
EdgeReader::~EdgeReader() = default;

EdgeForm EdgeReader::read(std::string_view written, std::vector<ReadEdge>& edges,
                          std::uint32_t& count, UnknownKeys& unknown) {
    if (written.empty()) {
        return EdgeForm::none;
    }
    const std::size_t before = edges.size();
    const EdgeForm form = state_->read_all(json::parse(state_->parser, written), edges, unknown);
    if (edges.size() - before > most_edges) {
        throw Problem(fmt::format("dependencies: expected at most {}", most_edges));
    }
    count = static_cast<std::uint32_t>(edges.size() - before);
    return form;
}

}  // namespace cacheledger
