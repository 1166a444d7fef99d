#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/runs/commits/commit_loader.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// Other inputs of the ledger name files that are not in the repository, or are pages.
void refuse_other_shape(std::string_view text) {
    TextBytes bytes(text);
    const Shape shape = read_shape(bytes);
    if (shape != Shape::index && shape != Shape::install && shape != Shape::lock) {
        throw Problem(fmt::format(
            "expected a build-cache index, an install database or a lock file; found {}",
            shape == Shape::page ? "no JSON" : name_of(shape)));
    }
}

class FileCommits : public CommitLoader {
  public:
    using CommitLoader::CommitLoader;

  private:
    // A commit that touched the file.
    struct Touching {
        GitCommit commit;
        Moment moment = 0;           // of its snapshot
        std::optional<Digest> blob;  // nullopt: there is no file any more
        bool is_told = false;        // that it can't be read
    };

    const std::string& tag() const { return *options_.tag; }
    std::set<Digest> find_known() override { return log_.with_tag(options_.path, tag()); }
    std::set<std::string> tags_of(const GitCommit& commit) override {
        return file_of(commit).first ? std::set<std::string>{tag()} : std::set<std::string>();
    }
    void load(const GitCommit& commit) override;

    // Whether it touched the file, and the file then.
    std::pair<bool, std::optional<Digest>> file_of(const GitCommit& commit) const;
    void load_touching(Touching& touching);
    void load_waiting(Moment since);
    GraphInput read(const Touching& touching);
    std::optional<SourceKind> kind_before(const Touching& touching);

    // Without a file that can be read, and without a snapshot before theirs: with a clock that went
    // back, a later commit may give one.
    std::vector<Touching> waiting_;
};

void FileCommits::load(const GitCommit& commit) {
    if (const auto [is_touched, blob] = file_of(commit); is_touched) {
        Touching touching{commit, moments_.of(commit, tag()), blob};
        load_touching(touching);
    }
}

std::pair<bool, std::optional<Digest>> FileCommits::file_of(const GitCommit& commit) const {
    const auto blob = repository_.find_file(commit.tree, options_.path);
    const auto before = commit.parent_tree
                            ? repository_.find_file(*commit.parent_tree, options_.path)
                            : std::nullopt;
    return {blob != before, blob};
}

void FileCommits::load_touching(Touching& touching) {
    Step step = begin(touching.commit);
    if (step.known_tags.contains(tag())) {
        ++result_.known_commits;  // another run loaded it while this one waited for the ledger
        return;
    }
    const auto kind = kind_before(touching);
    bool is_waiting = false;
    const auto load = load_commit(step, [&](Load& to_fill, bool /*is_again*/) {
        if (!is_wanted(tag(), step, to_fill)) {
            return false;
        }
        GraphInput input = read(touching);
        if (!input.unread.empty() && !std::exchange(touching.is_told, true)) {
            result_.problems.push_back(fmt::format("commit {}: {}", short_name_of(touching.commit),
                                                   input.unread.front().problem));
        }
        input.absent = input.files.empty() ? kind : std::nullopt;
        is_waiting = input.files.empty() && !kind;
        if (!is_waiting) {
            try {
                to_fill.take(input);
            } catch (const UsageError& error) {
                throw UsageError(fmt::format("{}: {}", input.source, error.what()));
            }
        }
        return !is_waiting;
    });
    if (is_waiting) {
        waiting_.push_back(touching);
        return;
    }
    record(step, load.get(), load ? load->result().specs : 0);
    if (load) {
        load_waiting(touching.moment);
    }
}

void FileCommits::load_waiting(Moment since) {
    for (Touching& touching : std::exchange(waiting_, {})) {
        if (touching.moment < since) {
            waiting_.push_back(touching);
        } else {
            load_touching(touching);
        }
    }
}

GraphInput FileCommits::read(const Touching& touching) {
    GraphInput input;
    input.tag = tag();
    input.source = fmt::format("{}:{}", source_of(touching.commit), options_.path);
    if (!touching.blob) {
        return input;
    }
    const auto note = [&](const std::string& problem) {
        input.unread.push_back({"", options_.path, problem});
    };
    std::optional<GitBlob> content;
    try {
        content = repository_.blob(*touching.blob, refuse_too_many_bytes);
        refuse_other_shape(content->text);
    } catch (Problem& problem) {
        problem.file = options_.path;
        note(problem.message());
        return input;
    }
    TextBytes bytes(content->text);
    GraphReader reader(&writing_->known_nodes(input.tag));
    try {
        input.files.push_back({"", options_.path, reader.read(options_.path, bytes)});
        input.graph = reader.finish();
    } catch (const InputError& error) {
        note(error.what());
    }
    return input;
}

// The kind of the tag's snapshots, if there is or was one before: at an earlier moment, or, where
// the file is gone, at the same. Commits that were handed over tell of those that a rule removed.
std::optional<SourceKind> FileCommits::kind_before(const Touching& touching) {
    const Moment end = touching.moment + (touching.blob ? 0 : 1);
    const auto kind = first_value<std::string>(
        database_,
        "SELECT s.kind FROM series r JOIN snapshot s USING (series_id) "
        "WHERE r.name = ? AND s.taken_at < ? UNION ALL "
        "SELECT s.kind FROM commit_snapshot c JOIN snapshot s USING (snapshot_id) "
        "WHERE c.path = ? AND c.tag = ? AND c.forgotten < ? LIMIT 1",
        series_of_tag(tag()), end, options_.path, tag(), snapshot_name(tag(), end));
    if (!kind) {
        return std::nullopt;
    }
    const SourceKind found = kind_of_word(*kind);
    return found == SourceKind::pages ? SourceKind::index : found;  // both may be in one series
}

}  // namespace

std::unique_ptr<CommitLoader> load_file_of(SQLite::Database& database,
                                           const HistoryOptions& options) {
    return std::make_unique<FileCommits>(database, options);
}

}  // namespace cacheledger
