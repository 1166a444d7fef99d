#include "ingest/runs/files/graph_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "ingest/bytes/problems/at_file.hpp"
#include "ingest/bytes/streams/digested_bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/graphs/files/mirror_reader.hpp"
#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/sources/inputs/at_json_file.hpp"
#include "ingest/sources/mirrors/binary_sizes.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/text/counted.hpp"

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

// Whether the files have the same bytes, in the same order. What a mirror says of sizes is in other
// files, so an index of a mirror is read.
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
    result.files.push_back(
        {input.label.value_or(""), input.place, std::move(file), bytes.size(), sha256});
}

// What the spec files of a mirror without an index say.
void read_spec_files(const Input& input, GraphReader& reader, GraphInput& result) {
    const std::string label = input.label.value_or("");
    MirrorReader mirror(reader);
    const std::vector<Problem> unread = input.specs->read(
        [&](std::string_view json, std::uint64_t size, const std::optional<DagHash>& named) {
            mirror.read(json, size, named);
        });
    if (mirror.size() == 0) {
        throw InputError(unread.empty() ? input.place + ": has no spec files"
                                        : unread.front().message());
    }
    for (const Problem& problem : unread) {
        if (result.unread_specs.size() < most_findings) {
            result.unread_specs.push_back({label, problem.file, problem.message()});
        } else {
            ++result.more_unread_specs;
        }
    }
    const std::uint64_t size = mirror.size();
    result.files.push_back({label, input.place, mirror.finish(), size});
}

// Says how many binaries of a mirror, whose sizes are those from `first` on, its index lacks.
void note_unlisted(const std::string& mirror, const GraphInput& input, std::size_t index,
                   std::size_t first, std::vector<std::string>& notes) {
    HashTable<bool> listed;
    for (const std::uint32_t node : input.files[index].file.present) {
        listed.emplace(input.graph.nodes[node].hash, true);
    }
    const auto unlisted =
        std::count_if(input.sizes.begin() + static_cast<std::ptrdiff_t>(first), input.sizes.end(),
                      [&](const BinarySize& one) { return listed.find(one.hash) == nullptr; });
    if (unlisted > 0) {
        notes.push_back(fmt::format(
            "{}: its index does not list {}; 'spack buildcache update-index' adds what is missing",
            std::string_view(mirror).substr(0, mirror.find_last_not_of('/') + 1),
            counted(unlisted, "binary that is there", "binaries that are there")));
    }
}

// Adds lines for the user to `notes`.
GraphInput read_one(const OneSnapshot& wanted, Intake& intake, std::vector<std::string>& notes) {
    GraphInput result;
    result.tag = wanted.tag;
    result.source = wanted.source;
    try {
        auto before = intake.files_before(wanted.tag);
        if (before && are_unchanged(wanted.inputs, before->files)) {
            result.same_as = std::move(before);
            return result;
        }
    } catch (const InputError&) {
        // It is said where the file is read.
    }
    GraphReader reader(&intake.known_nodes());
    std::map<std::string, std::optional<std::size_t>> mirrors;  // with the number of the index
    for (const Input& input : wanted.inputs) {
        try {
            if (input.specs) {
                at_file(input.place, [&] { read_spec_files(input, reader, result); });
            } else {
                read_file(input, reader, result);
            }
            if (input.mirror) {
                auto& index = mirrors[*input.mirror];
                index = input.is_main_index ? std::optional(result.files.size() - 1) : index;
            }
        } catch (const InputError& error) {
            input.discard();
            result.unread.push_back({input.label.value_or(""), input.place, error.what()});
        }
    }
    result.graph = reader.finish();
    for (const auto& [mirror, index] : mirrors) {
        const std::size_t first = result.sizes.size();
        read_sizes(mirror, result);
        if (index) {
            note_unlisted(mirror, result, *index, first, notes);
        }
    }
    return result;
}

class GraphFiles : public Source {
  public:
    explicit GraphFiles(std::vector<OneSnapshot> snapshots) : snapshots_(std::move(snapshots)) {}

    std::size_t size() const override { return snapshots_.size(); }

    void read(Intake& intake) override {
        notes_.clear();
        for (const OneSnapshot& wanted : snapshots_) {
            intake.take(read_one(wanted, intake, notes_));
        }
    }

    std::vector<std::string> notes() const override { return notes_; }

  private:
    std::vector<OneSnapshot> snapshots_;
    std::vector<std::string> notes_;
};

std::string tag_of(const RefInputs& inputs, InputKind kind, const std::optional<std::string>& tag,
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
            if (ref.ref && open_files < most_open_files) {
                ++open_files;
                input.open = [file = open_now(input)] { return file.get(); };
            }
        }
    }
    return std::make_unique<GraphFiles>(std::move(snapshots));
}

void read_sizes(const std::string& mirror, GraphInput& input) {
    std::vector<Problem> unread =
        read_binary_sizes(mirror, [&](const DagHash& hash, std::uint64_t bytes) {
            input.sizes.push_back({hash, bytes});
        });
    std::sort(unread.begin(), unread.end(),
              [](const Problem& a, const Problem& b) { return a.file < b.file; });
    std::move(unread.begin(), unread.end(), std::back_inserter(input.unread_sizes));
}

}  // namespace cacheledger
