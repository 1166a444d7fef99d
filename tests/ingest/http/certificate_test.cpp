#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "ingest/sources/http/transfer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace certificate_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;

namespace {

template <auto free>
struct Free {
    template <typename Value>
    void operator()(Value* value) const {
        free(value);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Free<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Free<SSL_free>>;

/// One that nobody but its own key stands for.
Certificate make_certificate(EVP_PKEY* key) {
    Certificate made(X509_new());
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
    X509_set_pubkey(made.get(), key);
    X509_NAME* const name = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(made.get(), name);
    for (const auto& [id, text] : {std::pair(NID_basic_constraints, "critical,CA:TRUE"),
                                   std::pair(NID_subject_alt_name, "IP:127.0.0.1")}) {
        const std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>> extension(
            X509V3_EXT_conf_nid(nullptr, nullptr, id, text));
        X509_add_ext(made.get(), extension.get(), -1);
    }
    X509_sign(made.get(), key, EVP_sha256());
    return made;
}

/// A server that answers "text" by HTTPS.
class TlsServer {
  public:
    TlsServer()
        : key_(EVP_EC_gen("P-256")),
          certificate_(make_certificate(key_.get())),
          context_(SSL_CTX_new(TLS_server_method())) {
        setenv("no_proxy", "127.0.0.1,localhost", 1);
        std::signal(SIGPIPE, SIG_IGN);  // of a client that is gone already
        SSL_CTX_use_certificate(context_.get(), certificate_.get());
        SSL_CTX_use_PrivateKey(context_.get(), key_.get());
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        REQUIRE(bind(listening_, any, size) == 0);
        REQUIRE(listen(listening_, 4) == 0);
        REQUIRE(getsockname(listening_, any, &size) == 0);
        port_ = ntohs(address.sin_port);
        thread_ = std::jthread([this] { serve(); });
    }
    ~TlsServer() {
        shutdown(listening_, SHUT_RDWR);  // ends accept()
        thread_.join();
        close(listening_);
    }
    TlsServer(const TlsServer&) = delete;
    TlsServer& operator=(const TlsServer&) = delete;

    std::string url(const std::string& host) const {
        return "https://" + host + ":" + std::to_string(port_) + "/a";
    }
    int requests() const { return requests_; }

    std::string write_certificate(const TempFolder& folder) const {
        const std::string file = (folder.path() / "certificate.pem").string();
        const std::unique_ptr<FILE, Free<fclose>> stream(fopen(file.c_str(), "w"));
        PEM_write_X509(stream.get(), certificate_.get());
        return file;
    }

  private:
    void serve() {
        while (true) {
            const int client = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) {
                return;
            }
            const Session session(SSL_new(context_.get()));
            SSL_set_fd(session.get(), client);
            std::array<char, 4096> request{};
            if (SSL_accept(session.get()) == 1 &&
                SSL_read(session.get(), request.data(), request.size()) > 0) {
                ++requests_;
                const std::string answer =
                    "HTTP/1.1 200 Said\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntext";
                SSL_write(session.get(), answer.data(), static_cast<int>(answer.size()));
                SSL_shutdown(session.get());
            }
            close(client);
        }
    }

    Key key_;
    Certificate certificate_;
    Context context_;
    int listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int port_ = 0;
    std::atomic<int> requests_ = 0;
    std::jthread thread_;
};

/// The body, or what is wrong.
std::string get(const std::string& url) {
    HttpClient client({}, {});
    std::string body;
    try {
        client.get(
            {url, {}, any_address, std::chrono::steady_clock::now() + std::chrono::seconds(9)},
            [&](const char* bytes, std::size_t size) { body.append(bytes, size); });
    } catch (const HttpError& error) {
        CHECK_FALSE(error.may_pass());
        return error.what();
    }
    return body;
}

}  // namespace

TEST_CASE("A server must have a certificate that somebody known stands for") {
    const TlsServer server;
    unsetenv("SSL_CERT_FILE");
    CHECK_THAT(
        get(server.url("127.0.0.1")),
        ContainsSubstring(server.url("127.0.0.1") + ": its certificate can't be verified: "));
    CHECK(server.requests() == 0);
}

TEST_CASE("A site's own certificates are named by SSL_CERT_FILE") {
    const TempFolder folder;
    const TlsServer server;
    setenv("SSL_CERT_FILE", server.write_certificate(folder).c_str(), 1);
    CHECK(get(server.url("127.0.0.1")) == "text");
    // It is the certificate of another name.
    CHECK_THAT(get(server.url("localhost")),
               ContainsSubstring("its certificate can't be verified"));
    CHECK(server.requests() == 1);
    unsetenv("SSL_CERT_FILE");
}

}  // namespace certificate_test
