#include "ingest/graph_files/graph_reader.hpp"

#include <stdexcept>

#include "ingest/bytes/plain_bytes.hpp"
#include "ingest/graph_files/content_reader.hpp"
#include "ingest/graph_merge/graph_builder.hpp"
#include "ingest/json/stream.hpp"
#include "ingest/page/problem.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

// A problem quotes what the file says, which can be megabytes.
constexpr std::size_t longest_problem = 400;

}  // namespace

struct GraphReader::State {
    explicit State(const KnownNodes* known) : builder(known), content_reader(builder, known) {}

    GraphBuilder builder;
    ContentReader content_reader;
};

GraphReader::GraphReader(const KnownNodes* known) : state_(std::make_unique<State>(known)) {}
GraphReader::~GraphReader() = default;

GraphFile GraphReader::read(const std::string& name, Bytes& bytes) {
    try {
        PlainBytes plain(bytes);
        json::Stream stream(plain);
        return state_->builder.add(state_->content_reader.read(stream));
    } catch (const std::invalid_argument& error) {
        throw InputError(Problem(shortened(error.what(), longest_problem)).message(name));
    }
}

Graph GraphReader::finish() {
    return state_->builder.finish();
}

}  // namespace cacheledger
