#include "ingest/graphs/files/mirror_reader.hpp"

#include <algorithm>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/merge/graph_builder.hpp"

namespace cacheledger {

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
