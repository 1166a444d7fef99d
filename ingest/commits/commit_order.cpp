#include "ingest/commits/commit_order.hpp"

namespace cacheledger {

CommitOrder::CommitOrder(const GitRepository& repository, const std::vector<GitCommit>& history)
    : repository_(repository), history_(history) {
    for (const GitCommit& commit : history) {
        positions_.emplace(commit.id, positions_.size());
    }
}

bool CommitOrder::is_later(const Digest& other, const Digest& commit) {
    const auto found = positions_.find(other);
    if (found != positions_.end()) {
        return found->second > positions_.at(commit);
    }
    const auto [answer, is_new] = after_last_.try_emplace(other, false);
    if (is_new) {
        answer->second = repository_.is_later(other, history_.back().id);
    }
    return answer->second;
}

}  // namespace cacheledger
