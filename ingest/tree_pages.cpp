#include "ingest/tree_pages.hpp"

#include <algorithm>
#include <utility>

#include "ingest/page_place.hpp"
#include "schema/tag.hpp"

namespace cacheledger {

namespace {

// Where entries of a tag are kept.
std::optional<std::string> place_of(const TreePages::Entry& entry) {
    return entry.bad ? entry.bad->tag : std::optional(tag_of(entry.page));
}

template <typename Map>
void erase_from(Map& sets, const typename Map::key_type& key, const std::string& path) {
    const auto found = sets.find(key);
    if (found != sets.end()) {
        found->second.erase(path);
        if (found->second.empty()) {
            sets.erase(found);
        }
    }
}

template <typename Map>
const std::set<std::string>& find_in(const Map& sets, const typename Map::key_type& key) {
    static const std::set<std::string> none;
    const auto found = sets.find(key);
    return found == sets.end() ? none : found->second;
}

}  // namespace

std::string tag_of(const Page& page) {
    return page.tag.value_or(std::string(untagged));
}

const TreePages::Entry* TreePages::find(const std::string& path) const {
    const auto found = entries_.find(path);
    return found == entries_.end() ? nullptr : &found->second;
}

void TreePages::set(const std::string& path, Entry entry) {
    remove(path);
    by_tag_[place_of(entry)].insert(path);
    if (!entry.bad) {
        by_package_[{cacheledger::tag_of(entry.page), entry.page.package}].insert(path);
    }
    for (const std::string& file : entry.beside) {
        by_file_[file].insert(path);
    }
    entries_.emplace(path, std::move(entry));
}

void TreePages::remove(const std::string& path) {
    const auto found = entries_.find(path);
    if (found == entries_.end()) {
        return;
    }
    const Entry& entry = found->second;
    erase_from(by_tag_, place_of(entry), path);
    if (!entry.bad) {
        erase_from(by_package_, {cacheledger::tag_of(entry.page), entry.page.package}, path);
    }
    for (const std::string& file : entry.beside) {
        erase_from(by_file_, file, path);
    }
    entries_.erase(found);
}

const std::set<std::string>& TreePages::paths(const std::optional<std::string>& tag) const {
    return find_in(by_tag_, tag);
}

std::string TreePages::first_path(const std::string& tag, const std::string& package) const {
    const auto found = by_package_.find({tag, package});
    return found == by_package_.end() ? std::string() : *found->second.begin();
}

std::optional<std::string> TreePages::tag_of(const Entry& entry) const {
    if (auto tag = place_of(entry)) {
        return tag;
    }
    const auto folder = folder_above(entry.bad->path, 2);
    return folder && by_tag_.contains(*folder) ? folder : std::nullopt;
}

const std::set<std::string>& TreePages::dependent_on(const std::string& file) const {
    return find_in(by_file_, file);
}

}  // namespace cacheledger
