#include "ingest/formats/spec_details.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ingest/json/json.hpp"
#include "ingest/page/spelling.hpp"
#include "schema/spelling/compiler.hpp"
#include "schema/spelling/dag_hash.hpp"

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

    // Gives false where the key is there already.
    bool set(std::size_t key, const json::element& value) {
        values_[key] = value;
        return !std::exchange(given_[key], true);
    }

    const json::element& operator[](Key key) const {
        if (!given_[key]) {
            throw std::invalid_argument(fmt::format("expected a '{}'", names[key]));
        }
        return values_[key];
    }

    std::string_view text(Key key) const { return json::text((*this)[key], names[key]); }

  private:
    std::array<json::element, keys> values_;
    std::array<bool, keys> given_{};
};

Fields read_fields(const json::element& entry, std::size_t index, Page& page) {
    simdjson::dom::object object;
    if (entry.get(object) != simdjson::SUCCESS) {
        throw std::invalid_argument(
            fmt::format("expected an object, found {}", json::kind_of(entry)));
    }
    Fields fields;
    for (const auto [name, value] : object) {
        const auto* const found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            note(page, "unknown-field",
                 fmt::format("spec_details[{}]: '{}' is not known and not stored", index, name));
        } else if (!fields.set(static_cast<std::size_t>(found - names.begin()), value)) {
            throw std::invalid_argument(fmt::format("'{}' is given twice", name));
        }
    }
    return fields;
}

// "linux-ubuntu22.04-x86_64_v3": platform and target hold no '-'.
std::array<std::string_view, 3> split_architecture(std::string_view text) {
    const std::size_t first = text.find('-');
    const std::size_t last = text.rfind('-');
    if (first == std::string_view::npos || first == last) {
        throw std::invalid_argument(
            fmt::format("architecture: expected platform-os-target, found '{}'", text));
    }
    return {text.substr(0, first), text.substr(first + 1, last - first - 1), text.substr(last + 1)};
}

// The folders of a tarball, where the compiler is called so.
std::string tarball_folders(const SpecEntry& entry, std::string_view compiler_name) {
    const Arch& arch = *entry.arch;
    std::string folders = fmt::format("/{}-{}-{}/", arch.platform, arch.os, arch.target);
    if (entry.compiler != nullptr && entry.compiler->version) {
        folders += fmt::format("{}-{}/", compiler_name, *entry.compiler->version);
    }
    return folders;
}

// The tarball URL follows from the other attributes (docs/formats.md, "Tarball URLs"); one that
// disagrees is worth saying. Its compiler has any of its names: Spack renamed some.
void check_tarball(std::string_view url, std::string_view compiler_name, const SpecEntry& entry,
                   Page& page) {
    const std::string folders = tarball_folders(entry, compiler_name);
    const std::string file =
        fmt::format("-{}-{}-{}.spack", page.package, entry.version->text, text_of(entry.hash));
    const auto is_in = [&](std::string_view name) {
        return url.find(tarball_folders(entry, name)) != std::string_view::npos;
    };
    if (url.ends_with(file) && url.find(folders) != std::string_view::npos) {
        return;
    }
    const auto other_names =
        entry.compiler ? names_of_compiler(entry.compiler->name) : std::vector<std::string_view>();
    if (!url.ends_with(file) || std::none_of(other_names.begin(), other_names.end(), is_in)) {
        note(page, "tarball-mismatch",
             fmt::format("{}: the attributes say ...{}...{}, the tarball is {}",
                         text_of(entry.hash), folders, file, url));
    }
}

}  // namespace

struct SpecDetailsReader::State {
    simdjson::dom::parser parser;
    std::shared_ptr<Spelling> spelling = std::make_shared<Spelling>();
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
            throw std::invalid_argument(
                fmt::format("versions: expected a list of one version, found {}", list.size()));
        }
        return list[0];
    }

    const Shared<Arch>* read_arch(const Fields& fields) {
        if (!fields.has(architecture)) {
            return spelling->arch(fields.text(platform), fields.text(os), fields.text(target));
        }
        const auto part = split_architecture(fields.text(architecture));
        const std::array<Key, 3> keys_of_parts = {platform, os, target};
        for (std::size_t i = 0; i < part.size(); ++i) {
            if (fields.has(keys_of_parts[i]) && fields.text(keys_of_parts[i]) != part[i]) {
                json::refuse(names[architecture], "the same as platform, os and target",
                             fields[architecture]);
            }
        }
        return spelling->arch(part[0], part[1], part[2]);
    }

    void refuse_same_hashes(const std::vector<SpecEntry>& specs) {
        hashes.clear();
        for (const SpecEntry& spec : specs) {
            hashes.emplace_back(spec.hash, hashes.size());
        }
        std::sort(hashes.begin(), hashes.end());
        const auto same =
            std::adjacent_find(hashes.begin(), hashes.end(),
                               [](const auto& a, const auto& b) { return a.first == b.first; });
        if (same != hashes.end()) {
            throw std::invalid_argument(
                fmt::format("spec_details[{}]: hash: {} is on this page twice", (same + 1)->second,
                            text_of(same->first)));
        }
    }

    SpecEntry read_entry(const Fields& fields) {
        SpecEntry entry;
        entry.hash = dag_hash(read_hash(fields));
        entry.version = spelling->text(read_version(fields));
        entry.arch = read_arch(fields);
        entry.compiler = spelling->compiler(fields.text(compiler));
        entry.variants = spelling->variants(read_texts(fields, variants));
        entry.stacks = spelling->stacks(read_texts(fields, stacks));
        if (fields.has(size) && fields.text(size) != "-") {
            entry.size = spelling->text(fields.text(size));
        }
        return entry;
    }
};

SpecDetailsReader::SpecDetailsReader() : state_(std::make_unique<State>()) {}
SpecDetailsReader::~SpecDetailsReader() = default;

void SpecDetailsReader::read(std::string_view json, Page& page) {
    const json::element root = json::parse(state_->parser, json);
    simdjson::dom::array list;
    if (root.get(list) != simdjson::SUCCESS) {
        json::refuse("spec_details", "a list", root);
    }
    page.values = state_->spelling;
    page.specs.reserve(list.size());
    std::size_t index = 0;
    for (const json::element element : list) {
        try {
            const Fields fields = read_fields(element, index, page);
            page.specs.push_back(state_->read_entry(fields));
            if (fields.has(tarball)) {
                const std::string_view printed = fields.text(compiler);
                check_tarball(fields.text(tarball), printed.substr(0, printed.find('@')),
                              page.specs.back(), page);
            }
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(fmt::format("spec_details[{}]: {}", index, error.what()));
        }
        ++index;
    }
    page.num_specs = index;
    state_->refuse_same_hashes(page.specs);
}

}  // namespace cacheledger
