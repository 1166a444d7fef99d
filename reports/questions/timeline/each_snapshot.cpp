#include "reports/questions/timeline/timeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/charts/draw_chart.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

std::set<std::string> matching_snapshots(const SQLite::Database& database,
                                         const std::string& pattern) {
    const auto names = all_values<std::string>(
        database,
        "SELECT s.name FROM snapshot s JOIN series r USING (series_id) WHERE s.kind <> 'lock' "
        "AND (?1 IN (r.name, s.tag) OR s.name GLOB ?1)",
        pattern);
    if (names.empty()) {
        throw UsageError(fmt::format(
            "--each '{}': no snapshot of a cache matches; expected a series, or a pattern such as "
            "'develop*'; 'cacheledger snapshots' lists them",
            pattern));
    }
    return {names.begin(), names.end()};
}

/// What the states of one series have, from old to new.
class SeriesWalk {
  public:
    SeriesWalk(std::size_t series, const std::vector<std::vector<Stretch>>& of_nodes) {
        is_there_.resize(of_nodes.size());
        for (std::size_t node = 0; node < of_nodes.size(); ++node) {
            for (const Stretch& one : of_nodes[node]) {
                if (one.series == series) {
                    changes_[one.first].push_back(node);
                    changes_[one.end].push_back(node);
                }
            }
        }
    }

    /// Goes to that state; only forwards. Says whether other nodes are there than before.
    bool go_to(std::size_t state) {
        const auto end = changes_.upper_bound(state);
        const bool has_changed = end != changes_.begin();
        for (auto at = changes_.begin(); at != end; ++at) {
            for (const std::size_t node : at->second) {
                is_there_[node] = !is_there_[node];
            }
        }
        changes_.erase(changes_.begin(), end);
        return has_changed;
    }

    const std::vector<bool>& is_there() const { return is_there_; }

  private:
    std::map<std::size_t, std::vector<std::size_t>> changes_;  // by state: the nodes that turn
    std::vector<bool> is_there_;
};

/// The snapshots that have each node of the graph, and each line behind those.
std::vector<std::vector<Stretch>> times_of(SQLite::Database& database, const Timeline& timeline,
                                           const WantedOfEach& wanted,
                                           std::vector<std::string>& remarks) {
    std::vector<std::vector<Stretch>> times;
    times.reserve(wanted.graph.nodes.size() + wanted.lines.size());
    for (const WantedNode& node : wanted.graph.nodes) {
        times.push_back(stretches_of(timeline, node));
    }
    BuildsOfLines builds(database);
    std::int64_t undecided = 0;
    std::set<std::string> reasons;
    for (const WantedSpec& line : wanted.lines) {
        const MatchingSpecs found = builds.find(line);
        times.push_back(timeline.of_specs(found.specs));
        if (!found.unknown.empty()) {
            ++undecided;
            reasons.merge(why_unknown(database, line.query, found.unknown));
        }
    }
    if (undecided > 0) {
        remarks.push_back(fmt::format("{} there where this does not say so: {}.",
                                      counted(undecided, "line may be", "lines may be"),
                                      fmt::join(reasons, "; ")));
    }
    return times;
}

std::string words_of(const EachSnapshot::One& one) {
    return fmt::format("{}: {}, {} of {} there{}", one.snapshot,
                       percent_text(one.runtime.percent()), grouped(one.runtime.covered),
                       grouped(one.runtime.specs),
                       one.to_build ? fmt::format(", {} to build", grouped(*one.to_build)) : "");
}

ResultTable snapshots_table(const EachSnapshot& each) {
    ResultTable table{{"snapshot", "series", "taken_at", "percent", "specs", "covered", "builds"},
                      {}};
    for (const EachSnapshot::One& one : each.snapshots) {
        table.rows.push_back({one.snapshot, one.series, format_moment(one.taken_at),
                              one.runtime.percent(), one.runtime.specs, one.runtime.covered,
                              or_null(one.to_build)});
    }
    return table;
}

ResultTable shown_snapshots(const EachSnapshot& each) {
    ResultTable table{{"snapshot", "percent", "there", "of", "to_build"}, {}};
    for (const EachSnapshot::One& one : each.snapshots) {
        table.rows.push_back({one.snapshot, percent_text(one.runtime.percent()),
                              one.runtime.covered, one.runtime.specs, or_null(one.to_build)});
    }
    leave_out_empty(table, {"to_build"});
    return table;
}

std::string picture_of_each(const EachSnapshot& each, const std::string& sentence, bool is_alone) {
    ResultTable table = snapshots_table(each);
    std::ranges::sort(table.rows, {}, [](const std::vector<Value>& row) {
        return std::pair(to_text(row[1]), to_text(row[2]));
    });
    return draw_chart(
        table, {.across = {{"taken_at"}}, .numbers = {{"percent"}}, .each = "series"},
        {.title = fmt::format("How much of {} each snapshot has, in percent", each.wanted),
         .sentence = sentence},
        is_alone);
}

}  // namespace

WantedOfEach wanted_of_each(const std::vector<WantedInput>& inputs) {
    WantedOfEach wanted;
    std::vector<const WantedGraph*> graphs;
    for (const WantedInput& input : inputs) {
        if (const auto* const graph = std::get_if<WantedGraph>(&input)) {
            graphs.push_back(graph);
            wanted.name = graph->name;
            continue;
        }
        const auto& list = std::get<WantedList>(input);
        wanted.name = list.name;
        wanted.lines.insert(wanted.lines.end(), list.specs.specs.begin(), list.specs.specs.end());
        wanted.external += list.specs.external;
        wanted.not_read = list.specs.not_read.empty() ? wanted.not_read : list.specs.not_read;
    }
    if (inputs.size() > 1) {
        wanted.name = counted(std::ssize(inputs), "file");
    }
    wanted.graph = merged_graph(wanted.name, graphs);
    return wanted;
}

EachSnapshot cover_each(SQLite::Database& database, const std::string& pattern,
                        const WantedOfEach& wanted) {
    const std::set<std::string> names = matching_snapshots(database, pattern);
    const Timeline timeline(database);
    EachSnapshot each{wanted.name, {}, {}};
    const auto times = times_of(database, timeline, wanted, each.remarks);
    const std::size_t num_nodes = wanted.graph.nodes.size();
    const std::vector<bool> nothing(num_nodes);
    const WantedClosure closure = close_over(wanted.graph, nothing, Needs::runtime);
    for (std::size_t series = 0; series < timeline.series().size(); ++series) {
        SeriesWalk walk(series, times);
        std::optional<EachSnapshot::One> last;
        const auto& states = timeline.series()[series].states;
        for (std::size_t state = 0; state < states.size(); ++state) {
            if (!names.contains(states[state].name)) {
                continue;
            }
            if (walk.go_to(state) || !last) {
                const std::vector<bool>& there = walk.is_there();
                last.emplace();
                last->series = timeline.series()[series].name;
                for (std::size_t i = 0; i < there.size(); ++i) {
                    const bool is_wanted = i >= num_nodes || closure.wanted[i];
                    last->runtime.specs += is_wanted ? 1 : 0;
                    last->runtime.covered += is_wanted && there[i] ? 1 : 0;
                }
                const auto lines = there.begin() + static_cast<std::ptrdiff_t>(num_nodes);
                if (num_nodes > 0) {
                    last->to_build =
                        std::ssize(plan_builds(wanted.graph, {there.begin(), lines}).steps);
                }
            }
            last->snapshot = states[state].name;
            last->taken_at = states[state].taken_at;
            each.snapshots.push_back(*last);
        }
    }
    std::ranges::sort(each.snapshots, {}, [](const EachSnapshot::One& one) {
        return std::tuple(-one.runtime.covered, one.to_build, -one.taken_at, one.snapshot);
    });
    const WantedClosure all = close_over(wanted.graph, nothing, Needs::all);
    if (auto remark = remark_on_external(all.num_external + wanted.external)) {
        each.remarks.push_back(*std::move(remark));
    }
    if (!wanted.not_read.empty()) {
        each.remarks.push_back(wanted.not_read);
    }
    return each;
}

Document document_of(const EachSnapshot& each) {
    const EachSnapshot::One& best = each.snapshots.front();
    const EachSnapshot::One& newest =
        *std::ranges::max_element(each.snapshots, {}, &EachSnapshot::One::taken_at);
    Document document;
    document.title =
        fmt::format("{} in {}", each.wanted, counted(std::ssize(each.snapshots), "snapshot"));
    std::string sentence = fmt::format("Best is {}.", words_of(best));
    if (best.snapshot != newest.snapshot) {
        sentence += fmt::format(" Newest is {}.", words_of(newest));
    }
    document.lines = {document.title, sentence};
    document.lines.insert(document.lines.end(), each.remarks.begin(), each.remarks.end());
    document.notes = document.lines;
    document.parts = [&each] {
        return std::vector<DocumentPart>{{"The best first", shown_snapshots(each)}};
    };
    document.all_parts = [&each] {
        return std::vector<DocumentPart>{
            {.title = "The best first", .table = shown_snapshots(each), .is_whole = true}};
    };
    document.rows = [&each] { return snapshots_table(each); };
    document.fields = [&each, &best] {
        return std::vector<DocumentField>{{"wanted", each.wanted},
                                          {"best", best.snapshot},
                                          {"remarks", remarks_table(each.remarks)},
                                          {"snapshots", snapshots_table(each)}};
    };
    document.picture = [&each, sentence](bool is_alone) {
        return picture_of_each(each, sentence, is_alone);
    };
    return document;
}

}  // namespace cacheledger
