#pragma once

#include "reports/engine/compared/compared.hpp"
#include "reports/engine/present/listed_graph.hpp"
#include "reports/engine/present/spec_facts.hpp"

namespace cacheledger {

/// Between two specs, pairs of builds are compared: the two themselves, and below a pair those that
/// its builds depend on directly, by name. So a build of one side that the other side has
/// elsewhere (a compiler that was built with the one before it) is compared with what it replaced.
///
/// Each pair of different builds is a new node and the earlier one of a group, and leads to the
/// pairs below it. If the two specs are of two packages (one is what the other needs, or a new
/// package), `compared` stays as compare_sides() gives it. Throws SQLite::Exception.
void pair_builds(const ListedGraph& listed, SpecReading& reading, Compared& compared);

}  // namespace cacheledger
