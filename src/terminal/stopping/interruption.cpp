#include "src/terminal/stopping/interruption.hpp"

#include <sqlite3.h>

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace cacheledger {

namespace {

// Atomic, because other threads read it, too (src/terminal/stopping/hard_stop.hpp); volatile is not
// enough for them.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler needs this

extern "C" void note_signal(int signal) {
    received = signal;
}

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

}  // namespace cacheledger
