#include "tests/program/screen.hpp"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace program {

Run run_on_screen(const Workbench& bench, const Words& arguments, int width,
                  const std::map<std::string, std::string>& environment) {
    constexpr unsigned longest_run = 60;  // seconds
    Words words = {CACHELEDGER_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    winsize size{};
    size.ws_row = 24;
    size.ws_col = static_cast<unsigned short>(width);
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child < 0) {
        throw std::runtime_error("no terminal can be made");
    }
    if (child == 0) {
        alarm(longest_run);
        for (const char* const name : {"PAGER", "LESS", "NO_COLOR", "CACHELEDGER_DB"}) {
            unsetenv(name);
        }
        setenv("TERM", "xterm", 1);
        for (const auto& [name, value] : environment) {
            setenv(name.c_str(), value.c_str(), 1);
        }
        if (chdir(bench.folder().c_str()) == 0) {
            execv(pointers[0], pointers.data());
        }
        _exit(127);
    }
    Run run;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = read(terminal, buffer.data(), buffer.size())) > 0;) {
        for (const char c : std::string(buffer.data(), static_cast<std::size_t>(count))) {
            run.out += c == '\r' ? "" : std::string(1, c);
        }
    }
    close(terminal);
    int status = 0;
    waitpid(child, &status, 0);
    run.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return run;
}

}  // namespace program
