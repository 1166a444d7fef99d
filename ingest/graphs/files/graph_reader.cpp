#include "ingest/graphs/files/graph_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/files/file_reader.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

// A problem quotes what the file says, which can be megabytes.
constexpr std::size_t longest_graph_problem = 400;

}  // namespace

GraphFile GraphReader::read(const std::string& name, Bytes& bytes) {
    try {
        PlainBytes plain(bytes);
        json::Stream stream(plain);
        return builder_.add(FileReader(stream, builder_, nodes_).read());
    } catch (const Problem& problem) {
        Problem shown(shortened(problem.in_place(), longest_graph_problem));
        shown.file = name;
        throw InputError(shown.message());
    }
}

GraphFile GraphReader::read_spec(std::string_view json, UnknownKeys& unknown,
                                 const std::optional<DagHash>& named) {
    try {
        TextBytes bytes(json);
        json::Stream stream(bytes, {.window = json.size() + 1});
        constexpr FileReader::Expected expected = {"a spec file", "a spec file, with 'spec'"};
        FileContent content = FileReader(stream, builder_, nodes_).read(expected);
        if (content.kind != SourceKind::spec) {
            throw Problem(fmt::format("expected {}", expected.members));
        }
        if (content.environments.front().records.empty()) {
            throw Problem("spec.nodes: expected at least one node");
        }
        if (const DagHash& hash = content.environments.front().records.front().hash;
            named && hash != *named) {
            throw Problem(fmt::format("expected the spec /{} of its name, found /{}",
                                      text_of(*named), text_of(hash)));
        }
        const UnknownKeys of_file = std::exchange(content.unknown, {});
        GraphFile file = builder_.add(content);
        for (const auto& [key, count] : of_file) {
            unknown[key] += count;
        }
        return file;
    } catch (const Problem& problem) {
        throw Problem(shortened(problem.in_place(), longest_graph_problem));
    }
}

void MirrorReader::read(std::string_view json, std::uint64_t size,
                        const std::optional<DagHash>& named) {
    GraphFile file = reader_.read_spec(json, unknown_, named);
    mirror_.present.push_back(file.present.front());
    mirror_.version = file.version;
    mirror_.records += file.records;
    mirror_.edges += file.edges;
    mirror_.more_findings += file.more_findings;
    for (PageFinding& finding : file.findings) {
        add_finding(mirror_, std::move(finding));
    }
    size_ += size;
}

GraphFile MirrorReader::finish() {
    std::sort(mirror_.present.begin(), mirror_.present.end());
    mirror_.present.erase(std::unique(mirror_.present.begin(), mirror_.present.end()),
                          mirror_.present.end());
    add_unknown_keys(mirror_, unknown_);
    return std::move(mirror_);
}

}  // namespace cacheledger
