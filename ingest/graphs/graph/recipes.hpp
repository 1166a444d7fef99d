#pragma once

#include <memory>
#include <string>

#include "ingest/graphs/graph/graph.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// The recipes of nodes, each of them once. Owns what it gives.
class Recipes {
  public:
    /// One value for recipes that are equal. Its `text` is made here.
    const Shared<Recipe>* operator()(Recipe recipe);

  private:
    TextMap<std::unique_ptr<const Shared<Recipe>>> known_;
};

}  // namespace cacheledger
