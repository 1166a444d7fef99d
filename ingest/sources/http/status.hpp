#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// "403 (forbidden)"; only the number where it is a rare one.
std::string text_of_status(int status);

/// "the server says 403 (forbidden): it denies access, ..."
std::string problem_of_status(int status);

/// What a server said of places that have no file.
class Refusals {
  public:
    void add(std::string_view name, int status) { names_[status].push_back(name); }

    /// "the server says 403 (forbidden) of a, b; 404 (not found) of c"
    std::string text() const;

  private:
    std::map<int, std::vector<std::string_view>> names_;
};

}  // namespace cacheledger
