#pragma once

#include <memory>
#include <string_view>

namespace cacheledger::json {

/// Whether `written` is a JSON text, with its quotes, that holds what it stands for as it is: no
/// escapes, and printable ASCII only. Nearly all are so.
bool is_plain(std::string_view written);

/// Reads JSON texts.
class Texts {
  public:
    Texts();
    ~Texts();

    /// The text that `written` stands for, with its quotes. It is good until the next call, and as
    /// long as `written`. Throws std::invalid_argument: "WHERE: expected a text, found null".
    std::string_view operator()(std::string_view written, std::string_view where);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger::json
