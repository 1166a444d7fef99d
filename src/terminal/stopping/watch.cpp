#include "src/terminal/stopping/watch.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <charconv>

#include "schema/errors/error.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace {

// Steps of SQLite's virtual machine: some ten microseconds, which is often enough and costs nearly
// nothing.
constexpr int steps_between_looks = 1000;

constexpr double longest_timeout = 1e6;  // seconds

}  // namespace

Watch::Watch(const SQLite::Database& database, std::optional<Seconds> timeout)
    : database_(database),
      own_progress_("asking the ledger"),
      progress_(&*own_progress_),
      timeout_(timeout),
      end_(Clock::now()) {
    if (timeout_) {
        end_ += std::chrono::duration_cast<Clock::duration>(*timeout_);
    }
    sqlite3_progress_handler(database_.getHandle(), steps_between_looks, is_called, this);
}

Watch::Watch(const SQLite::Database& database, ProgressLine& progress,
             const std::atomic<bool>* must_stop)
    : database_(database), progress_(&progress), others_must_stop_(must_stop), end_(Clock::now()) {
    sqlite3_progress_handler(database_.getHandle(), steps_between_looks, is_called, this);
}

Watch::Watch(const SQLite::Database& database, const std::atomic<bool>& must_stop)
    : database_(database), others_must_stop_(&must_stop), end_(Clock::now()) {
    sqlite3_progress_handler(database_.getHandle(), steps_between_looks, is_called, this);
}

Watch::~Watch() {
    sqlite3_progress_handler(database_.getHandle(), 0, nullptr, nullptr);
}

std::string Watch::problem(const std::string& origin) const {
    return fmt::format(
        "{}: stopped after {} seconds (--timeout); ask for less, or give it more time", origin,
        timeout_.value_or(Seconds(0)).count());
}

void Watch::explain(const std::string& origin) const {
    if (is_over_ && !is_interrupted()) {
        throw UsageError(problem(origin));
    }
}

bool Watch::must_stop() {
    is_over_ = is_over_ || (timeout_ && Clock::now() > end_);
    return is_over_ || is_interrupted() || (others_must_stop_ != nullptr && *others_must_stop_);
}

int Watch::is_called(void* watch) {
    auto& self = *static_cast<Watch*>(watch);
    if (self.progress_ != nullptr) {
        self.progress_->tick();
    }
    return self.must_stop() ? 1 : 0;
}

void add_timeout_option(po::options_description& options) {
    options.add_options()("timeout", po::value<std::string>()->value_name("SECONDS"),
                          "stop the query after this time, in seconds such as 0.5, and write "
                          "nothing");
}

std::optional<Watch::Seconds> read_timeout(const ParsedOptions& parsed) {
    const auto text = parsed.text("timeout");
    if (!text) {
        return std::nullopt;
    }
    double seconds = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, seconds);
    if (error != std::errc{} || stop != end || !(seconds > 0 && seconds <= longest_timeout)) {
        throw UsageError(fmt::format("--timeout '{}': expected seconds, more than 0 and at most {}",
                                     *text, longest_timeout));
    }
    return Watch::Seconds(seconds);
}

}  // namespace cacheledger
