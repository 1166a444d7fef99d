#include "ingest/pages/reader/page_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/front_matter/limited_yaml.hpp"
#include "ingest/pages/parts/node_fields.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/specs/spelling/spec_name.hpp"
#include "schema/specs/spelling/variants.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr FindingKind mismatch = "spec-name-mismatch";

std::string compiler_text(const SpecEntry& entry) {
    return entry.compiler == nullptr ? "none" : entry.compiler->spec;
}

std::string arch_text(const Arch& arch) {
    return fmt::format("{}-{}-{}", arch.platform, arch.os, arch.target);
}

bool is_compiler(std::string_view printed, const SpecEntry& entry) {
    try {
        const auto compiler = parse_compiler(printed);
        return (compiler ? compiler->spec : "none") == compiler_text(entry);
    } catch (const std::invalid_argument&) {
        return false;
    }
}

// Whether the name is in Spack's long form, which has all variants. Only that form has an
// architecture.
bool says_variants(const SpecName& name) {
    return !name.variants.empty() || name.arch || name.target;
}

bool are_variants(const std::vector<std::string_view>& printed, const SpecEntry& entry) {
    try {
        return parse_variants(printed).text == entry.variants->text;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool agrees(const SpecName& name, const SpecEntry& entry, const std::string& package) {
    const auto is = [](const std::optional<std::string_view>& printed, std::string_view text) {
        return !printed || *printed == text;
    };
    const Arch& arch = *entry.arch;
    return name.package == package && is(name.version, entry.version->text) &&
           (!name.compiler || is_compiler(*name.compiler, entry)) &&
           (!says_variants(name) || are_variants(name.variants, entry)) &&
           is(name.arch, arch_text(arch)) && is(name.platform, arch.platform) &&
           is(name.os, arch.os) && is(name.target, arch.target) &&
           text_of(entry.hash).starts_with(name.hash.value_or(""));
}

void check_names(const std::vector<FrontMatter::Raw>& names, const std::string& package,
                 PageSpecs& specs) {
    if (names.size() != specs.entries.size()) {
        specs.findings.add(
            mismatch, "",
            fmt::format("spec_names has {}, spec_details {}",
                        counted(static_cast<std::int64_t>(names.size()), "name"),
                        counted(static_cast<std::int64_t>(specs.entries.size()), "spec")));
    }
    for (std::size_t i = 0; i < std::min(names.size(), specs.entries.size()); ++i) {
        try {
            check_spec_name(read_spec_name(names[i]), "spec_details", specs.entries[i], package,
                            specs.findings);
        } catch (const Problem& problem) {
            specs.findings.add(mismatch, fmt::format("spec_names: {}", names[i].line),
                               problem.in_place());
        }
    }
}

using json::Members;

constexpr std::array<std::string_view, 1> keys_of_file = {"spec"};
constexpr std::array<std::string_view, 2> keys_of_spec = {"_meta", "nodes"};

// Reads objects of a file. A key that is not known becomes a finding (docs/formats.md, "Spec
// files").
class KnownMembers {
  public:
    KnownMembers(const std::string& file, Findings& findings) : file_(file), findings_(findings) {}

    Members operator()(const json::element& value, std::string_view where,
                       std::span<const std::string_view> known) const {
        Members members(value, where);
        for (const auto& [key, member] : members) {
            if (std::ranges::find(known, key) == known.end()) {
                findings_.add("unknown-field", file_,
                              fmt::format("'{}' is not known and not stored",
                                          shortened(members.place(key), longest_quote)));
            }
        }
        return members;
    }

  private:
    const std::string& file_;
    Findings& findings_;
};

// The first node is the spec, the others are its dependencies.
Members root_node(const json::element& file, const KnownMembers& members) {
    const Members spec = members(members(file, "", keys_of_file)["spec"], "spec", keys_of_spec);
    simdjson::dom::array nodes;
    if (spec["nodes"].get(nodes) != simdjson::SUCCESS || nodes.size() == 0) {
        json::refuse("spec.nodes", "a list with the spec and its dependencies", spec["nodes"]);
    }
    return members(nodes.at(0).value(), "", keys_of_node);
}

// Some targets are a text, others an object that describes them.
std::string_view target_name(const json::element& target, const KnownMembers& members) {
    return target.is_object() ? members(target, "arch.target", keys_of_target).text("name")
                              : json::text(target, "arch.target");
}

// A page comes from a public place and must not name a file outside of its folder.
bool is_name_of_file(const std::string& name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

// The text of a file that the page lists.
std::string text_of_file(const std::string& name, const ReadBeside& read_beside) {
    const auto refuse = [&](std::string_view problem) {
        throw Problem(fmt::format("{}, which it lists, {}", name, problem));
    };
    if (!read_beside) {
        refuse("can't be read: nothing is beside standard input");
    }
    if (!is_name_of_file(name)) {
        refuse("is not the name of a file beside it");
    }
    std::optional<std::string> text;
    try {
        text = read_beside(name);
    } catch (const Problem& problem) {
        refuse(fmt::format("can't be used: {}", problem.in_place()));
    }
    if (!text) {
        refuse("is not beside it");
    }
    return std::move(*text);
}

}  // namespace

void check_spec_name(std::string_view printed, std::string_view source, const SpecEntry& entry,
                     const std::string& package, Findings& findings) {
    const SpecName name = parse_spec_name(printed);
    if (!agrees(name, entry, package)) {
        const bool with_variants = says_variants(name) && !entry.variants->text.empty();
        findings.add(
            mismatch, std::string(text_of(entry.hash)),
            fmt::format("{} has {}@{}%{}{}{} arch={}, the page prints {}", source, package,
                        entry.version->text, compiler_text(entry), with_variants ? " " : "",
                        with_variants ? entry.variants->text : "", arch_text(*entry.arch),
                        name.text));
    }
}

void check_lists(const FrontMatter& front, const std::string& package, PageSpecs& specs) {
    if (front.spec_files) {
        specs.findings.add("spec-files-unread", "spec_files",
                           fmt::format("{} not read, spec_details says the specs",
                                       counted(static_cast<std::int64_t>(front.spec_files->size()),
                                               "file is", "files are")));
    }
    if (front.spec_names) {
        check_names(*front.spec_names, package, specs);
    }
}

struct SpecFilesReader::State {
    simdjson::dom::parser parser;
    std::shared_ptr<SharedValues> values = std::make_shared<SharedValues>();
    std::set<std::string, std::less<>> hashes;  // of the page at hand

    DagHash read_hash(const Members& node) {
        const std::string_view text = node.text("hash");
        const DagHash hash = read_dag_hash(text, "hash");
        if (!hashes.emplace(text).second) {
            throw Problem("hash", fmt::format("{} is on this page twice", text));
        }
        return hash;
    }

    SpecEntry read_entry(const Members& node, const KnownMembers& members) {
        SpecEntry entry;
        entry.hash = read_hash(node);
        entry.version = values->text(version_text(node["version"], "version"));
        const Members arch = members(node["arch"], "arch", keys_of_arch);
        entry.arch = values->arch(arch.text("platform"), arch.text("platform_os"),
                                  target_name(arch["target"], members));
        entry.compiler =
            values->compiler(compiler_of(members(node["compiler"], "compiler", keys_of_compiler)));
        entry.variants = values->variants(variants_of(Members(node["parameters"], "parameters")));
        return entry;
    }

    SpecEntry read_file(const ListedSpec& listed, const std::string& text,
                        const std::string& package, Findings& findings) {
        const KnownMembers members(listed.file, findings);
        const Members node = root_node(json::parse(parser, text), members);
        const std::string_view name = node.text("name");
        if (name != package) {
            throw Problem(fmt::format("expected a spec of {}, found one of {}", package, name));
        }
        const SpecEntry entry = read_entry(node, members);
        if (listed.name) {
            check_spec_name(*listed.name, listed.file, entry, package, findings);
        }
        return entry;
    }
};

SpecFilesReader::SpecFilesReader() : state_(std::make_unique<State>()) {}
SpecFilesReader::~SpecFilesReader() = default;

SpecFilesReader::Result SpecFilesReader::read(const FrontMatter& front, const std::string& package,
                                              const ReadBeside& read_beside) {
    Result result;
    result.specs.values = state_->values;
    state_->hashes.clear();
    for (const ListedSpec& listed : read_listed_specs(front)) {
        const std::string text =
            at_line(listed.line, [&] { return text_of_file(listed.file, read_beside); });
        try {
            result.specs.entries.push_back(
                state_->read_file(listed, text, package, result.specs.findings));
        } catch (Problem& problem) {
            problem.line = listed.line;
            problem.enter(listed.file);
            throw;
        }
        result.files.push_back({listed.file, blob_id(text)});
    }
    return result;
}

}  // namespace cacheledger
