#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A web server of a test, on this machine's loopback address. Uses nothing of the program's code.
namespace http_fixture {

struct Request {
    std::string path;                            ///< with the query
    std::map<std::string, std::string> headers;  ///< names in lower case
};

/// The way to the client.
class Connection {
  public:
    virtual ~Connection() = default;
    virtual void send(std::string_view bytes) = 0;
    /// Waits so long, or until the server ends.
    virtual void pause(std::chrono::milliseconds time) = 0;
};

/// "HTTP/1.1 200 ..." with its length and body. `headers`: "Name: value" each.
std::string answer(int status, std::string_view body = "",
                   const std::vector<std::string>& headers = {});

/// Answers each request on a connection of its own, and then closes that.
class Server {
  public:
    using Answer = std::function<void(const Request&, Connection&)>;

    explicit Server(Answer answer);
    /// One answer for each path; 404 for others. Those that change may be changed meanwhile.
    explicit Server(const std::map<std::string, std::string>& answers);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// "http://127.0.0.1:PORT" and the path.
    std::string url(std::string_view path) const;
    int port() const;

    /// What was asked until now.
    std::vector<Request> requests() const;
    /// Their paths.
    std::vector<std::string> paths() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace http_fixture
