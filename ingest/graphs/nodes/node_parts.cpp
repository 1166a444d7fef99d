#include "ingest/graphs/nodes/node_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/parts/node_values.hpp"

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
        if (std::find(known.begin(), known.end(), key) == known.end()) {
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
            std::sort(texts.begin(), texts.end());
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

}  // namespace cacheledger
