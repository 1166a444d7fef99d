#include "ingest/pages/reader/page_reader.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ingest/bytes/json/json.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

namespace {

// The keys of an entry, in every generation that has spec_details (docs/formats.md, "Spec
// entries").
enum Key {
    hash,
    versions,
    compiler,
    os,
    platform,
    target,
    architecture,
    variants,
    stacks,
    size,
    tarball,
    keys
};

constexpr std::array<std::string_view, keys> names = {
    "hash",         "versions", "compiler", "os",   "platform", "target",
    "architecture", "variants", "stacks",   "size", "tarball"};

// The values of one entry, by key.
class Fields {
  public:
    bool has(Key key) const { return given_[key]; }

    // Returns false if the key was set before.
    bool set(std::size_t key, const json::element& value) {
        values_[key] = value;
        return !std::exchange(given_[key], true);
    }

    const json::element& operator[](Key key) const {
        if (!given_[key]) {
            throw Problem(fmt::format("expected a '{}'", names[key]));
        }
        return values_[key];
    }

    std::string_view text(Key key) const { return json::text((*this)[key], names[key]); }

  private:
    std::array<json::element, keys> values_;
    std::array<bool, keys> given_{};
};

Fields read_fields(const json::element& entry, std::size_t index, Findings& findings) {
    simdjson::dom::object object;
    if (entry.get(object) != simdjson::SUCCESS) {
        throw Problem(fmt::format("expected an object, found {}", json::kind_of(entry)));
    }
    Fields fields;
    for (const auto [name, value] : object) {
        const auto* const found = std::ranges::find(names, name);
        if (found == names.end()) {
            findings.add("unknown-field", entry_place(index),
                         fmt::format("'{}' is not known and not stored", name));
        } else if (!fields.set(static_cast<std::size_t>(found - names.begin()), value)) {
            throw Problem(fmt::format("'{}' is given twice", name));
        }
    }
    return fields;
}

// "linux-ubuntu22.04-x86_64_v3": platform and target contain no '-'.
std::array<std::string_view, 3> split_architecture(std::string_view text) {
    const std::size_t first = text.find('-');
    const std::size_t last = text.rfind('-');
    if (first == std::string_view::npos || first == last) {
        throw Problem(names[architecture],
                      fmt::format("expected platform-os-target, found '{}'", text));
    }
    return {text.substr(0, first), text.substr(first + 1, last - first - 1), text.substr(last + 1)};
}

// The folders of a tarball, if the compiler has this name in them.
std::string tarball_folders(const SpecEntry& entry, std::string_view compiler_name) {
    const Arch& arch = *entry.arch;
    std::string folders = fmt::format("/{}-{}-{}/", arch.platform, arch.os, arch.target);
    if (entry.compiler != nullptr && entry.compiler->version) {
        folders += fmt::format("{}-{}/", compiler_name, *entry.compiler->version);
    }
    return folders;
}

// The tarball URL follows from the other attributes (docs/formats.md, "Tarball URLs"); one that
// disagrees is a finding. Its compiler may have any of its names: Spack renamed some.
void check_tarball(std::string_view url, std::string_view compiler_name, const SpecEntry& entry,
                   const std::string& package, Findings& findings) {
    const std::string folders = tarball_folders(entry, compiler_name);
    const std::string file =
        fmt::format("-{}-{}-{}.spack", package, entry.version->text, text_of(entry.hash));
    const auto is_in = [&](std::string_view name) {
        return url.find(tarball_folders(entry, name)) != std::string_view::npos;
    };
    if (url.ends_with(file) && url.find(folders) != std::string_view::npos) {
        return;
    }
    const auto other_names =
        entry.compiler ? names_of_compiler(entry.compiler->name) : std::vector<std::string_view>();
    if (!url.ends_with(file) || std::ranges::none_of(other_names, is_in)) {
        findings.add(
            "tarball-mismatch", std::string(text_of(entry.hash)),
            fmt::format("the attributes say ...{}...{}, the tarball is {}", folders, file, url));
    }
}

}  // namespace

struct SpecDetailsReader::State {
    simdjson::dom::parser parser;
    std::shared_ptr<SharedValues> values = std::make_shared<SharedValues>();
    std::vector<std::string_view> texts;                  // kept for its memory
    std::vector<std::pair<DagHash, std::size_t>> hashes;  // with their entries; kept likewise

    const std::vector<std::string_view>& read_texts(const Fields& fields, Key key) {
        json::texts(fields[key], names[key], texts);
        return texts;
    }

    static std::string_view read_hash(const Fields& fields) {
        const std::string_view text = fields.text(hash);
        if (!is_dag_hash(text)) {
            json::refuse(names[hash], "32 characters of a-z and 2-7", fields[hash]);
        }
        return text;
    }

    std::string_view read_version(const Fields& fields) {
        const auto& list = read_texts(fields, versions);
        if (list.size() != 1 || list[0].empty()) {
            throw Problem(names[versions],
                          fmt::format("expected a list of one version, found {}", list.size()));
        }
        return list[0];
    }

    const Shared<Arch>* read_arch(const Fields& fields) {
        if (!fields.has(architecture)) {
            return values->arch(fields.text(platform), fields.text(os), fields.text(target));
        }
        const auto part = split_architecture(fields.text(architecture));
        const std::array<Key, 3> keys_of_parts = {platform, os, target};
        for (std::size_t i = 0; i < part.size(); ++i) {
            if (fields.has(keys_of_parts[i]) && fields.text(keys_of_parts[i]) != part[i]) {
                json::refuse(names[architecture], "the same as platform, os and target",
                             fields[architecture]);
            }
        }
        return values->arch(part[0], part[1], part[2]);
    }

    void refuse_same_hashes(const std::vector<SpecEntry>& specs) {
        hashes.clear();
        for (const SpecEntry& spec : specs) {
            hashes.emplace_back(spec.hash, hashes.size());
        }
        std::ranges::sort(hashes);
        const auto same = std::ranges::adjacent_find(
            hashes, [](const auto& a, const auto& b) { return a.first == b.first; });
        if (same != hashes.end()) {
            throw Problem(fmt::format("{}: {}", entry_place((same + 1)->second), names[hash]),
                          fmt::format("{} is on this page twice", text_of(same->first)));
        }
    }

    SpecEntry read_entry(const Fields& fields) {
        SpecEntry entry;
        entry.hash = dag_hash(read_hash(fields));
        entry.version = values->text(read_version(fields));
        entry.arch = read_arch(fields);
        entry.compiler = values->compiler(fields.text(compiler));
        entry.variants = values->variants(read_texts(fields, variants));
        entry.stacks = values->stacks(read_texts(fields, stacks));
        if (fields.has(size) && fields.text(size) != "-") {
            entry.size = values->text(fields.text(size));
        }
        return entry;
    }
};

SpecDetailsReader::SpecDetailsReader() : state_(std::make_unique<State>()) {}
SpecDetailsReader::~SpecDetailsReader() = default;

PageSpecs SpecDetailsReader::read(std::string_view json, const std::string& package) {
    const auto list =
        json::as<json::array>(json::parse(state_->parser, json), "spec_details", "a list");
    PageSpecs specs;
    specs.values = state_->values;
    specs.entries.reserve(list.size());
    for (const json::element element : list) {
        const std::size_t index = specs.entries.size();
        try {
            const Fields fields = read_fields(element, index, specs.findings);
            const SpecEntry entry = state_->read_entry(fields);
            if (fields.has(tarball)) {
                const std::string_view printed = fields.text(compiler);
                check_tarball(fields.text(tarball), printed.substr(0, printed.find('@')), entry,
                              package, specs.findings);
            }
            specs.entries.push_back(entry);
        } catch (Problem& problem) {
            problem.enter(entry_place(index));
            throw;
        }
    }
    state_->refuse_same_hashes(specs.entries);
    return specs;
}

}  // namespace cacheledger
