#include "tests/support/ledgers/http_server.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace http_fixture {

namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

Request parse(const std::string& head) {
    Request request;
    std::size_t start = head.find("\r\n");
    const std::size_t path = head.find(' ') + 1;
    request.path = head.substr(path, head.find(' ', path) - path);
    while (start != std::string::npos && start + 2 < head.size()) {
        const std::size_t end = head.find("\r\n", start + 2);
        const std::string line = head.substr(start + 2, end - start - 2);
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) {
            request.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
        }
        start = end;
    }
    return request;
}

}  // namespace

struct Server::State {
    Answer answer;
    int listening = -1;
    int port = 0;
    mutable std::mutex mutex;
    std::condition_variable ended;
    bool is_ending = false;
    std::vector<Request> requests;
    std::vector<std::jthread> threads;
    std::jthread accepting;

    bool ends() const {
        const std::lock_guard lock(mutex);
        return is_ending;
    }

    void accept_all() {
        while (!ends()) {
            pollfd wanted{listening, POLLIN, 0};
            if (poll(&wanted, 1, 20) > 0) {
                const int client = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
                if (client >= 0) {
                    threads.emplace_back([this, client] { serve(client); });
                }
            }
        }
    }

    void serve(int client);
};

namespace {

template <typename State>
class OpenConnection : public Connection {
  public:
    OpenConnection(State& state, int client) : state_(state), client_(client) {}
    OpenConnection(const OpenConnection&) = delete;
    OpenConnection& operator=(const OpenConnection&) = delete;
    ~OpenConnection() override {
        shutdown(client_, SHUT_WR);
        std::array<char, 4096> rest{};
        pollfd wanted{client_, POLLIN, 0};  // else the client may see a reset
        while (!state_.ends() && poll(&wanted, 1, 200) > 0 &&
               recv(client_, rest.data(), rest.size(), 0) > 0) {
        }
        close(client_);
    }

    void send(std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t count = ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0) {
                return;
            }
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    void pause(std::chrono::milliseconds time) override {
        std::unique_lock lock(state_.mutex);
        state_.ended.wait_for(lock, time, [&] { return state_.is_ending; });
    }

    Request read() {
        std::string head;
        std::array<char, 4096> buffer{};
        pollfd wanted{client_, POLLIN, 0};
        while (head.find("\r\n\r\n") == std::string::npos && !state_.ends()) {
            if (poll(&wanted, 1, 20) > 0) {
                const ssize_t count = recv(client_, buffer.data(), buffer.size(), 0);
                if (count <= 0) {
                    break;
                }
                head.append(buffer.data(), static_cast<std::size_t>(count));
            }
        }
        return parse(head);
    }

  private:
    State& state_;
    int client_;
};

}  // namespace

void Server::State::serve(int client) {
    OpenConnection<State> connection(*this, client);
    const Request request = connection.read();
    if (request.path.empty()) {
        return;
    }
    {
        const std::lock_guard lock(mutex);
        requests.push_back(request);
    }
    answer(request, connection);
}

std::string answer(int status, std::string_view body, const std::vector<std::string>& headers) {
    std::string text = "HTTP/1.1 " + std::to_string(status) + " Said\r\nConnection: close\r\n";
    for (const std::string& header : headers) {
        text += header + "\r\n";
    }
    if (status != 304) {
        text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    return text + "\r\n" + std::string(body);
}

Server::Server(Answer answer) : state_(std::make_unique<State>()) {
    // A proxy of who runs the tests has no way to this server.
    setenv("no_proxy", "127.0.0.1,localhost", 1);
    state_->answer = std::move(answer);
    state_->listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(state_->listening, any, size) != 0 || listen(state_->listening, 16) != 0 ||
        getsockname(state_->listening, any, &size) != 0) {
        throw std::runtime_error("no server can be started on 127.0.0.1");
    }
    state_->port = ntohs(address.sin_port);
    state_->accepting = std::jthread([this] { state_->accept_all(); });
}

Server::Server(const std::map<std::string, std::string>& answers)
    : Server([&answers](const Request& request, Connection& connection) {
          const auto found = answers.find(request.path);
          connection.send(found == answers.end() ? http_fixture::answer(404) : found->second);
      }) {}

Server::~Server() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->is_ending = true;
    }
    state_->ended.notify_all();
    state_->accepting.join();
    state_->threads.clear();
    close(state_->listening);
}

std::string Server::url(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(port()) + std::string(path);
}

int Server::port() const {
    return state_->port;
}

std::vector<Request> Server::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

std::vector<std::string> Server::paths() const {
    std::vector<std::string> all;
    for (const Request& request : requests()) {
        all.push_back(request.path);
    }
    return all;
}

}  // namespace http_fixture
