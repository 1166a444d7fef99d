#pragma once

#include <SQLiteCpp/Exception.h>

#include "schema/errors/error.hpp"

namespace cacheledger {

/// From this call on, Ctrl-C (SIGINT) and SIGTERM ask the program to stop, so that it can roll back
/// and clean up. A second signal ends it at once. A signal that the caller ignores stays ignored
/// (nohup and shells do this for background jobs). Writing beyond a file size limit becomes an
/// error like a full disk, and SIGXFSZ does not end the program.
void catch_signals();

bool is_interrupted();

/// Throws Interrupted if a signal came.
void stop_if_interrupted();

/// If a signal came, ends the process by that signal: a shell then sees 130 or 143, and ends a loop
/// that runs the program.
void end_if_interrupted();

/// Whether SQLite stopped because a progress handler asked it to.
bool is_interruption(const SQLite::Exception& error);

/// Returns the result of `work`. Throws Interrupted if SQLite was interrupted.
template <typename Work>
auto interruptible(Work work) {
    try {
        return work();
    } catch (const SQLite::Exception& error) {
        if (is_interruption(error)) {
            throw Interrupted("interrupted");
        }
        throw;
    }
}

/// Returns the result of `work`. Throws Interrupted with the text `left`, which says what is left
/// behind, if the work was interrupted.
template <typename Work>
auto interruptible(const char* left, Work work) {
    try {
        return interruptible(work);
    } catch (const Interrupted&) {
        throw Interrupted(left);
    }
}

}  // namespace cacheledger
