#include "ingest/formats/spec_files.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <unordered_set>

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
                throw std::invalid_argument(fmt::format("'{}' is given twice", place(key)));
            }
        }
    }

    const json::element& operator[](std::string_view key) const {
        const auto found = members_.find(key);
        if (found == members_.end()) {
            throw std::invalid_argument(fmt::format("expected a '{}'", place(key)));
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

// Reads objects of a file, and notes the keys that are not known (docs/formats.md, "Spec files").
class KnownMembers {
  public:
    KnownMembers(const std::string& file, Page& page) : file_(file), page_(page) {}

    Members operator()(const json::element& value, std::string_view where,
                       std::initializer_list<std::string_view> known) const {
        Members members(value, where);
        for (const auto& [key, member] : members) {
            if (!contains(known, key)) {
                note(page_, "unknown-field",
                     fmt::format("{}: '{}' is not known and not stored", file_,
                                 shortened(members.place(key), longest_quote)));
            }
        }
        return members;
    }

  private:
    const std::string& file_;
    Page& page_;
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
            throw std::invalid_argument(fmt::format("hash: {} is on this page twice", text));
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

    void read_file(const ListedSpec& listed, const std::string& text, Page& page) {
        const KnownMembers members(listed.file, page);
        const Members node = root_node(json::parse(parser, text), members);
        const std::string_view name = node.text("name");
        if (name != page.package) {
            throw std::invalid_argument(
                fmt::format("expected a spec of {}, found one of {}", page.package, name));
        }
        const SpecEntry entry = read_entry(node, members);
        if (listed.name) {
            check_spec_name(*listed.name, listed.file, entry, page);
        }
        page.specs.push_back(entry);
    }
};

SpecFilesReader::SpecFilesReader() : state_(std::make_unique<State>()) {}
SpecFilesReader::~SpecFilesReader() = default;

std::vector<TreeEntry> SpecFilesReader::read(const FrontMatter& front,
                                             const ReadBeside& read_beside, Page& page) {
    const std::vector<ListedSpec> specs = read_listed_specs(front);
    std::vector<TreeEntry> files;
    page.values = state_->values;
    state_->hashes.clear();
    for (const ListedSpec& listed : specs) {
        std::string text;
        try {
            text = read_beside(listed.file);
        } catch (const Problem& problem) {
            throw Problem(fmt::format("{}, which it lists, {}", listed.file, problem.what()),
                          listed.line);
        }
        try {
            state_->read_file(listed, text, page);
        } catch (const std::invalid_argument& error) {
            throw Problem(fmt::format("{}: {}", listed.file, error.what()), listed.line);
        }
        files.push_back({listed.file, blob_id(text)});
    }
    page.num_specs = specs.size();
    return files;
}

}  // namespace cacheledger
