#include <algorithm>
#include <exception>
#include <iostream>

#include "reports/render/table/text_width.hpp"
#include "src/commands/list/command.hpp"
#include "src/shell/completion/complete.hpp"
#include "src/shell/completion/typed_line.hpp"

namespace cacheledger {

namespace {

/// A short explanation: the first clause.
std::string clause(const std::string& about) {
    const std::size_t end = std::min({about.find("; "), about.find(". "), about.find(" (")});
    return visible(about.substr(0, end));
}

void print(const Completion& found, const TypedLine* line) {
    for (const Candidate& one : found.candidates) {
        if (is_visible(one.text)) {
            std::cout << (line == nullptr ? one.text : insertion_for(*line, one.text));
            if (!one.about.empty()) {
                std::cout << "\t" << clause(one.about);
            }
            std::cout << "\n";
        }
    }
    if (found.paths != Paths::none) {
        std::cout << (found.paths == Paths::files ? "\tfiles\n" : "\tfolders\n");
    }
    std::cout.flush();
}

void complete_words(const Invocation& invocation) {
    std::vector<std::string> words = invocation.arguments;
    words.erase(words.begin());
    std::string current;
    if (!words.empty()) {
        current = words.back();
        words.pop_back();
    }
    print(complete(words, current, invocation.database), nullptr);
}

void complete_line(const Invocation& invocation) {
    TypedLine line = read_typed_line(invocation.arguments[1], invocation.arguments[2]);
    if (!line.words.empty()) {  // the name of the program
        line.words.erase(line.words.begin());
        print(complete(line.words, line.current, invocation.database), &line);
    }
}

}  // namespace

ExitStatus run_complete(const Invocation& invocation) {
    const auto& arguments = invocation.arguments;
    try {
        if (!arguments.empty() && arguments[0] == "--") {
            complete_words(invocation);
        } else if (arguments.size() == 3 && arguments[0] == "--line") {
            complete_line(invocation);
        }
    } catch (const std::exception&) {  // a shell that completes has no use for a message
        return exit_done;
    }
    return exit_done;
}

}  // namespace cacheledger
