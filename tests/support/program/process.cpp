#include "tests/support/program/process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ostream>
#include <stdexcept>

extern char** environ;

namespace program {

namespace {

constexpr unsigned longest_run = 60;  // seconds

// A file without name, so that no pipe can fill up while nobody reads it.
std::unique_ptr<std::FILE, int (*)(std::FILE*)> temporary(const std::string& text = "") {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::tmpfile(), std::fclose);
    if (!stream || std::fwrite(text.data(), 1, text.size(), stream.get()) != text.size()) {
        throw std::runtime_error("a temporary file can't be written");
    }
    std::rewind(stream.get());
    return stream;
}

std::string contents(std::FILE* stream) {
    std::rewind(stream);
    std::string text;
    char buffer[1 << 14];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, stream)) {
        text.append(buffer, size);
    }
    return text;
}

Words make_environment(const std::map<std::string, std::string>& given) {
    std::map<std::string, std::string> all;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos) {
            all[text.substr(0, equals)] = text.substr(equals + 1);
        }
    }
    all.erase("CACHELEDGER_DB");
    for (const auto& [name, value] : given) {
        all[name] = value;
    }
    Words variables;
    for (const auto& [name, value] : all) {
        variables.push_back(name + "=" + value);
    }
    return variables;
}

std::vector<char*> pointers(Words& words) {
    std::vector<char*> all;
    for (std::string& word : words) {
        all.push_back(word.data());
    }
    all.push_back(nullptr);
    return all;
}

int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// For the calling process. A sanitizer takes terabytes of addresses.
void limit_memory([[maybe_unused]] std::size_t bytes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (bytes > 0) {
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_AS, &limit);
    }
#endif
}

// In the child: what it may do and where it runs.
bool take_up(const Surroundings& surroundings) {
    constexpr unsigned nobody = 65534;
    limit_memory(surroundings.memory);
    if (surroundings.largest_file != 0) {
        const rlimit limit{surroundings.largest_file, surroundings.largest_file};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
            return false;
        }
    }
    if (chdir(surroundings.folder.c_str()) != 0) {
        return false;
    }
    return !surroundings.unprivileged || geteuid() != 0 ||
           (setgroups(surroundings.groups.size(), surroundings.groups.data()) == 0 &&
            setgid(nobody) == 0 && setuid(nobody) == 0);
}

}  // namespace

Words Run::errors() const {
    Words lines = lines_of(err);
    std::erase_if(lines, [](const std::string& line) {
        return line.starts_with("cacheledger: note: nothing was loaded");
    });
    return lines;
}

std::ostream& operator<<(std::ostream& out, const Run& run) {
    return out << "status " << run.status << "\nout: " << run.out.substr(0, 2000)
               << "\nerr: " << run.err.substr(0, 2000);
}

Process::Process(const Words& command, const Surroundings& surroundings)
    : in_(temporary(surroundings.input)), out_(temporary()), err_(temporary()) {
    Words words = command;
    Words variables = make_environment(surroundings.environment);
    const std::vector<char*> arguments = pointers(words);
    const std::vector<char*> environment = pointers(variables);
    // Opened before rights are given up: the program may lie where only its owner can go.
    const int file = open(arguments[0], O_RDONLY);
    child_ = fork();
    if (child_ < 0) {
        throw std::runtime_error("no process can be started");
    }
    if (child_ == 0) {
        alarm(longest_run);
        dup2(fileno(in_.get()), STDIN_FILENO);
        dup2(fileno(out_.get()), STDOUT_FILENO);
        dup2(fileno(surroundings.one_stream ? out_.get() : err_.get()), STDERR_FILENO);
        if (take_up(surroundings)) {
            if (file >= 0 && surroundings.unprivileged) {
                fexecve(file, arguments.data(), environment.data());
            }
            execvpe(arguments[0], arguments.data(), environment.data());
        }
        _exit(127);
    }
    if (file >= 0) {
        close(file);
    }
}

Process::~Process() {
    if (!ended_) {
        signal(SIGKILL);
        waitpid(child_, &status_, 0);
    }
}

bool Process::runs() {
    ended_ = ended_ || waitpid(child_, &status_, WNOHANG) != 0;
    return !ended_;
}

bool Process::waits_stopped() {
    waitpid(child_, &status_, WUNTRACED);
    ended_ = !WIFSTOPPED(status_);
    return !ended_;
}

void Process::signal(int number) const {
    if (!ended_) {
        kill(child_, number);
    }
}

Run Process::wait() {
    if (!ended_) {
        waitpid(child_, &status_, 0);
        ended_ = true;
    }
    return {exit_code(status_), contents(out_.get()), contents(err_.get())};
}

Run run_command(const Words& command, const Surroundings& surroundings) {
    return Process(command, surroundings).wait();
}

Words lines_of(const std::string& text) {
    Words lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace program
