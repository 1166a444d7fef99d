#include "ingest/graphs/nodes/node_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/parts/node_fields.hpp"

namespace cacheledger {

namespace {

using json::Members;

constexpr std::array<std::string_view, 3> keys_of_external = {"path", "module", "extra_attributes"};
constexpr std::array<std::string_view, 2> keys_of_annotations = {"original_specfile_version",
                                                                 "compiler"};

Members known_members(const json::element& value, std::string_view where,
                      std::span<const std::string_view> known, Part& part) {
    Members members(value, where);
    for (const auto& [key, member] : members) {
        if (std::ranges::find(known, key) == known.end()) {
            part.unknown.push_back(members.place(key));
        }
    }
    return members;
}

// What is not there, or null, is not said.
const json::element* said_in(const Members& members, std::string_view key) {
    const json::element* const found = members.find(key);
    return found != nullptr && found->is_null() ? nullptr : found;
}

std::vector<std::string_view> texts_of(const json::element& value, std::string_view where) {
    std::vector<std::string_view> texts;
    json::texts(value, where, texts);
    return texts;
}

constexpr std::size_t most_edges = 100000;

std::uint8_t read_types(const json::element& value, std::string_view key) {
    const auto types = json::as<json::array>(value, key, "a list of build, link, run, test");
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
        const auto dependencies =
            json::as<json::array>(value, "dependencies", "a list or an object");
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
            edge.key = read_child(value, "hash");
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
        const auto object = json::as<json::object>(value, "a dependency", "an object");
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
                edge.key = read_child(member, key);
            } else if (key == "build_hash" || key == "full_hash") {
                if (!has_hash && !(has_other_hash && key == "full_hash")) {
                    edge.key = read_child(member, key);
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
        const auto parameters = json::as<json::object>(value, "parameters", "an object");
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
        std::ranges::sort(list_);
        list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
        std::ranges::for_each(list_, check_package_name);
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

ArchPart read_arch(const json::element& value, SharedValues& values) {
    ArchPart part;
    const Members members = known_members(value, "arch", keys_of_arch, part);
    std::string_view target;
    if (members["target"].is_object()) {
        const Members described =
            known_members(members["target"], "arch.target", keys_of_target, part);
        target = described.text("name");
        part.has_described_target = true;
        if (const json::element* const features = said_in(described, "features")) {
            auto texts = texts_of(*features, "arch.target.features");
            std::ranges::sort(texts);
            part.features = values.text(fmt::format("{}", fmt::join(texts, " ")));
        }
        if (const json::element* const parents = said_in(described, "parents")) {
            simdjson::dom::array list;
            const bool is_list = parents->get(list) == simdjson::SUCCESS &&
                                 std::all_of(list.begin(), list.end(),
                                             [](const auto& parent) { return parent.is_string(); });
            if (is_list) {
                values.note_parents(target, texts_of(*parents, "arch.target.parents"));
            } else {
                part.unknown.emplace_back("arch.target.parents (expected texts)");
            }
        }
    } else {
        target = members.text("target");
    }
    part.arch = values.arch(members.text("platform"), members.text("platform_os"), target);
    return part;
}

ParametersPart read_parameters(const json::element& value, SharedValues& values) {
    ParametersPart part;
    const Members members(value, "parameters");
    const std::vector<Variant> variants = variants_of(members);
    part.variants = values.variants(variants);
    part.flags = flags_of(members);
    for (const Variant& variant : variants) {
        if (variant.name == "patches") {
            part.patches = variant.values;
        }
    }
    return part;
}

ExternalPart read_external(const json::element& value, SharedValues& /*values*/) {
    ExternalPart part;
    if (value.is_null() || (value.is_bool() && !value.get_bool().value_unsafe())) {
        return part;
    }
    const Members members = known_members(value, "external", keys_of_external, part);
    part.external = true;
    if (const json::element* const path = said_in(members, "path")) {
        part.path = if_said(json::text(*path, "external.path"));
    }
    const json::element* const modules = said_in(members, "module");
    if (modules != nullptr && modules->is_string()) {
        part.modules = if_said(json::text(*modules, "external.module"));
    } else if (modules != nullptr && !modules->is_bool()) {  // false stood for none
        part.modules =
            if_said(fmt::format("{}", fmt::join(texts_of(*modules, "external.module"), " ")));
    }
    return part;
}

AnnotationsPart read_annotations(const json::element& value, SharedValues& values) {
    AnnotationsPart part;
    const Members members = known_members(value, "annotations", keys_of_annotations, part);
    if (const json::element* const form = said_in(members, "original_specfile_version")) {
        std::int64_t number = 0;
        if (form->get(number) != simdjson::SUCCESS || number < 1 || number > newest_form) {
            json::refuse("annotations.original_specfile_version", "a number from 1 to 6", *form);
        }
        part.original_form = static_cast<std::uint8_t>(number);
    }
    if (const json::element* const compiler = said_in(members, "compiler")) {
        part.compiler = values.compiler(json::text(*compiler, "annotations.compiler"));
    }
    return part;
}

CompilerPart read_compiler(const json::element& value, SharedValues& values) {
    CompilerPart part;
    part.compiler =
        values.compiler(compiler_of(known_members(value, "compiler", keys_of_compiler, part)));
    return part;
}

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
