#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace postgresql_fixture {

/// A server that speaks PostgreSQL's protocol until somebody is connected, and then answers as a
/// test says. It takes any number of connections, those that cancel, too, and closes none itself.
class LyingServer {
  public:
    /// What is sent for each thing that a client asks; and what is sent after that without end,
    /// until the client is gone. Nothing at all, if both are empty.
    struct Answer {
        std::string once = {};
        std::string for_ever = {};
    };

    explicit LyingServer(Answer answer);
    ~LyingServer();
    LyingServer(const LyingServer&) = delete;
    LyingServer& operator=(const LyingServer&) = delete;

    std::string url() const;

  private:
    void take();
    void serve(int client);

    Answer answer_;
    int socket_ = -1;
    int port_ = 0;
    std::atomic<bool> is_over_ = false;
    std::vector<int> clients_;
    std::vector<std::jthread> threads_;
    std::jthread taker_;
};

/// A message of the protocol: its letter, and its content.
std::string message(char letter, const std::string& content);

/// What describes the columns of rows, all of type bigint; a row of these texts, of which a null
/// pointer is NULL; the end of a statement, and of an answer.
std::string columns(int count);
std::string row(const std::vector<const char*>& values);
std::string end_of_statement();
std::string end_of_answer();

}  // namespace postgresql_fixture
