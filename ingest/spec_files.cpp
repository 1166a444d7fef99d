#include "ingest/spec_files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "ingest/dag_hash.hpp"
#include "ingest/json.hpp"
#include "ingest/spec_list.hpp"
#include "ingest/spec_name.hpp"
#include "ingest/spelling.hpp"

namespace cacheledger {

namespace {

// What `parameters` holds beside variants: compiler flags, which pages never print.
constexpr std::array<std::string_view, 6> flags = {"cflags", "cppflags", "cxxflags",
                                                   "fflags", "ldflags",  "ldlibs"};

// What a node holds beside the attributes of a spec (formats.md section 4).
constexpr std::array<std::string_view, 10> not_stored = {
    "namespace",    "patches",    "package_hash", "dependencies", "full_hash",
    "process_hash", "build_hash", "build_spec",   "external",     "concrete"};

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
        if (contains(flags, name)) {
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

// Some targets are a text, others an object that describes them.
std::string_view target_name(const json::element& target) {
    return target.is_object() ? Members(target, "arch.target").text("name")
                              : json::text(target, "arch.target");
}

json::element root_node(const json::element& file) {
    const json::element spec = Members(file, "")["spec"];
    const json::element list = Members(spec, "spec")["nodes"];
    simdjson::dom::array nodes;
    if (list.get(nodes) != simdjson::SUCCESS || nodes.size() == 0) {
        json::refuse("spec.nodes", "a list with the spec and its dependencies", list);
    }
    return nodes.at(0).value();
}

void note_unknown(const Members& node, const std::string& file, Page& page) {
    constexpr std::array<std::string_view, 6> stored = {"name",     "version",    "arch",
                                                        "compiler", "parameters", "hash"};
    for (const auto& [key, value] : node) {
        if (!contains(stored, key) && !contains(not_stored, key)) {
            note(page, "unknown-field",
                 fmt::format("{}: '{}' is not known and not stored", file, key));
        }
    }
}

}  // namespace

struct SpecFilesReader::State {
    simdjson::dom::parser parser;
    std::shared_ptr<Spelling> spelling = std::make_shared<Spelling>();
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

    SpecEntry read_entry(const Members& node) {
        SpecEntry entry;
        entry.hash = dag_hash(read_hash(node));
        entry.version = spelling->text(version_text(node["version"], "version"));
        const Members arch(node["arch"], "arch");
        entry.arch = spelling->arch(arch.text("platform"), arch.text("platform_os"),
                                    target_name(arch["target"]));
        const Members compiler(node["compiler"], "compiler");
        entry.compiler = spelling->compiler(fmt::format(
            "{}@{}", compiler.text("name"), version_text(compiler["version"], "compiler.version")));
        entry.variants = spelling->variants(variants_of(node["parameters"]));
        return entry;
    }

    bool is_compiler(std::string_view printed, const SpecEntry& entry) {
        try {
            const auto compiler = spelling->compiler(printed);
            return compiler && compiler->spec == entry.compiler->spec;
        } catch (const std::invalid_argument&) {
            return false;
        }
    }

    // The page prints the spec as well; where that disagrees with the file it is worth saying.
    void check_name(const ListedSpec& listed, const SpecEntry& entry, Page& page) {
        const SpecName name = parse_spec_name(*listed.name);
        const std::string arch =
            fmt::format("{}-{}-{}", entry.arch->platform, entry.arch->os, entry.arch->target);
        if (name.package != page.package ||
            (name.version && *name.version != entry.version->text) ||
            (name.compiler && !is_compiler(*name.compiler, entry)) ||
            (name.arch && *name.arch != arch)) {
            note(page, "spec-name-mismatch",
                 fmt::format("{}: {} has {}@{}%{} arch={}, the page prints {}", text_of(entry.hash),
                             listed.file, page.package, entry.version->text, entry.compiler->spec,
                             arch, name.text));
        }
    }

    void read_file(const ListedSpec& listed, const std::string& text, Page& page) {
        const Members node(root_node(json::parse(parser, text)), "");
        const std::string_view name = node.text("name");
        if (name != page.package) {
            throw std::invalid_argument(
                fmt::format("expected a spec of {}, found one of {}", page.package, name));
        }
        const SpecEntry entry = read_entry(node);
        note_unknown(node, listed.file, page);
        if (listed.name) {
            check_name(listed, entry, page);
        }
        page.specs.push_back(entry);
    }
};

SpecFilesReader::SpecFilesReader() : state_(std::make_unique<State>()) {}
SpecFilesReader::~SpecFilesReader() = default;

std::vector<TreeEntry> SpecFilesReader::read(const FrontMatter& front,
                                             const ReadBeside& read_beside, Page& page) {
    const std::vector<ListedSpec> specs = read_spec_list(front);
    std::vector<TreeEntry> files;
    page.values = state_->spelling;
    state_->hashes.clear();
    for (const ListedSpec& listed : specs) {
        std::string text;
        try {
            text = read_beside(listed.file);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(
                fmt::format("{}: {}, which it lists,{}", listed.line, listed.file, error.what()));
        }
        try {
            state_->read_file(listed, text, page);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(
                fmt::format("{}: {}: {}", listed.line, listed.file, error.what()));
        }
        files.push_back({listed.file, blob_id(text)});
    }
    page.num_specs = specs.size();
    return files;
}

}  // namespace cacheledger
