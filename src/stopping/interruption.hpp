#pragma once

#include <SQLiteCpp/Exception.h>

#include "schema/basics/error.hpp"

namespace cacheledger {

/// From now on, Ctrl-C (SIGINT) and SIGTERM ask the program to stop, so that it can roll back and
/// clean up. A second one ends it at once. Where the caller has them ignored, as nohup and shells
/// do for what runs in the background, they stay so. To write beyond a file size limit is an error
/// like that of a full disk, and no end by SIGXFSZ.
void catch_signals();

bool is_interrupted();

/// Throws Interrupted where one came.
void stop_if_interrupted();

/// Where one came, ends the process by that signal, so that a shell sees 130 or 143, and a loop in
/// it ends as well.
void end_if_interrupted();

/// Whether SQLite gave up because a progress handler said so.
bool is_interruption(const SQLite::Exception& error);

/// Gives what `work` gives; where SQLite was interrupted, throws Interrupted.
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

/// The same; Interrupted says what that left behind.
template <typename Work>
auto interruptible(const char* left, Work work) {
    try {
        return interruptible(work);
    } catch (const Interrupted&) {
        throw Interrupted(left);
    }
}

}  // namespace cacheledger
