#pragma once

#include <cstdio>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace program {

using Words = std::vector<std::string>;

/// What a finished process left behind.
struct Run {
    int status = 0;  ///< the exit code; 128 and the signal's number where one ended it
    std::string out;
    std::string err;

    /// The lines of `err`, without their ends, and without the note that says how the rest can be
    /// loaded.
    Words errors() const;
};

std::ostream& operator<<(std::ostream& out, const Run& run);

/// What a process starts with. CACHELEDGER_DB is not handed on, unless it is named here.
struct Surroundings {
    std::filesystem::path folder = ".";
    std::string input;
    std::map<std::string, std::string> environment{};
    bool one_stream = false;         ///< standard error goes where standard output goes
    bool unprivileged = false;       ///< as the user "nobody", where the test is run by root
    std::vector<unsigned> groups{};  ///< that this user is in, beside its own
    std::size_t largest_file = 0;    ///< bytes that a file can be made to have; 0: no limit
    /// Bytes of address space that it gets; 0: all there is, as always under a sanitizer.
    std::size_t memory = 0;
};

/// A command that runs, without any shell. It is ended when it takes longer than a minute, and
/// killed when this goes away.
class Process {
  public:
    /// Status 127 where there is no such program.
    explicit Process(const Words& command, const Surroundings& surroundings = {});
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    int id() const { return child_; }
    bool runs();

    /// Waits until it is stopped. False where it ends instead.
    bool waits_stopped();
    void signal(int number) const;

    /// Waits for its end.
    Run wait();

  private:
    using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

    Stream in_;
    Stream out_;
    Stream err_;
    int child_ = 0;
    int status_ = 0;
    bool ended_ = false;
};

/// Runs a command to its end.
Run run_command(const Words& command, const Surroundings& surroundings = {});

Words lines_of(const std::string& text);

}  // namespace program
