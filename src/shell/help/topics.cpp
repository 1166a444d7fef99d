#include "src/shell/help/topics.hpp"

#include <algorithm>
#include <iterator>

#include "reports/engine/catalog/catalog.hpp"
#include "src/commands/list/command.hpp"
#include "src/shell/help/other_words.hpp"

namespace cacheledger {

const EmbeddedText* find_topic(std::string_view name) {
    const std::string_view about = topic_about(name);
    const auto found =
        std::ranges::find(topic_texts, about.empty() ? name : about, &EmbeddedText::name);
    return found == topic_texts.end() ? nullptr : &*found;
}

std::string_view title_of(const EmbeddedText& topic) {
    return topic.text.substr(0, topic.text.find('\n'));
}

std::vector<std::string> explained_names() {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        names.emplace_back(command.name);
    }
    for (const EmbeddedText& topic : topic_texts) {
        if (find_command(topic.name) == nullptr) {
            names.emplace_back(topic.name);
        }
    }
    std::ranges::move(Catalog().offered_names(), std::back_inserter(names));
    return names;
}

}  // namespace cacheledger
