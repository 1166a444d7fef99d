#include "ingest/sources/recipes/tree_bytes.hpp"

#include <algorithm>
#include <cstring>

#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

// Goes over the entries of a tree: "MODE NAME\0" and 20 bytes each.
class TreeCursor {
  public:
    explicit TreeCursor(std::string_view bytes) : rest_(bytes) {}

    bool at_end() const { return rest_.empty(); }
    std::size_t left() const { return rest_.size(); }

    // The bytes of the entry at hand.
    std::size_t size() const {
        const std::size_t end = rest_.find('\0');
        if (end == std::string_view::npos || rest_.size() - end - 1 < Digest().size()) {
            throw Problem("a tree can't be read");
        }
        return end + 1 + Digest().size();
    }

    RawEntry entry() const {
        const std::string_view bytes = rest_.substr(0, size());
        const std::size_t blank = bytes.find(' ');
        const std::size_t end = bytes.size() - Digest().size() - 1;
        if (blank == std::string_view::npos || blank > end) {
            throw Problem("a tree can't be read");
        }
        const std::string_view mode = bytes.substr(0, blank);
        RawEntry entry;
        entry.name = bytes.substr(blank + 1, end - blank - 1);
        std::memcpy(entry.id.data(), bytes.data() + end + 1, entry.id.size());
        entry.is_folder = mode == "40000" || mode == "040000";
        entry.is_file = mode.starts_with("100");
        return entry;
    }

    void next() { skip(size()); }
    void skip(std::size_t bytes) { rest_.remove_prefix(bytes); }

  private:
    std::string_view rest_;
};

// Git sorts folders as if their names ended in a slash.
bool is_before(const RawEntry& one, const RawEntry& other) {
    const std::size_t common = std::min(one.name.size(), other.name.size());
    const int order = one.name.substr(0, common).compare(other.name.substr(0, common));
    if (order != 0) {
        return order < 0;
    }
    const auto next = [&](const RawEntry& entry) -> unsigned char {
        return entry.name.size() > common ? static_cast<unsigned char>(entry.name[common])
               : entry.is_folder          ? '/'
                                          : '\0';
    };
    return next(one) < next(other) ||
           (next(one) == next(other) && one.name.size() < other.name.size());
}

// How many bytes both begin with. Looks at blocks first: most trees are nearly alike.
std::size_t common_beginning(std::string_view one, std::string_view other) {
    constexpr std::size_t block = 1024;
    const std::size_t most = std::min(one.size(), other.size());
    std::size_t same = 0;
    while (same + block <= most && std::memcmp(&one[same], &other[same], block) == 0) {
        same += block;
    }
    while (same < most && one[same] == other[same]) {
        ++same;
    }
    return same;
}

// And end with.
std::size_t common_end(std::string_view one, std::string_view other) {
    constexpr std::size_t block = 1024;
    const std::size_t most = std::min(one.size(), other.size());
    const char* const end = one.data() + one.size();
    const char* const other_end = other.data() + other.size();
    std::size_t same = 0;
    while (same + block <= most &&
           std::memcmp(end - same - block, other_end - same - block, block) == 0) {
        same += block;
    }
    while (same < most && *(end - same - 1) == *(other_end - same - 1)) {
        ++same;
    }
    return same;
}

// Moves both cursors over the entries that lie whole in what the trees begin with.
void skip_common_beginning(std::string_view before, std::string_view after, TreeCursor& old,
                           TreeCursor& now) {
    const std::size_t common = common_beginning(before, after);
    while (!old.at_end()) {
        const std::size_t size = old.size();
        if (before.size() - old.left() + size > common) {
            return;
        }
        old.skip(size);
        now.skip(size);
    }
}

}  // namespace

std::vector<RawEntry> read_tree(std::string_view bytes) {
    std::vector<RawEntry> entries;
    for (TreeCursor cursor(bytes); !cursor.at_end(); cursor.next()) {
        entries.push_back(cursor.entry());
    }
    return entries;
}

std::optional<RawEntry> find_in_tree(std::string_view bytes, std::string_view name,
                                     bool RawEntry::*kind) {
    for (TreeCursor cursor(bytes); !cursor.at_end(); cursor.next()) {
        const RawEntry entry = cursor.entry();
        if (entry.name == name && entry.*kind) {
            return entry;
        }
    }
    return std::nullopt;
}

std::vector<FolderChange> changed_folders(std::string_view before, std::string_view after) {
    TreeCursor old(before);
    TreeCursor now(after);
    skip_common_beginning(before, after, old, now);
    const std::size_t same_at_end = common_end(before, after);
    std::vector<FolderChange> changes;
    const auto add = [&](std::string_view name, std::optional<Digest> from,
                         std::optional<Digest> to) {
        if (from != to) {
            changes.push_back({name, from, to});
        }
    };
    const auto id_of = [](const RawEntry& entry) {
        return entry.is_folder ? std::optional(entry.id) : std::nullopt;
    };
    while (!old.at_end() || !now.at_end()) {
        if (old.left() == now.left() && old.left() <= same_at_end) {
            break;
        }
        if (now.at_end() || (!old.at_end() && is_before(old.entry(), now.entry()))) {
            add(old.entry().name, id_of(old.entry()), std::nullopt);
            old.next();
        } else if (old.at_end() || is_before(now.entry(), old.entry())) {
            add(now.entry().name, std::nullopt, id_of(now.entry()));
            now.next();
        } else {
            add(old.entry().name, id_of(old.entry()), id_of(now.entry()));
            old.next();
            now.next();
        }
    }
    return changes;
}

}  // namespace cacheledger
