#include "ingest/nodes/node_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "ingest/json/json.hpp"
#include "ingest/nodes/node_fields.hpp"
#include "ingest/nodes/node_values.hpp"
#include "schema/hashing/keyed_hash.hpp"

namespace cacheledger {

namespace {

using json::Members;

// The parts that were read, by their text.
template <typename Value>
class Read {
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
        size_ += written.size() + sizeof(Value);
        return known_.emplace(written, std::move(value)).first->second;
    }

  private:
    static constexpr std::size_t most_bytes = std::size_t{16} << 20;
    TextMap<Value> known_;
    std::size_t size_ = 0;
};

void note_unknown(Part& part, const Members& members, std::span<const std::string_view> known) {
    for (const auto& [key, value] : members) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            part.unknown.push_back(members.place(key));
        }
    }
}

// What is not there, or null, is not said.
const json::element* said(const Members& members, std::string_view key) {
    const json::element* const found = members.find(key);
    return found != nullptr && found->is_null() ? nullptr : found;
}

constexpr std::array<std::string_view, 3> keys_of_external = {"path", "module", "extra_attributes"};
constexpr std::array<std::string_view, 2> keys_of_annotations = {"original_specfile_version",
                                                                 "compiler"};

}  // namespace

struct NodeParts::State {
    simdjson::dom::parser parser;
    SharedValues values;
    Read<ArchPart> archs;
    Read<ParametersPart> parameters;
    Read<ExternalPart> externals;
    Read<AnnotationsPart> annotations;
    Read<CompilerPart> compilers;
    std::vector<std::string_view> texts;  // kept for its memory

    json::element parse(std::string_view written) { return json::parse(parser, written); }

    ArchPart read_arch(std::string_view written) {
        const Members members(parse(written), "arch");
        ArchPart part;
        note_unknown(part, members, keys_of_arch);
        std::string_view target;
        if (members["target"].is_object()) {
            const Members described(members["target"], "arch.target");
            note_unknown(part, described, keys_of_target);
            target = described.text("name");
            part.has_described_target = true;
            if (const json::element* const features = said(described, "features")) {
                json::texts(*features, "arch.target.features", texts);
                std::sort(texts.begin(), texts.end());
                part.features = values.text(fmt::format("{}", fmt::join(texts, " ")));
            }
        } else {
            target = members.text("target");
        }
        part.arch = values.arch(members.text("platform"), members.text("platform_os"), target);
        return part;
    }

    ParametersPart read_parameters(std::string_view written) {
        const Members members(parse(written), "parameters");
        ParametersPart part;
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

    ExternalPart read_external(std::string_view written) {
        ExternalPart part;
        const json::element value = parse(written);
        if (value.is_null() || (value.is_bool() && !value.get_bool().value_unsafe())) {
            return part;
        }
        const Members members(value, "external");
        note_unknown(part, members, keys_of_external);
        part.external = true;
        if (const json::element* const path = said(members, "path")) {
            part.path = json::text(*path, "external.path");
        }
        if (part.path && part.path->empty()) {
            part.path.reset();
        }
        const json::element* const modules = said(members, "module");
        if (modules != nullptr && modules->is_string()) {
            part.modules = json::text(*modules, "external.module");
        } else if (modules != nullptr && !modules->is_bool()) {  // false stood for none
            json::texts(*modules, "external.module", texts);
            part.modules = fmt::format("{}", fmt::join(texts, " "));
        }
        if (part.modules && part.modules->empty()) {
            part.modules.reset();
        }
        return part;
    }

    AnnotationsPart read_annotations(std::string_view written) {
        AnnotationsPart part;
        const Members members(parse(written), "annotations");
        note_unknown(part, members, keys_of_annotations);
        if (const json::element* const form = said(members, "original_specfile_version")) {
            std::int64_t number = 0;
            if (form->get(number) != simdjson::SUCCESS || number < 1 || number > newest_form) {
                json::refuse("annotations.original_specfile_version", "a number from 1 to 6",
                             *form);
            }
            part.original_form = static_cast<std::uint8_t>(number);
        }
        if (const json::element* const compiler = said(members, "compiler")) {
            part.compiler = values.compiler(json::text(*compiler, "annotations.compiler"));
        }
        return part;
    }

    CompilerPart read_compiler(std::string_view written) {
        CompilerPart part;
        const json::element value = parse(written);
        if (!value.is_null()) {
            const Members members(value, "compiler");
            note_unknown(part, members, keys_of_compiler);
            part.compiler = values.compiler(compiler_of(members));
        }
        return part;
    }
};

NodeParts::NodeParts() : state_(std::make_unique<State>()) {}
NodeParts::~NodeParts() = default;

const ArchPart& NodeParts::arch(std::string_view written) {
    return state_->archs(written, [&] { return state_->read_arch(written); });
}

const ParametersPart& NodeParts::parameters(std::string_view written) {
    return state_->parameters(written, [&] { return state_->read_parameters(written); });
}

const ExternalPart& NodeParts::external(std::string_view written) {
    return state_->externals(written, [&] { return state_->read_external(written); });
}

const AnnotationsPart& NodeParts::annotations(std::string_view written) {
    return state_->annotations(written, [&] { return state_->read_annotations(written); });
}

const CompilerPart& NodeParts::compiler(std::string_view written) {
    return state_->compilers(written, [&] { return state_->read_compiler(written); });
}

SharedValues& NodeParts::values() {
    return state_->values;
}

}  // namespace cacheledger
