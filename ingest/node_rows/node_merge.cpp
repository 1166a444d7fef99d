#include "ingest/node_rows/node_merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "ingest/basics/problem.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 4> from_words = {"nothing", "node", "annotation", "edge"};
constexpr std::array<std::string_view, 5> state_words = {"recomputed", "respelled", "spliced",
                                                         "unknowable", "wrong"};

// Forms 1 and 2 can give several sets of dependencies for one hash: build dependencies are not part
// of it.
constexpr std::int64_t last_form_without_build = 2;

template <typename Enum, std::size_t Size>
Enum value_of(const std::array<std::string_view, Size>& words, std::string_view word) {
    return static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
}

// Adds the differences of one spec to its conflicts.
class Comparison {
  public:
    Comparison(const DagHash& hash, Kept kept, Conflicts& conflicts)
        : hash_(hash), kept_(kept), conflicts_(conflicts) {}

    void differ(const std::string& attribute, const std::string& better, const std::string& other) {
        conflicts_.add_other(hash_, attribute, better, other, kept_);
    }

    // `better`, or `other` where that is no value.
    template <typename Value>
    Value fill(const std::string& attribute, const Value& better, const Value& other) {
        if (better && other && *better != *other) {
            differ(attribute, *better, *other);
        }
        return better ? better : other;
    }

    // As fill(), of an attribute whose absence is a value.
    void same(const std::string& attribute, const std::optional<std::string>& better,
              const std::optional<std::string>& other) {
        if (better != other) {
            differ(attribute, better.value_or("none"), other.value_or("none"));
        }
    }

  private:
    const DagHash& hash_;
    Kept kept_;
    Conflicts& conflicts_;
};

Recipe merge_recipes(const Recipe& better, const Recipe& other, Comparison& comparison) {
    Recipe both = better;
    both.name_space = comparison.fill("namespace", better.name_space, other.name_space);
    both.package_hash = comparison.fill("package_hash", better.package_hash, other.package_hash);
    both.flags = comparison.fill("flags", better.flags, other.flags);
    both.patches = comparison.fill("patches", better.patches, other.patches);
    if (better.external != other.external) {
        comparison.differ("external", better.external ? "1" : "0", other.external ? "1" : "0");
    }
    comparison.same("external_path", better.external_path, other.external_path);
    comparison.same("external_modules", better.external_modules, other.external_modules);
    return both;
}

// Both are sorted.
std::vector<DependencyRow> without(const std::vector<DependencyRow>& rows,
                                   const std::vector<DependencyRow>& others) {
    std::vector<DependencyRow> rest;
    std::set_difference(rows.begin(), rows.end(), others.begin(), others.end(),
                        std::back_inserter(rest));
    return rest;
}

// The order in which spellings of one node are preferred: the least one is kept.
auto rank_of(HashState state, const TextDigest& digest) {
    return std::pair(state != HashState::recomputed, digest);
}

Kept kept_of(const NodeRow& known, HashState state, const TextDigest& digest) {
    return rank_of(state, digest) < rank_of(known.hash_state, known.digest) ? Kept::given
                                                                            : Kept::known;
}

int rank_of(CompilerFrom from) {
    return from == CompilerFrom::nothing ? 4 : static_cast<int>(from);
}

}  // namespace

std::string word_of(CompilerFrom from) {
    return std::string(from_words.at(static_cast<std::size_t>(from)));
}

std::string word_of(HashState state) {
    return std::string(state_words.at(static_cast<std::size_t>(state)));
}

NodeMerge::NodeMerge(SQLite::Database& database, NodeWords& words)
    : words_(words),
      select_node_(database,
                   "SELECT recipe_id, form, compiler_from, hash_state, target_definition_id, "
                   "build_hash, provided_virtuals, digest, read_again FROM node WHERE spec_id = ?"),
      select_dependencies_(database,
                           "SELECT dependency_id, edge_kind_id FROM dependency WHERE spec_id = ? "
                           "ORDER BY dependency_id, edge_kind_id"),
      select_spec_(database, "SELECT hash FROM spec WHERE spec_id = ?") {}

NodeRow NodeMerge::read(std::int64_t spec_id) {
    NodeRow row;
    rebind(select_node_, spec_id);
    select_node_.executeStep();
    row.recipe_id = select_node_.getColumn(0).getInt64();
    row.form = select_node_.getColumn(1).getInt64();
    row.compiler_from = value_of<CompilerFrom>(from_words, select_node_.getColumn(2).getText());
    row.hash_state = value_of<HashState>(state_words, select_node_.getColumn(3).getText());
    row.target_definition_id = optional_int(select_node_, 4);
    row.build_hash = optional_text(select_node_, 5);
    row.provided_virtuals = optional_text(select_node_, 6);
    row.digest = bytes_column<TextDigest>(select_node_, 7);
    row.read_again = select_node_.getColumn(8).getInt() != 0;
    select_node_.reset();
    rebind(select_dependencies_, spec_id);
    while (select_dependencies_.executeStep()) {
        row.dependencies.push_back({select_dependencies_.getColumn(0).getInt64(),
                                    select_dependencies_.getColumn(1).getInt64()});
    }
    select_dependencies_.reset();
    return row;
}

// (hash, types) of each, sorted: the same whatever the ids.
std::vector<std::pair<std::string, std::uint8_t>> NodeMerge::readable(
    const std::vector<DependencyRow>& dependencies) {
    std::vector<std::pair<std::string, std::uint8_t>> all;
    for (const DependencyRow& row : dependencies) {
        rebind(select_spec_, row.dependency_id);
        select_spec_.executeStep();
        all.emplace_back(select_spec_.getColumn(0).getString(),
                         words_.edge_kind_of(row.edge_kind_id).types);
        select_spec_.reset();
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::string NodeMerge::text_of_dependencies(const std::vector<DependencyRow>& dependencies) {
    std::vector<std::string> texts;
    for (const DependencyRow& row : dependencies) {
        const EdgeKind& kind = words_.edge_kind_of(row.edge_kind_id);
        texts.push_back(fmt::format("{} ({}{})", readable({row}).front().first,
                                    deptypes_text(kind.types),
                                    kind.virtuals ? ": " + *kind.virtuals : ""));
    }
    std::sort(texts.begin(), texts.end());
    return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, " "));
}

// Nothing where they contradict each other.
std::optional<std::vector<DependencyRow>> NodeMerge::merge_dependencies(const NodeRow& known,
                                                                        const NodeRow& given) {
    if (known.dependencies == given.dependencies) {
        return known.dependencies;
    }
    const auto key = [&](const DependencyRow& row) {
        const EdgeKind& kind = words_.edge_kind_of(row.edge_kind_id);
        return std::tuple(row.dependency_id, kind.types, kind.virtuals);
    };
    const auto sorted = [&](std::vector<DependencyRow> rows) {
        std::sort(rows.begin(), rows.end(),
                  [&](const auto& a, const auto& b) { return key(a) < key(b); });
        return rows;
    };
    const std::vector<DependencyRow> ours = sorted(known.dependencies);
    const std::vector<DependencyRow> theirs = sorted(given.dependencies);
    std::vector<DependencyRow> both;
    bool same_virtuals = true;
    for (std::size_t i = 0; i < ours.size() && ours.size() == theirs.size(); ++i) {
        const EdgeKind& our_kind = words_.edge_kind_of(ours[i].edge_kind_id);
        const EdgeKind& their_kind = words_.edge_kind_of(theirs[i].edge_kind_id);
        if (ours[i].dependency_id != theirs[i].dependency_id ||
            our_kind.types != their_kind.types) {
            break;
        }
        both.push_back(our_kind.virtuals ? ours[i] : theirs[i]);
        same_virtuals = same_virtuals && (!our_kind.virtuals || !their_kind.virtuals ||
                                          our_kind.virtuals == their_kind.virtuals);
    }
    if (both.size() == ours.size() && ours.size() == theirs.size()) {
        std::sort(both.begin(), both.end());
        return same_virtuals ? std::optional(both) : std::nullopt;
    }
    if (std::min(known.form, given.form) > last_form_without_build) {
        return std::nullopt;
    }
    // Which of them stays does not depend on their order.
    const auto rank = [&](const std::vector<DependencyRow>& rows) {
        return std::pair(-static_cast<std::int64_t>(rows.size()), readable(rows));
    };
    return rank(ours) <= rank(theirs) ? known.dependencies : given.dependencies;
}

Kept NodeMerge::kept(std::int64_t known_spec_id, const Node& given) {
    return kept_of(read(known_spec_id), given.hash_state, given.digest);
}

NodeRow NodeMerge::merge(const DagHash& hash, const NodeRow& known, const NodeRow& given,
                         Conflicts& conflicts) {
    const Kept kept = kept_of(known, given.hash_state, given.digest);
    const NodeRow& better = kept == Kept::given ? given : known;
    const NodeRow& other = kept == Kept::given ? known : given;
    Comparison comparison(hash, kept, conflicts);
    NodeRow both = better;
    if (known.recipe_id != given.recipe_id) {
        both.recipe_id = words_.recipe(merge_recipes(
            words_.recipe_of(better.recipe_id), words_.recipe_of(other.recipe_id), comparison));
    }
    both.form = std::min(known.form, given.form);
    both.compiler_from = rank_of(given.compiler_from) < rank_of(known.compiler_from)
                             ? given.compiler_from
                             : known.compiler_from;
    if (known.digest == given.digest) {
        both.read_again = known.read_again && given.read_again;
    }
    comparison.same("build_hash", better.build_hash, other.build_hash);
    both.provided_virtuals =
        comparison.fill("provided_virtuals", better.provided_virtuals, other.provided_virtuals);
    if (auto dependencies = merge_dependencies(better, other)) {
        both.dependencies = std::move(*dependencies);
    } else {
        comparison.differ("dependencies",
                          text_of_dependencies(without(better.dependencies, other.dependencies)),
                          text_of_dependencies(without(other.dependencies, better.dependencies)));
    }
    return both;
}

}  // namespace cacheledger
