#include "src/terminal/output/pager.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr const char* own_variable = "CACHELEDGER_PAGER";

std::string wanted_command() {
    for (const char* const variable : {own_variable, "PAGER"}) {
        if (const char* const command = std::getenv(variable)) {
            return command;
        }
    }
    return "less";
}

bool is_installed(const std::string& program) {
    if (program.find('/') != std::string::npos) {
        return access(program.c_str(), X_OK) == 0;
    }
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (folder.empty() ? "." : folder) + "/" + program;
        if (access(file.c_str(), X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/// Whether the shell would find the program. True if that takes a shell to tell.
bool can_be_started(const std::string& command) {
    if (command.find_first_of("|&;<>()$`\\\"'*?[#~=%\n") != std::string::npos) {
        return true;
    }
    std::istringstream words(command);
    std::string program;
    return words >> program && is_installed(program);
}

/// Ignores a signal while this lives.
class Ignored {
  public:
    explicit Ignored(int signal) : signal_(signal) {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        sigaction(signal_, &ignore, &before_);
    }
    ~Ignored() { sigaction(signal_, &before_, nullptr); }
    Ignored(const Ignored&) = delete;
    Ignored& operator=(const Ignored&) = delete;

    /// Adds the signal to those that a new process is not to ignore, if this process did not
    /// before.
    void add_to(sigset_t& heard) const {
        if (before_.sa_handler != SIG_IGN) {
            sigaddset(&heard, signal_);
        }
    }

  private:
    int signal_;
    struct sigaction before_ {};
};

/// A running pager. The destructor waits for its end.
class Pager {
  public:
    /// `heard`: the signals that it does not ignore, though this process may.
    Pager(const std::string& command, const sigset_t& heard) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            refuse(command, errno);
        }
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        // As git sets them: less ends if all fits the screen, shows colours, and leaves the text.
        setenv("LESS", "FRX", 0);
        setenv("LV", "-c", 0);
        std::string shell = "sh";
        std::string option = "-c";
        std::string text = command;
        const std::array<char*, 4> words = {shell.data(), option.data(), text.data(), nullptr};
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setsigdefault(&attributes, &heard);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        const int error =
            posix_spawn(&child_, "/bin/sh", &actions, &attributes, words.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[0]);
        input_ = ends[1];
        if (error != 0) {
            close(input_);
            refuse(command, error);
        }
    }
    ~Pager() {
        close(input_);
        while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;

    int input() const { return input_; }

  private:
    [[noreturn]] static void refuse(const std::string& command, int error) {
        throw UsageError(fmt::format("the pager '{}' can't be started: {}; --no-pager goes without",
                                     command, std::strerror(error)));
    }

    pid_t child_ = 0;
    int input_ = -1;
};

}  // namespace

DescriptorBuffer::DescriptorBuffer(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type character) {
    sync();
    return traits_type::eq_int_type(character, traits_type::eof())
               ? traits_type::not_eof(character)
               : sputc(traits_type::to_char_type(character));
}

int DescriptorBuffer::sync() {
    for (const char* from = pbase(); from < pptr();) {
        stop_if_interrupted();
        const ssize_t count = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
        if (count >= 0) {
            from += count;
        } else if (errno == EPIPE) {
            throw ReaderIsGone(
                fmt::format("{}: can't be written: {}", name_, std::strerror(errno)));
        } else if (errno != EINTR) {
            throw UsageError(fmt::format("{}: can't be written: {}", name_, std::strerror(errno)));
        }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return 0;
}

DescriptorStream::DescriptorStream(int descriptor, std::string name)
    : std::ostream(nullptr), buffer_(descriptor, std::move(name)) {
    rdbuf(&buffer_);
    exceptions(badbit);
}

void forbid_pager() {
    setenv(own_variable, "", 1);
}

std::string pager_command() {
    std::string command = wanted_command();
    return command == "cat" || !can_be_started(command) ? "" : command;
}

void write_to_pager(const std::string& command, const std::function<void(std::ostream&)>& print) {
    // The signals are ignored from before the pager is started until it has ended: the keys that
    // send them are the pager's, which must not ignore them itself.
    const Ignored interruption(SIGINT);
    const Ignored closed_pipe(SIGPIPE);
    sigset_t heard;
    sigemptyset(&heard);
    interruption.add_to(heard);
    closed_pipe.add_to(heard);
    const Pager pager(command, heard);
    try {
        DescriptorStream stream(pager.input(), "the pager");
        print(stream);
        stream.flush();
    } catch (const ReaderIsGone&) {
        // The user has seen enough.
    }
}

}  // namespace cacheledger
