#include "src/options/command_line/notes.hpp"

#include <iostream>

#include "reports/render/table/text_width.hpp"

namespace cacheledger {

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
        std::cerr << "cacheledger: note: " << visible(note) << "\n";
    }
}

}  // namespace cacheledger
