#include "ingest/sources/recipes/new_commits.hpp"

#include <cstddef>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "ingest/sources/git/commit_text.hpp"
#include "ingest/sources/recipes/commit_subject.hpp"

namespace cacheledger {

namespace {

// The commits that are reached from some without passing one of `known`.
class Walk {
  public:
    Walk(const GitRepository& repository, const std::set<Digest>& known)
        : repository_(repository), known_(known) {}

    void add(const Digest& head) {
        std::vector<Digest> waiting = {head};
        while (!waiting.empty()) {
            const Digest id = waiting.back();
            waiting.pop_back();
            if (known_.contains(id)) {
                reached_known_.insert(id);
            } else if (!found_.contains(id)) {
                auto text = repository_.commit(id);
                has_beginning_ = has_beginning_ || !text || text->parents.empty();
                if (!text) {
                    continue;  // a shallow clone lacks it
                }
                waiting.insert(waiting.end(), text->parents.begin(), text->parents.end());
                found_.emplace(id, *std::move(text));
            }
        }
    }

    // Without a beginning, all ways lead to what is known, and nothing that was found leads to it.
    void remove_known() {
        if (!has_beginning_ || reached_known_.empty()) {
            return;
        }
        std::set<Digest> seen;
        std::vector<Digest> waiting(reached_known_.begin(), reached_known_.end());
        while (!waiting.empty()) {
            const Digest id = waiting.back();
            waiting.pop_back();
            if (!seen.insert(id).second) {
                continue;
            }
            found_.erase(id);
            if (const auto text = repository_.commit(id)) {
                waiting.insert(waiting.end(), text->parents.begin(), text->parents.end());
            }
        }
    }

    std::map<Digest, CommitText>& found() { return found_; }

  private:
    const GitRepository& repository_;
    const std::set<Digest>& known_;
    std::map<Digest, CommitText> found_;
    std::set<Digest> reached_known_;
    bool has_beginning_ = false;
};

std::optional<Moment> own_time(const CommitText& text) {
    for (const auto& time : {text.committer_time, text.author_time}) {
        if (time && *time >= first_moment && *time <= last_moment) {
            return time;
        }
    }
    return std::nullopt;
}

// Puts commits behind their parents.
class Order {
  public:
    explicit Order(std::map<Digest, CommitText>& commits) : commits_(commits) {
        for (const auto& [id, text] : commits) {
            std::size_t& waits_for = waits_for_[id];
            for (const Digest& parent : std::set(text.parents.begin(), text.parents.end())) {
                if (commits.contains(parent)) {
                    ++waits_for;
                    children_[parent].push_back(id);
                }
            }
            if (waits_for == 0) {
                push(id);
            }
        }
    }

    std::vector<Digest> run() {
        std::vector<Digest> order;
        while (!ready_.empty()) {
            const Digest id = std::get<Digest>(ready_.top());
            ready_.pop();
            order.push_back(id);
            for (const Digest& child : children_[id]) {
                if (--waits_for_[child] == 0) {
                    push(child);
                }
            }
        }
        return order;
    }

  private:
    void push(const Digest& id) { ready_.emplace(own_time(commits_.at(id)).value_or(0), id); }

    using Waiting = std::pair<Moment, Digest>;

    std::map<Digest, CommitText>& commits_;
    std::map<Digest, std::size_t> waits_for_;
    std::map<Digest, std::vector<Digest>> children_;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> ready_;
};

// Those along first parents.
std::set<Digest> first_line(const std::map<Digest, CommitText>& commits, Digest head) {
    std::set<Digest> line;
    for (auto found = commits.find(head); found != commits.end();) {
        line.insert(found->first);
        found =
            found->second.parents.empty() ? commits.end() : commits.find(found->second.parents[0]);
    }
    return line;
}

}  // namespace

std::vector<NewCommit> new_commits(const GitRepository& repository, const Digest& head,
                                   const std::set<Digest>& known) {
    Walk walk(repository, known);
    walk.add(head);
    walk.remove_known();
    std::map<Digest, CommitText>& found = walk.found();
    const std::set<Digest> line = first_line(found, head);
    std::vector<NewCommit> commits;
    std::map<Digest, Moment> times;
    for (const Digest& id : Order(found).run()) {
        const CommitText& text = found.at(id);
        NewCommit commit{id, text.tree, {}, 0, clean_subject(text.subject), line.contains(id)};
        auto time = own_time(text);
        for (const Digest& parent : text.parents) {
            const auto one = found.find(parent);
            const auto known_one = one == found.end() ? repository.commit(parent) : std::nullopt;
            if (one == found.end() && !known_one) {
                continue;
            }
            commit.parent_trees.push_back(known_one ? known_one->tree : one->second.tree);
            if (!time) {
                time = known_one ? own_time(*known_one).value_or(0) : times.at(parent);
            }
        }
        commit.time = time.value_or(0);
        times[id] = commit.time;
        commits.push_back(std::move(commit));
    }
    return commits;
}

}  // namespace cacheledger
