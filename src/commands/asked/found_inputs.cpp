#include "src/commands/asked/found_inputs.hpp"

#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>

#include "reports/render/table/text_width.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

Inputs find_with_progress(InputOptions options) {
    ProgressLine progress("fetching from the web, in kB");
    constexpr std::uint64_t kilobyte = 1000;
    options.http.progress = [&](const std::string&, std::uint64_t done,
                                std::optional<std::uint64_t> all) {
        progress.show(done / kilobyte, std::max(all.value_or(done), done) / kilobyte);
        stop_if_interrupted();
    };
    options.say = [&](const std::string& line) {
        progress.clear();
        std::cerr << visible(line) << "\n";
    };
    return find_inputs(options);
}

const char* name_of_one(const Inputs& inputs) {
    return inputs.kind == InputKind::pages ? "page" : "file";
}

unsigned usual_jobs() {
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace cacheledger
