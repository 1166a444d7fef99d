#include "tests/support/program/screen.hpp"
#include "tests/paths.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace program {

namespace {

/// A process on a terminal of its own.
class OnTerminal {
  public:
    OnTerminal(const Workbench& bench, Words words, int width,
               const std::map<std::string, std::string>& environment) {
        constexpr unsigned longest_run = 60;  // seconds
        std::vector<char*> pointers;
        for (std::string& word : words) {
            pointers.push_back(word.data());
        }
        pointers.push_back(nullptr);
        winsize size{};
        size.ws_row = 24;
        size.ws_col = static_cast<unsigned short>(width);
        child_ = forkpty(&terminal_, nullptr, nullptr, &size);
        if (child_ < 0) {
            throw std::runtime_error("no terminal can be made");
        }
        if (child_ == 0) {
            alarm(longest_run);
            for (const char* const name : {"PAGER", "LESS", "NO_COLOR", "CACHELEDGER_DB"}) {
                unsetenv(name);
            }
            setenv("TERM", "xterm", 1);
            for (const auto& [name, value] : environment) {
                setenv(name.c_str(), value.c_str(), 1);
            }
            if (chdir(bench.folder().c_str()) == 0) {
                execvp(pointers[0], pointers.data());
            }
            _exit(127);
        }
    }
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;

    ~OnTerminal() {
        if (child_ > 0) {
            kill(child_, SIGKILL);
            waitpid(child_, nullptr, 0);
        }
        close(terminal_);
    }

    /// Reads what comes within this time, and adds it to out(). False at its end.
    bool read_within(int milliseconds) {
        pollfd waiting{terminal_, POLLIN, 0};
        if (poll(&waiting, 1, milliseconds) <= 0) {
            return milliseconds >= 0;
        }
        std::array<char, 4096> buffer{};
        const ssize_t count = read(terminal_, buffer.data(), buffer.size());
        for (ssize_t i = 0; i < count; ++i) {
            if (buffer.at(static_cast<std::size_t>(i)) != '\r') {
                out_ += buffer.at(static_cast<std::size_t>(i));
            }
        }
        return count > 0;
    }

    void type(const std::string& keys) const {
        if (write(terminal_, keys.data(), keys.size()) < 0) {
            throw std::runtime_error("the terminal takes no keys");
        }
    }

    const std::string& out() const { return out_; }

    /// Waits for the end, and returns the exit code.
    int wait() {
        int status = 0;
        waitpid(child_, &status, 0);
        child_ = 0;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

  private:
    int terminal_ = -1;
    pid_t child_ = 0;
    std::string out_;
};

}  // namespace

Run run_on_screen(const Workbench& bench, const Words& arguments, int width,
                  const std::map<std::string, std::string>& environment) {
    Words words = {paths::program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    OnTerminal process(bench, words, width, environment);
    while (process.read_within(-1)) {
    }
    Run run;
    run.out = process.out();
    run.status = process.wait();
    return run;
}

std::string type_into_shell(const Workbench& bench, const Words& shell, const Words& lines,
                            const std::string& mark,
                            const std::map<std::string, std::string>& environment) {
    constexpr int width = 200;
    constexpr int pause = 150;  // milliseconds, in which the shell prints its prompt
    constexpr int longest_pauses = 100;
    OnTerminal process(bench, shell, width, environment);
    for (const std::string& line : lines) {
        const std::size_t before = process.out().size();
        process.type(line + "\r");
        int pauses = 0;
        while (process.out().find(mark, before) == std::string::npos && pauses < longest_pauses) {
            const std::size_t size = process.out().size();
            process.read_within(pause);
            pauses += process.out().size() == size ? 1 : 0;
        }
        for (std::size_t size = 0; size != process.out().size();) {
            size = process.out().size();
            process.read_within(pause);
        }
    }
    return process.out();
}

}  // namespace program
