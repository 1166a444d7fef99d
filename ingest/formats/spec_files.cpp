#include "ingest/formats/spec_files.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "ingest/basics/json.hpp"
#include "ingest/basics/problem.hpp"
#include "ingest/formats/spec_name_check.hpp"
#include "ingest/front_matter/listed_specs.hpp"
#include "ingest/page/shared_values.hpp"
#include "schema/spelling/dag_hash.hpp"
#include "schema/spelling/variants.hpp"

namespace cacheledger {

namespace {

template <typename Texts>
bool contains(const Texts& texts, std::string_view text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// The members of the JSON object at `where`, each of them once. Of the spec itself `where` is
// empty.
class Members {
  public:
    Members(const json::element& value, std::string_view where) : where_(where) {
        simdjson::dom::object object;
        if (value.get(object) != simdjson::SUCCESS) {
            json::refuse(where.empty() ? "the spec" : where, "an object", value);
        }
        for (const auto [key, member] : object) {
            if (!members_.emplace(key, member).second) {
                throw Problem(fmt::format("'{}' is given twice", place(key)));
            }
        }
    }

    const json::element& operator[](std::string_view key) const {
        const auto found = members_.find(key);
        if (found == members_.end()) {
            throw Problem(fmt::format("expected a '{}'", place(key)));
        }
        return found->second;
    }
    std::string_view text(std::string_view key) const {
        return json::text((*this)[key], place(key));
    }
    auto begin() const { return members_.begin(); }
    auto end() const { return members_.end(); }

    std::string place(std::string_view key) const {
        return fmt::format("{}{}{}", where_, where_.empty() ? "" : ".", key);
    }

  private:
    std::string_view where_;
    std::map<std::string_view, json::element> members_;
};

// Versions were texts or numbers in 2022. A fraction can't be told from another (1.10 is 1.1).
std::string version_text(const json::element& value, std::string_view where) {
    if (value.is_uint64()) {  // any whole number that is not negative
        return fmt::format("{}", value.get_uint64().value_unsafe());
    }
    if (!value.is_string()) {
        json::refuse(where, "a text or a whole number", value);
    }
    const std::string_view text = json::text(value, where);
    if (text.empty()) {
        json::refuse(where, "a version", value);
    }
    return std::string(text);
}

std::string value_text(const json::element& value, std::string_view where) {
    if (value.is_bool()) {
        return value.get_bool().value_unsafe() ? "true" : "false";
    }
    if (value.is_int64()) {
        return fmt::format("{}", value.get_int64().value_unsafe());
    }
    if (!value.is_string()) {
        json::refuse(where, "true, false, a text, or a list of them", value);
    }
    return std::string(json::text(value, where));
}

std::vector<Variant> variants_of(const json::element& parameters) {
    std::vector<Variant> variants;
    for (const auto& [name, value] : Members(parameters, "parameters")) {
        if (is_compiler_flag(name)) {
            continue;
        }
        const std::string where = fmt::format("parameters.{}", name);
        Variant variant;
        variant.name = name;
        if (simdjson::dom::array list; value.get(list) == simdjson::SUCCESS) {
            for (const json::element item : list) {
                variant.values.push_back(value_text(item, where));
            }
        } else {
            variant.values.push_back(value_text(value, where));
        }
        variants.push_back(std::move(variant));
    }
    return variants;
}

// Reads objects of a file. A key that is not known becomes a finding (docs/formats.md, "Spec
// files").
class KnownMembers {
  public:
    KnownMembers(const std::string& file, Findings& findings) : file_(file), findings_(findings) {}

    Members operator()(const json::element& value, std::string_view where,
                       std::initializer_list<std::string_view> known) const {
        Members members(value, where);
        for (const auto& [key, member] : members) {
            if (!contains(known, key)) {
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
    const Members spec = members(members(file, "", {"spec"})["spec"], "spec", {"_meta", "nodes"});
    simdjson::dom::array nodes;
    if (spec["nodes"].get(nodes) != simdjson::SUCCESS || nodes.size() == 0) {
        json::refuse("spec.nodes", "a list with the spec and its dependencies", spec["nodes"]);
    }
    return members(nodes.at(0).value(), "",
                   {"name", "version", "arch", "compiler", "parameters", "hash",
                    // not stored
                    "namespace", "patches", "package_hash", "dependencies", "full_hash",
                    "process_hash", "build_hash", "build_spec", "external", "concrete"});
}

// Some targets are a text, others an object that describes them.
std::string_view target_name(const json::element& target, const KnownMembers& members) {
    return target.is_object()
               ? members(target, "arch.target",
                         {"name", "vendor", "features", "generation", "parents", "cpupart"})
                     .text("name")
               : json::text(target, "arch.target");
}

// "gcc@9.3.0"
std::string printed_compiler(const Members& compiler) {
    const std::string_view name = compiler.text("name");
    if (name.find_first_of("@/") != std::string_view::npos) {
        json::refuse("compiler.name", "a name without '@' and '/'", compiler["name"]);
    }
    return fmt::format("{}@{}", name, version_text(compiler["version"], "compiler.version"));
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

struct SpecFilesReader::State {
    simdjson::dom::parser parser;
    std::shared_ptr<SharedValues> values = std::make_shared<SharedValues>();
    std::unordered_set<std::string> hashes;  // of the page at hand

    std::string_view read_hash(const Members& node) {
        const std::string_view text = node.text("hash");
        if (!is_dag_hash(text)) {
            json::refuse("hash", "32 characters of a-z and 2-7", node["hash"]);
        }
        if (!hashes.emplace(text).second) {
            throw Problem("hash", fmt::format("{} is on this page twice", text));
        }
        return text;
    }

    SpecEntry read_entry(const Members& node, const KnownMembers& members) {
        SpecEntry entry;
        entry.hash = dag_hash(read_hash(node));
        entry.version = values->text(version_text(node["version"], "version"));
        const Members arch = members(node["arch"], "arch", {"platform", "platform_os", "target"});
        entry.arch = values->arch(arch.text("platform"), arch.text("platform_os"),
                                  target_name(arch["target"], members));
        entry.compiler = values->compiler(
            printed_compiler(members(node["compiler"], "compiler", {"name", "version"})));
        entry.variants = values->variants(variants_of(node["parameters"]));
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
