#include "ingest/formats/spec_files.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>

#include "ingest/formats/spec_name_check.hpp"
#include "ingest/front_matter/listed_specs.hpp"
#include "ingest/json/json.hpp"
#include "ingest/nodes/node_fields.hpp"
#include "ingest/nodes/node_values.hpp"
#include "ingest/page/problem.hpp"
#include "ingest/page/spelling.hpp"
#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

namespace {

using json::Members;

constexpr std::array<std::string_view, 1> keys_of_file = {"spec"};
constexpr std::array<std::string_view, 2> keys_of_spec = {"_meta", "nodes"};
constexpr std::array<std::string_view, 3> keys_of_arch = {"platform", "platform_os", "target"};
constexpr std::array<std::string_view, 2> keys_of_compiler = {"name", "version"};

// Reads objects of a file, and notes the keys that are not known (docs/formats.md, "Spec files").
class KnownMembers {
  public:
    KnownMembers(const std::string& file, Page& page) : file_(file), page_(page) {}

    Members operator()(const json::element& value, std::string_view where,
                       std::span<const std::string_view> known) const {
        Members members(value, where);
        for (const auto& [key, member] : members) {
            if (std::find(known.begin(), known.end(), key) == known.end()) {
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

    SpecEntry read_entry(const Members& node, const KnownMembers& members) {
        SpecEntry entry;
        entry.hash = dag_hash(read_hash(node));
        entry.version = spelling->text(version_text(node["version"], "version"));
        const Members arch = members(node["arch"], "arch", keys_of_arch);
        entry.arch = spelling->arch(arch.text("platform"), arch.text("platform_os"),
                                    target_name(arch["target"], members));
        entry.compiler = spelling->compiler(
            compiler_of(members(node["compiler"], "compiler", keys_of_compiler)));
        entry.variants = spelling->variants(variants_of(Members(node["parameters"], "parameters")));
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
    page.values = state_->spelling;
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
