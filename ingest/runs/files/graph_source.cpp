#include "ingest/runs/files/graph_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <future>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "ingest/bytes/problems/at_file.hpp"
#include "ingest/bytes/streams/digested_bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/sources/inputs/at_json_file.hpp"
#include "ingest/sources/mirrors/binary_sizes.hpp"
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

// Whether the files have the same bytes, in the same order. What a mirror says of sizes is in other
// files, so an index of a mirror is read.
bool are_unchanged(const std::vector<Input>& inputs, const std::vector<SnapshotFile>& files) {
    std::vector<FoundFile> found;
    const bool may_be = std::equal(inputs.begin(), inputs.end(), files.begin(), files.end(),
                                   [&](const Input& input, const SnapshotFile& file) {
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

GraphInput read_one(const OneSnapshot& wanted, Intake& intake) {
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
    std::set<std::string> mirrors;
    for (const Input& input : wanted.inputs) {
        const std::string label = input.label.value_or("");
        try {
            const FoundFile found = input.open();
            const OpenBytes opened = found.bytes();
            DigestedBytes bytes(*opened);
            GraphFile file =
                at_json_file(found, [&] { return reader.read(input.place, bytes); });
            const std::string sha256 = at_file(input.place, [&] { return bytes.finish(); });
            result.files.push_back({label, input.place, std::move(file), bytes.size(), sha256});
            if (input.mirror) {
                mirrors.insert(*input.mirror);
            }
        } catch (const InputError& error) {
            input.discard();
            result.unread.push_back({label, input.place, error.what()});
        }
    }
    result.graph = reader.finish();
    for (const std::string& mirror : mirrors) {
        read_sizes(mirror, result);
    }
    return result;
}

class GraphFiles : public Source {
  public:
    explicit GraphFiles(std::vector<OneSnapshot> snapshots) : snapshots_(std::move(snapshots)) {}

    std::size_t size() const override { return snapshots_.size(); }

    void read(Intake& intake) override {
        for (const OneSnapshot& wanted : snapshots_) {
            intake.take(read_one(wanted, intake));
        }
    }

  private:
    std::vector<OneSnapshot> snapshots_;
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
