#include "ingest/graphs/nodes/edge_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/parts/node_values.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_edges = 100000;

std::uint8_t read_types(const json::element& value, std::string_view key) {
    simdjson::dom::array types;
    if (value.get(types) != simdjson::SUCCESS) {
        json::refuse(key, "a list of build, link, run, test", value);
    }
    std::uint8_t bits = 0;
    for (const json::element type : types) {
        const NamedDepType* const known = find_deptype(json::text(type, key));
        if (known == nullptr) {
            json::refuse(key, "build, link, run or test", type);
        }
        bits = static_cast<std::uint8_t>(bits | known->bit);
    }
    return bits;
}

DagHash read_child(const json::element& value, std::string_view key) {
    return read_dag_hash(json::text(value, key), key);
}

void refuse_second(bool& is_given, std::string_view key) {
    if (std::exchange(is_given, true)) {
        throw Problem(fmt::format("'{}' is given twice", key));
    }
}

/// Reads the dependencies of one node.
class EdgeReader {
  public:
    EdgeReader(SharedValues& values, std::vector<ReadEdge>& edges, UnknownKeys& unknown)
        : values_(values), edges_(edges), unknown_(unknown) {}

    EdgeForm read(const json::element& value) {
        simdjson::dom::object by_name;
        if (value.get(by_name) == simdjson::SUCCESS) {
            for (const auto one : by_name) {
                json::at_place(
                    [&] {
                        return fmt::format("dependencies.{}", shortened(one.key, longest_quote));
                    },
                    [&] { read_named(one.key, one.value); });
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
            json::at_place([&] { return fmt::format("dependencies[{}]", index); },
                           [&] { form = std::max(form, read_listed(dependency)); });
            ++index;
        }
        return form;
    }

  private:
    // The oldest give only the hash.
    void read_named(std::string_view name, const json::element& value) {
        ReadEdge& edge = edges_.emplace_back();
        if (value.is_string()) {
            edge.child = read_child(value, "hash");
            edge.types = dep_build | dep_link;
        } else {
            read_object(value, edge);
        }
        check_package_name(name);
        edge.package = values_.text(name);
    }

    EdgeForm read_listed(const json::element& value) {
        ReadEdge& edge = edges_.emplace_back();
        const EdgeForm form = read_object(value, edge);
        check_package_name(edge.package == nullptr ? "" : std::string_view(edge.package->text));
        return form;
    }

    // Where an edge has several hashes, Spack follows `hash`.
    EdgeForm read_object(const json::element& value, ReadEdge& edge) {
        simdjson::dom::object object;
        if (value.get(object) != simdjson::SUCCESS) {
            json::refuse("a dependency", "an object", value);
        }
        EdgeForm form = EdgeForm::none;
        bool has_name = false;
        bool has_hash = false;
        bool has_other_hash = false;
        bool has_types = false;
        for (const auto [key, member] : object) {
            if (key == "name") {
                refuse_second(has_name, key);
                edge.package = values_.text(json::text(member, key));
            } else if (key == "hash") {
                refuse_second(has_hash, key);
                edge.child = read_child(member, key);
            } else if (key == "build_hash" || key == "full_hash") {
                if (!has_hash && !(has_other_hash && key == "full_hash")) {
                    edge.child = read_child(member, key);
                }
                has_other_hash = true;
            } else if (key == "type") {
                refuse_second(has_types, key);
                edge.types = read_types(member, key);
                form = EdgeForm::with_types;
            } else if (key == "parameters") {
                refuse_second(has_types, key);
                read_parameters_of(member, edge);
                form = EdgeForm::with_parameters;
            } else {
                ++unknown_[fmt::format("dependencies.{}", shortened(key, longest_quote))];
            }
        }
        if (!(has_hash || has_other_hash) || !has_types) {
            throw Problem(has_types ? "expected a 'hash'" : "expected a 'type' or 'parameters'");
        }
        return form;
    }

    void read_parameters_of(const json::element& value, ReadEdge& edge) {
        simdjson::dom::object parameters;
        if (value.get(parameters) != simdjson::SUCCESS) {
            json::refuse("parameters", "an object", value);
        }
        edge.virtuals = no_virtuals_;
        bool has_types = false;
        for (const auto [key, member] : parameters) {
            if (key == "deptypes") {
                refuse_second(has_types, key);
                edge.types = read_types(member, key);
            } else if (key == "virtuals") {
                edge.virtuals = read_virtuals(member);
            } else if (key != "direct") {  // is in no file, and means nothing for a concrete node
                ++unknown_[fmt::format("dependencies.parameters.{}",
                                       shortened(key, longest_quote))];
            }
        }
        if (!has_types) {
            throw Problem("expected a 'deptypes'");
        }
    }

    const Shared<Text>* read_virtuals(const json::element& value) {
        json::texts(value, "virtuals", list_);
        if (list_.empty()) {
            return no_virtuals_;
        }
        std::sort(list_.begin(), list_.end());
        list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
        std::for_each(list_.begin(), list_.end(), check_package_name);
        return values_.text(list_.size() == 1 ? list_.front()
                                              : fmt::format("{}", fmt::join(list_, ",")));
    }

    SharedValues& values_;
    std::vector<ReadEdge>& edges_;
    UnknownKeys& unknown_;
    const Shared<Text>* const no_virtuals_ = values_.text("");
    std::vector<std::string_view> list_;  // kept for its memory
};

}  // namespace

EdgeForm read_edges(const json::element& dependencies, SharedValues& values,
                    std::vector<ReadEdge>& edges, UnknownKeys& unknown) {
    const std::size_t before = edges.size();
    const EdgeForm form = EdgeReader(values, edges, unknown).read(dependencies);
    if (edges.size() - before > most_edges) {
        throw Problem(fmt::format("dependencies: expected at most {}", most_edges));
    }
    return form;
}

}  // namespace cacheledger
