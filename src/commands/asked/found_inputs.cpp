#include "src/commands/asked/found_inputs.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "reports/render/table/text_width.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

Inputs find_with_progress(InputOptions options, const std::function<void(const Inputs&)>& open) {
    const auto progress = std::make_shared<ProgressLine>("fetching from the web, in kB");
    // What is opened when this has returned may be fetched then, without a line of its own.
    const std::weak_ptr<ProgressLine> shown = progress;
    constexpr std::uint64_t kilobyte = 1000;
    options.http.progress = [shown](const std::string&, std::uint64_t done,
                                    std::optional<std::uint64_t> all) {
        if (const auto line = shown.lock()) {
            line->show(done / kilobyte, std::max(all.value_or(done), done) / kilobyte);
        }
        stop_if_interrupted();
    };
    options.say = [shown](const std::string& text) {
        if (const auto line = shown.lock()) {
            line->clear();
        }
        std::cerr << visible(text) << "\n";
    };
    Inputs inputs = find_inputs(options);
    open(inputs);
    return inputs;
}

const char* name_of_one(const Inputs& inputs) {
    return inputs.kind == Shape::page ? "page" : "file";
}

unsigned usual_jobs() {
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace cacheledger
