#include "tests/reports/postgresql/lying_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace postgresql_fixture {

namespace {

template <typename Number>
std::string bytes_of(Number number) {
    std::string bytes;
    for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(number >> shift);
    }
    return bytes;
}

bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

/// The content of the next message, which begins with its size.
std::optional<std::string> receive(int socket) {
    std::uint32_t size = 0;
    if (::recv(socket, &size, sizeof(size), MSG_WAITALL) != sizeof(size)) {
        return std::nullopt;
    }
    std::string content(ntohl(size) - sizeof(size), '\0');
    if (content.empty()) {
        return content;
    }
    const auto read = ::recv(socket, content.data(), content.size(), MSG_WAITALL);
    return read == static_cast<ssize_t>(content.size()) ? std::optional(content) : std::nullopt;
}

}  // namespace

std::string message(char letter, const std::string& content) {
    return letter + bytes_of(static_cast<std::uint32_t>(content.size() + 4)) + content;
}

std::string columns(int count) {
    std::string content = bytes_of(static_cast<std::uint16_t>(count));
    for (int column = 0; column < count; ++column) {
        constexpr std::uint32_t bigint = 20;
        content += std::string("c\0", 2) + bytes_of(std::uint32_t{0}) + bytes_of(std::uint16_t{0}) +
                   bytes_of(bigint) + bytes_of(std::uint16_t{8}) + bytes_of(std::uint32_t{0}) +
                   bytes_of(std::uint16_t{0});
    }
    return message('T', content);
}

std::string row(const std::vector<const char*>& values) {
    std::string content = bytes_of(static_cast<std::uint16_t>(values.size()));
    for (const char* const value : values) {
        const std::string text = value == nullptr ? "" : value;
        content += bytes_of(value == nullptr ? ~std::uint32_t{0}
                                             : static_cast<std::uint32_t>(text.size())) +
                   text;
    }
    return message('D', content);
}

std::string end_of_statement() {
    return message('C', std::string("SELECT 1\0", 9));
}

std::string end_of_answer() {
    return message('Z', "T");
}

LyingServer::LyingServer(Answer answer)
    : answer_(std::move(answer)), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any_address = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, any_address, size) != 0 || ::listen(socket_, 10) != 0 ||
        ::getsockname(socket_, any_address, &size) != 0) {
        throw std::runtime_error("no socket for a server");
    }
    port_ = ntohs(address.sin_port);
    taker_ = std::jthread([this] { take(); });
}

LyingServer::~LyingServer() {
    is_over_ = true;
    ::shutdown(socket_, SHUT_RDWR);
    taker_.join();
    for (const int client : clients_) {
        ::shutdown(client, SHUT_RDWR);
    }
    threads_.clear();
    for (const int client : clients_) {
        ::close(client);
    }
    ::close(socket_);
}

std::string LyingServer::url() const {
    return "postgresql://u@127.0.0.1:" + std::to_string(port_) +
           "/x?sslmode=disable&gssencmode=disable";
}

void LyingServer::take() {
    while (!is_over_) {
        const int client = ::accept(socket_, nullptr, nullptr);
        if (client >= 0) {
            clients_.push_back(client);
            threads_.emplace_back([this, client] { serve(client); });
        }
    }
}

void LyingServer::serve(int client) {
    constexpr std::string_view cancel_code("\x04\xd2\x16\x2e", 4);
    const auto start = receive(client);
    if (!start || start->starts_with(cancel_code)) {
        return;  // the connection stays open, and nobody answers
    }
    send_all(client, message('R', bytes_of(std::uint32_t{0})) +
                         message('K', bytes_of(std::uint64_t{1})) + end_of_answer());
    char letter = 0;
    while (::recv(client, &letter, 1, MSG_WAITALL) == 1 && receive(client)) {
        if (letter != 'Q' && letter != 'S') {  // the parts of a statement, before "Sync"
            continue;
        }
        send_all(client, answer_.once);
        while (!answer_.for_ever.empty() && send_all(client, answer_.for_ever)) {
        }
    }
}

}  // namespace postgresql_fixture
