#include "ingest/sources/git/tree_index.hpp"

#include <algorithm>
#include <utility>

namespace cacheledger {

namespace {

// The tag under which the index keeps an entry.
std::optional<std::string> filed_under(const TreeIndex::Entry& entry) {
    if (const auto* const bad = std::get_if<BadPage>(&entry.page)) {
        return bad->tag;
    }
    return std::get<PageHead>(entry.page).tag_to_load();
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

const TreeIndex::Entry* TreeIndex::find(const std::string& path) const {
    const auto found = entries_.find(path);
    return found == entries_.end() ? nullptr : &found->second;
}

void TreeIndex::set(const std::string& path, Entry entry) {
    remove(path);
    by_tag_[filed_under(entry)].insert(path);
    if (const auto* const page = std::get_if<PageHead>(&entry.page)) {
        by_package_[{page->tag_to_load(), page->package}].insert(path);
        specs_[page->tag_to_load()] += page->num_specs;
    }
    for (const std::string& file : entry.place.beside) {
        by_file_[file].insert(path);
    }
    num_beside_ += entry.place.beside.size();
    entries_.emplace(path, std::move(entry));
}

void TreeIndex::remove(const std::string& path) {
    const auto found = entries_.find(path);
    if (found == entries_.end()) {
        return;
    }
    const Entry& entry = found->second;
    erase_from(by_tag_, filed_under(entry), path);
    if (const auto* const page = std::get_if<PageHead>(&entry.page)) {
        erase_from(by_package_, {page->tag_to_load(), page->package}, path);
        specs_[page->tag_to_load()] -= page->num_specs;
    }
    for (const std::string& file : entry.place.beside) {
        erase_from(by_file_, file, path);
    }
    num_beside_ -= entry.place.beside.size();
    entries_.erase(found);
}

const std::set<std::string>& TreeIndex::paths(const std::optional<std::string>& tag) const {
    return find_in(by_tag_, tag);
}

std::string TreeIndex::first_path(const std::string& tag, const std::string& package) const {
    const auto found = by_package_.find({tag, package});
    return found == by_package_.end() ? std::string() : *found->second.begin();
}

std::size_t TreeIndex::num_paths(const std::string& tag, const std::string& package) const {
    return find_in(by_package_, {tag, package}).size();
}

std::size_t TreeIndex::num_specs(const std::string& tag) const {
    const auto found = specs_.find(tag);
    return found == specs_.end() ? 0 : found->second;
}

std::optional<std::string> TreeIndex::tag_of(const Entry& entry,
                                             const std::set<std::string>& more_tags) const {
    if (auto tag = filed_under(entry)) {
        return tag;
    }
    const auto& possible = std::get<BadPage>(entry.page).possible_tag;
    return possible && (by_tag_.contains(possible) || more_tags.contains(*possible)) ? possible
                                                                                     : std::nullopt;
}

const std::set<std::string>& TreeIndex::dependent_on(const std::string& file) const {
    return find_in(by_file_, file);
}

}  // namespace cacheledger
