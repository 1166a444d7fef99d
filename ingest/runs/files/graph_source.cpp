#include "ingest/runs/files/graph_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <future>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/spec_files.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

namespace {

// A process may have 1,024 files open. Those beyond are opened when they are read.
constexpr std::size_t most_open_files = 500;

// What opening it gave, or why it can't be opened.
std::shared_future<FoundFile> open_now(const Input& input) {
    std::promise<FoundFile> file;
    try {
        file.set_value(input.open());
    } catch (const InputError&) {
        file.set_exception(std::current_exception());
    }
    return file.get_future().share();
}

// What makes one snapshot.
struct OneSnapshot {
    std::string tag;
    std::string source;
    std::vector<Input> inputs;
};

// Whether the files have the same bytes, in the same order. Other files of a mirror say the sizes
// of its builds, and what can be fetched, so an index of a mirror is read.
bool are_unchanged(const std::vector<Input>& inputs, const std::vector<SnapshotFile>& files) {
    std::vector<FoundFile> found;
    const bool may_be = std::equal(inputs.begin(), inputs.end(), files.begin(), files.end(),
                                   [&](const Input& input, const SnapshotFile& file) {
                                       if (input.specs) {
                                           return false;
                                       }
                                       found.push_back(input.open());
                                       return !input.mirror &&
                                              input.label.value_or("") == file.label &&
                                              found.back().size() == file.size;
                                   });
    return may_be && std::equal(found.begin(), found.end(), files.begin(),
                                [](const FoundFile& one, const SnapshotFile& file) {
                                    const OpenBytes bytes = one.bytes();
                                    return at_file(one.place(), [&] {
                                               return DigestedBytes(*bytes).finish();
                                           }) == file.sha256;
                                });
}

void read_file(const Input& input, GraphReader& reader, GraphInput& result) {
    const FoundFile found = input.open();
    const OpenBytes opened = found.bytes();
    DigestedBytes bytes(*opened);
    GraphFile file = at_json_file(found, [&] { return reader.read(input.place, bytes); });
    const std::string sha256 = at_file(input.place, [&] { return bytes.finish(); });
    result.files.push_back({input.label.value_or(""), input.place, std::move(file), bytes.size(),
                            sha256, input.view_of.has_value()});
}

// Reads the spec files of a mirror without an index, and makes of them what the index would say:
// the first spec of each file is in the cache, and the others are what it needs.
void read_spec_files(const Input& input, GraphReader& reader, GraphInput& result) {
    GraphSource mirror{input.label.value_or(""), input.place, {}};
    UnknownKeys unknown;
    const std::vector<Problem> unread = input.specs->read([&](const SpecFile& file) {
        GraphFile one = reader.read_spec(file.json, unknown, file.named);
        mirror.file.present.push_back(one.present.front());
        mirror.file.version = one.version;
        mirror.file.records += one.records;
        mirror.file.edges += one.edges;
        mirror.file.findings.add(std::move(one.findings));
        mirror.size += file.size;
        if (file.named && file.binary) {
            result.sizes.push_back({*file.named, *file.binary});
        }
    });
    if (mirror.size == 0) {
        throw InputError(unread.empty() ? input.place + ": has no spec files"
                                        : unread.front().message());
    }
    for (const Problem& problem : unread) {
        if (result.unread_specs.size() < most_findings) {
            result.unread_specs.push_back({mirror.label, problem.file, problem.message()});
        } else {
            ++result.more_unread_specs;
        }
    }
    std::vector<std::uint32_t>& present = mirror.file.present;
    std::ranges::sort(present);
    present.erase(std::unique(present.begin(), present.end()), present.end());
    add_unknown_keys(mirror.file, unknown);
    result.files.push_back(std::move(mirror));
}

// An index that was read, and the file that it became.
struct ReadIndex {
    const Input* input = nullptr;
    std::size_t file = 0;
};

// Adds a line for the user for each that is of all builds. `view`: which Spack can make anew; ""
// for the main index.
void take_findings(std::vector<MirrorFinding> findings, std::string_view place,
                   const std::string& view, GraphInput& result, std::vector<std::string>& notes) {
    const std::string hint =
        view.empty() ? "update-index' makes the index anew"
                     : fmt::format("update-index --force --name {}' makes it anew", view);
    for (MirrorFinding& finding : findings) {
        if (finding.is_of_all()) {
            notes.push_back(
                fmt::format("{}: {}; 'spack buildcache {}", place, finding.detail, hint));
        }
        result.of_mirrors.push_back(std::move(finding));
    }
}

// Compares the indexes of one mirror with its files, and reads the sizes. If the mirror can't be
// searched, it is not known what is there, and reading says why.
void read_mirror(const std::vector<ReadIndex>& indexes, GraphInput& result,
                 std::vector<std::string>& notes) {
    const SpecFiles& specs = *indexes.front().input->mirror;
    if (specs.has_sizes()) {
        read_sizes(specs.folder(), result);
    }
    std::vector<NamedSpec> there;
    try {
        there = specs.list();
    } catch (const Problem&) {
        return;
    }
    const std::string_view folder = specs.folder();
    const std::string_view place = folder.substr(0, folder.find_last_not_of('/') + 1);
    std::vector<std::uint32_t> listed;
    for (const ReadIndex& index : indexes) {
        const std::vector<std::uint32_t>& present = result.files[index.file].file.present;
        listed.insert(listed.end(), present.begin(), present.end());
    }
    for (const ReadIndex& index : indexes) {
        if (!index.input->specs) {
            GraphSource& file = result.files[index.file];
            take_findings(compare_with_files(file, result.graph, specs, there,
                                             index.input->is_main_index ? &listed : nullptr),
                          place, file.is_view ? file.label : "", result, notes);
        }
    }
}

// Compares each view with the main index of its mirror, if both were read.
void compare_views(const std::vector<ReadIndex>& read, GraphInput& result,
                   std::vector<std::string>& notes) {
    for (const ReadIndex& view : read) {
        if (!view.input->view_of) {
            continue;
        }
        const auto main = std::ranges::find_if(read, [&](const ReadIndex& one) {
            return !one.input->view_of && one.input->place == *view.input->view_of;
        });
        if (main != read.end()) {
            take_findings(
                compare_with_main(result.files[view.file], result.files[main->file], result.graph),
                view.input->place, "", result, notes);
        }
    }
}

// What is said of all builds of an index comes first: only so many findings are kept.
void sort_findings(std::vector<MirrorFinding>& findings) {
    const auto order = [](const MirrorFinding& one) {
        return std::tuple(!one.is_of_all(), one.kind.word(), one.package, one.detail, one.path);
    };
    std::ranges::sort(findings, {}, order);
    const auto is_same = [&](const auto& one, const auto& other) {
        return order(one) == order(other);
    };
    findings.erase(std::unique(findings.begin(), findings.end(), is_same), findings.end());
    if (findings.size() > most_findings) {
        findings.erase(findings.begin() + most_findings, findings.end());
    }
}

// Adds lines for the user to `notes`.
GraphInput read_one(const OneSnapshot& wanted, Earlier& earlier, std::vector<std::string>& notes) {
    GraphInput result;
    result.tag = wanted.tag;
    result.source = wanted.source;
    try {
        auto before = earlier.files_before(wanted.tag);
        if (before && are_unchanged(wanted.inputs, before->files)) {
            result.same_as = std::move(before);
            return result;
        }
    } catch (const InputError&) {
        // It is said where the file is read.
    }
    GraphReader reader(&earlier.known_nodes(wanted.tag));
    std::vector<ReadIndex> read;
    std::map<std::string, std::vector<ReadIndex>> mirrors;  // by folder
    for (const Input& input : wanted.inputs) {
        result.has_views = result.has_views || input.view_of;
        try {
            if (input.specs) {
                at_file(input.place, [&] { read_spec_files(input, reader, result); });
            } else {
                read_file(input, reader, result);
            }
            read.push_back({&input, result.files.size() - 1});
            if (input.mirror) {
                mirrors[input.mirror->folder()].push_back(read.back());
            }
        } catch (const InputError& error) {
            input.discard();
            result.unread.push_back({input.label.value_or(""), input.place, error.what()});
        }
    }
    result.graph = reader.finish();
    for (const auto& [folder, indexes] : mirrors) {
        read_mirror(indexes, result, notes);
    }
    compare_views(read, result, notes);
    sort_findings(result.of_mirrors);
    return result;
}

class GraphFiles : public Source {
  public:
    explicit GraphFiles(std::vector<OneSnapshot> snapshots) : snapshots_(std::move(snapshots)) {}

    std::size_t size() const override { return snapshots_.size(); }

    void begin(Earlier& earlier) override {
        notes_.clear();
        earlier_ = &earlier;
        next_ = 0;
    }

    std::optional<Loadable> next() override {
        return next_ == snapshots_.size()
                   ? std::nullopt
                   : std::optional<Loadable>(read_one(snapshots_[next_++], *earlier_, notes_));
    }

    std::vector<std::string> notes() const override { return notes_; }

  private:
    std::vector<OneSnapshot> snapshots_;
    std::vector<std::string> notes_;
    Earlier* earlier_ = nullptr;
    std::size_t next_ = 0;
};

std::string tag_of(const RefInputs& inputs, Shape kind, const std::optional<std::string>& tag,
                   const std::string& source) {
    if (!tag && !inputs.ref) {
        throw UsageError(
            fmt::format("ingest: {} is {}, which has no name of its own: expected "
                        "--tag NAME",
                        inputs.inputs.at(0).place, name_of(kind)));
    }
    if (const auto problem = tag ? std::nullopt : tag_problem(*inputs.ref)) {
        throw InputError(
            fmt::format("{}: the ref '{}' can't be a tag: {}", source, *inputs.ref, *problem));
    }
    return tag ? *tag : *inputs.ref;
}

}  // namespace

std::unique_ptr<Source> open_graphs(const Inputs& inputs, const std::optional<std::string>& tag,
                                    const std::string& source) {
    if (tag && inputs.refs.size() > 1) {
        throw UsageError(fmt::format(
            "ingest: --tag names one snapshot, and the manifest has {} refs: choose one with --ref",
            inputs.refs.size()));
    }
    std::vector<OneSnapshot> snapshots;
    std::size_t open_files = 0;
    for (const RefInputs& ref : inputs.refs) {
        OneSnapshot& wanted = snapshots.emplace_back(
            OneSnapshot{tag_of(ref, inputs.kind, tag, source), source, ref.inputs});
        for (Input& input : wanted.inputs) {
            if ((ref.ref || input.view_of) && open_files < most_open_files) {
                ++open_files;
                input.open = [file = open_now(input)] { return file.get(); };
            }
        }
    }
    return std::make_unique<GraphFiles>(std::move(snapshots));
}

void read_sizes(const std::string& mirror, GraphInput& input) {
    std::vector<Problem> unread =
        read_spec_manifests(mirror, [&](const DagHash& hash, std::string_view text) {
            input.sizes.push_back({hash, read_binary_size(text)});
        });
    std::ranges::sort(unread, [](const Problem& a, const Problem& b) { return a.file < b.file; });
    std::move(unread.begin(), unread.end(), std::back_inserter(input.unread_sizes));
}

}  // namespace cacheledger
