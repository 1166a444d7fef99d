#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

/// A PostgreSQL server of a test: Debian's, in a temporary folder, with a socket there and no other
/// way in. Uses nothing of the program's code.
namespace postgresql_fixture {

/// Where initdb and postgres are, as pg_config says; empty if they are not installed.
std::filesystem::path programs();

/// Starts the server, and stops it in the destructor. Root runs it as the user `postgres`, who may
/// have a server. It ends with the test, whatever ends that.
class Server {
  public:
    Server();
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// The URL of a database, as the user who may do everything, or as another one.
    std::string url(const std::string& database = "postgres",
                    const std::string& user = "postgres") const;

    /// The folder with the socket.
    const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
    pid_t process_ = 0;
};

/// The server of this test binary, started by the first call; null if PostgreSQL is not installed,
/// and then a line says so.
const Server* server();

/// A new, empty database of it, whose texts sort by the rules of English (ICU). Its URL.
std::string new_database(const Server& server);

/// A new role that may log in, and nothing else. Its name.
std::string new_role(const Server& server);

/// The URL of the same database, for another role.
std::string as_role(std::string url, const std::string& role);

}  // namespace postgresql_fixture
