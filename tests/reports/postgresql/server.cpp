#include "tests/reports/postgresql/server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "reports/engine/server/connection.hpp"

namespace postgresql_fixture {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// What the child does between fork and exec. Root becomes the user `postgres`: the server does not
/// run as root.
void become_postgres() {
    if (geteuid() == 0) {
        const passwd* const user = getpwnam("postgres");
        if (user == nullptr || setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 ||
            setuid(user->pw_uid) != 0) {
            _exit(126);
        }
    }
    prctl(PR_SET_PDEATHSIG, SIGQUIT);  // PostgreSQL's "immediate" end; setuid clears it
}

pid_t start(const Words& command, const fs::path& log) {
    const pid_t child = fork();
    if (child != 0) {
        return child;
    }
    become_postgres();
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    close(STDIN_FILENO);
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
}

void give_to_postgres(const fs::path& folder) {
    const passwd* const user = geteuid() == 0 ? getpwnam("postgres") : nullptr;
    if (user != nullptr && chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) {
        throw std::runtime_error("can't give " + folder.string() + " to the user postgres");
    }
}

bool answers(const std::string& url) {
    try {
        cacheledger::PostgresConnection(url).run("SELECT 1");
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

fs::path programs() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(
        popen("pg_config --bindir 2>/dev/null", "r"), pclose);
    std::array<char, 4096> line{};
    if (out == nullptr || std::fgets(line.data(), line.size(), out.get()) == nullptr) {
        return {};
    }
    std::string folder = line.data();
    folder.erase(folder.find_last_not_of('\n') + 1);
    return fs::exists(fs::path(folder) / "initdb") ? fs::path(folder) : fs::path();
}

Server::Server() {
    std::string pattern = (fs::temp_directory_path() / "postgresql-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("can't make a folder for a server");
    }
    folder_ = pattern;
    give_to_postgres(folder_);
    const fs::path data = folder_ / "data";
    const fs::path log = folder_ / "log";
    int status = 0;
    waitpid(start({programs() / "initdb", "--pgdata", data, "--username", "postgres", "--auth",
                   "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"},
                  log),
            &status, 0);
    if (status != 0) {
        throw std::runtime_error("initdb failed: see " + log.string());
    }
    // autovacuum writes by itself, and a test asks whether anything was written.
    process_ =
        start({programs() / "postgres", "-D", data, "-k", folder_, "-c", "listen_addresses=", "-c",
               "fsync=off", "-c", "max_connections=40", "-c", "autovacuum=off"},
              log);
    using namespace std::chrono_literals;
    for (int tries = 0; !answers(url()); ++tries) {
        if (tries == 300 || waitpid(process_, nullptr, WNOHANG) != 0) {
            throw std::runtime_error("the server does not start: see " + log.string());
        }
        std::this_thread::sleep_for(100ms);
    }
}

Server::~Server() {
    kill(process_, SIGQUIT);
    waitpid(process_, nullptr, 0);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

std::string Server::url(const std::string& database, const std::string& user) const {
    return "postgresql://" + user + "@/" + database + "?host=" + folder_.string();
}

const Server* server() {
    static const std::unique_ptr<Server> one = [] {
        if (programs().empty()) {
            std::cout << "PostgreSQL is not installed: nothing is tested with it "
                         "(scripts/install-packages tests)\n";
            return std::unique_ptr<Server>();
        }
        return std::make_unique<Server>();
    }();
    return one.get();
}

std::string new_database(const Server& server) {
    static int number = 0;
    const std::string name = "test_" + std::to_string(++number);
    cacheledger::PostgresConnection(server.url())
        .run("CREATE DATABASE " + name +
             " TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' ENCODING 'UTF8'");
    return server.url(name);
}

std::string new_role(const Server& server) {
    static int number = 0;
    const std::string name = "reader_" + std::to_string(++number);
    cacheledger::PostgresConnection(server.url()).run("CREATE ROLE " + name + " LOGIN");
    return name;
}

std::string as_role(std::string url, const std::string& role) {
    const std::string owner = "//postgres@";
    return url.replace(url.find(owner), owner.size(), "//" + role + "@");
}

}  // namespace postgresql_fixture
