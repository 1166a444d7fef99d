#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/page/page.hpp"
#include "ingest/page/spelling.hpp"

namespace cacheledger {

/// A part of a node that many nodes share, read from its text. `unknown`: keys in it that are not
/// known.
struct Part {
    std::vector<std::string> unknown;
};
struct ArchPart : Part {
    const Shared<Arch>* arch = nullptr;
    const Shared<Text>* features = nullptr;  ///< null: the target is a name only
    bool has_described_target = false;
};
struct ParametersPart : Part {
    const Shared<VariantSet>* variants = nullptr;
    std::string flags;
    std::vector<std::string> patches;  ///< as written
};
struct ExternalPart : Part {
    bool external = false;
    std::optional<std::string> path, modules;
};
struct AnnotationsPart : Part {
    std::optional<std::uint8_t> original_form;
    const Shared<Compiler>* compiler = nullptr;
};
struct CompilerPart : Part {
    const Shared<Compiler>* compiler = nullptr;
};

/// Reads the parts of nodes. Each text is parsed once: of the nodes of an index, one in ten or
/// fewer has parts that no other has. Owns what it gives, and never forgets a value, as graphs
/// refer to them; a part itself is good until the next call. Each takes JSON text, and throws
/// std::invalid_argument, which says what was expected: "arch.target: ...".
class NodeParts {
  public:
    NodeParts();
    ~NodeParts();

    const ArchPart& arch(std::string_view written);
    const ParametersPart& parameters(std::string_view written);
    const ExternalPart& external(std::string_view written);
    const AnnotationsPart& annotations(std::string_view written);
    const CompilerPart& compiler(std::string_view written);

    Spelling& spelling();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
