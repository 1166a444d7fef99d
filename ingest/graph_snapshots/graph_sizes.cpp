#include "ingest/graph_snapshots/graph_sizes.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "ingest/looks/conflicts.hpp"
#include "ingest/mirror/binary_sizes.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

// The rows of `spec` that get sizes.
class SizeRows {
  public:
    // A spec that nothing describes gets no size: the page that describes it later would seem to
    // lack what an earlier page gave (ingest/stored/stored_page.cpp).
    explicit SizeRows(SQLite::Database& database)
        : select_(database, "SELECT size FROM spec JOIN node USING (spec_id) WHERE spec_id = ?"),
          update_(database, "UPDATE spec SET size = ? WHERE spec_id = ?") {}

    void write(const Node& node, std::int64_t spec_id, std::uint64_t bytes, WrittenSizes& written) {
        const std::string size = std::to_string(bytes);
        rebind(select_, spec_id);
        if (!select_.executeStep()) {
            return;
        }
        const std::optional<std::string> known = optional_text(select_, 0);
        select_.reset();
        if (!known) {
            run(update_, size, spec_id);
            written.changed = true;
        } else if (*known != size) {
            written.findings.push_back(
                {node.package->text, size_conflict(node.hash, *known, size, "the mirror")});
        }
    }

  private:
    SQLite::Statement select_, update_;
};

}  // namespace

void read_sizes(const std::string& mirror, GraphInput& input) {
    std::vector<Problem> unread =
        read_binary_sizes(mirror, [&](const DagHash& hash, std::uint64_t bytes) {
            input.sizes.push_back({hash, bytes});
        });
    std::sort(unread.begin(), unread.end(),
              [](const Problem& a, const Problem& b) { return a.file < b.file; });
    std::move(unread.begin(), unread.end(), std::back_inserter(input.unread_sizes));
}

WrittenSizes write_sizes(SQLite::Database& database, const GraphInput& input,
                         const std::vector<KnownSpec>& specs) {
    WrittenSizes written;
    if (input.sizes.empty()) {
        return written;
    }
    std::vector<BinarySize> sizes = input.sizes;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    SizeRows rows(database);
    for (std::uint32_t index = 0; index < specs.size(); ++index) {
        const Node& node = input.graph.nodes[index];
        for (auto size = std::lower_bound(sizes.begin(), sizes.end(), BinarySize{node.hash, 0});
             specs[index].spec_id != 0 && size != sizes.end() && size->hash == node.hash; ++size) {
            rows.write(node, specs[index].spec_id, size->bytes, written);
        }
    }
    return written;
}

}  // namespace cacheledger
