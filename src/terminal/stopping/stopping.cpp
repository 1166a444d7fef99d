#include "src/terminal/stopping/stopping.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <initializer_list>
#include <iostream>

#include "reports/render/table/text_width.hpp"
#include "src/options/command_line/exit_status.hpp"

namespace cacheledger {

namespace {

// Atomic, because other threads read it, too (HardStop); volatile is not
// enough for them.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler needs this

extern "C" void note_signal(int signal) {
    received = signal;
}

// Steps of SQLite's virtual machine: some ten microseconds, which is often enough and costs nearly
// nothing.
constexpr int steps_between_looks = 1000;

constexpr double longest_timeout = 1e6;  // seconds

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::seconds grace{2};  // most queries end cleanly in this time

}  // namespace

void catch_signals() {
    std::signal(SIGXFSZ, SIG_IGN);
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_IGN) {
            continue;
        }
        struct sigaction action {};
        action.sa_handler = note_signal;
        // SA_RESETHAND: the second signal ends the program. SA_RESTART is not set: a signal ends
        // reading from a terminal, too.
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        sigaction(signal, &action, nullptr);
    }
}

bool is_interrupted() {
    return received != 0;
}

void stop_if_interrupted() {
    if (is_interrupted()) {
        throw Interrupted("interrupted");
    }
}

void end_if_interrupted() {
    if (is_interrupted()) {
        std::signal(received, SIG_DFL);
        std::raise(received);
    }
}

bool is_interruption(const SQLite::Exception& error) {
    return error.getErrorCode() == SQLITE_INTERRUPT;
}

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
    options.add_options()("timeout", once("SECONDS"),
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

HardStop::HardStop(std::optional<Watch::Seconds> timeout, const std::string& problem)
    : timeout_(timeout),
      problem_("cacheledger: " + visible(problem)),
      thread_([this](const std::stop_token& stop) { look(stop); }) {}

void HardStop::look(const std::stop_token& stop) {
    const auto begin = Clock::now();
    std::optional<Clock::time_point> interrupted;
    std::unique_lock lock(mutex_);
    while (!nothing_.wait_for(lock, stop, between_looks, [&] { return stop.stop_requested(); })) {
        const auto now = Clock::now();
        if (is_interrupted() && !interrupted) {
            interrupted = now;
        }
        if (interrupted && now - *interrupted > grace) {
            end_if_interrupted();
        }
        if (timeout_ && now - begin > *timeout_ + grace) {
            std::cerr << problem_ << std::endl;
            _exit(exit_usage);
        }
    }
}

}  // namespace cacheledger
