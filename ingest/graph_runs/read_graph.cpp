#include "ingest/graph_runs/read_graph.hpp"

#include <utility>

#include "ingest/graph_files/graph_reader.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

ReadGraph read_graph(std::string tag, std::string source, std::vector<GraphPlace> places) {
    return [=](const LedgerNodes& known) {
        GraphInput input;
        input.tag = tag;
        input.source = source;
        GraphReader reader(&known);
        for (const GraphPlace& place : places) {
            try {
                const auto bytes = place.open();
                input.files.push_back({place.label, place.name, reader.read(place.name, *bytes)});
            } catch (const InputError& error) {
                place.discard();
                input.unread.push_back({place.label, place.name, error.what()});
            }
        }
        input.graph = reader.finish();
        return input;
    };
}

}  // namespace cacheledger
