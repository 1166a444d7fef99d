#include "ingest/graph_runs/graphs.hpp"

#include <set>
#include <string>

#include "ingest/runs/free_moment.hpp"
#include "ingest/snapshots/forget.hpp"
#include "schema/transactions/write_transaction.hpp"

namespace cacheledger {

GraphResult ingest_graphs(SQLite::Database& database, const GraphRunOptions& options,
                          const std::vector<ReadGraph>& inputs, const Progress& progress) {
    GraphOptions load_options{options.taken_at.value_or(0), options.keep_going, options.replace,
                              options.if_changed};
    std::set<std::string> replaced;
    while (true) {
        std::optional<WriteTransaction> transaction;
        load_options.taken_at = begin_at(options.taken_at, database, transaction);
        GraphLoad load(database, load_options, replaced);
        std::size_t done = 0;
        progress(done, inputs.size());
        for (const ReadGraph& read : inputs) {
            load.take(read(load));
            progress(++done, inputs.size());
        }
        load.finish();
        if (load.to_replace().empty()) {
            if (load.leaves_over()) {
                sweep(database);
            }
            if (load.has_changed()) {
                transaction->commit();
            }
            return {{load.result(), load.new_specs(), {}}, load.new_nodes()};
        }
        replaced = load.to_replace();
    }
}

}  // namespace cacheledger
