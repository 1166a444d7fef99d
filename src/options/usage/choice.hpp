#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/options/usage/command_help.hpp"

namespace cacheledger {

/// The values that an option can have, for completions. A part of the option's value semantic.
struct Choices {
    std::vector<std::string> names;
    bool is_list = false;  ///< a value is some of them, separated by commas

    Choices(std::vector<std::string> all, bool are_listed)
        : names(std::move(all)), is_list(are_listed) {}
    Choices(const Choices&) = delete;
    Choices& operator=(const Choices&) = delete;
    virtual ~Choices() = default;
};

/// The value of an option that can have only these values. The command checks it.
template <typename Value>
class Choice : public po::typed_value<Value>, public Choices {
  public:
    Choice(const char* value_name, std::vector<std::string> all, bool are_listed)
        : po::typed_value<Value>(nullptr), Choices(std::move(all), are_listed) {
        this->value_name(value_name);
    }
};

/// For po::options_description, which takes the ownership. `Value`: std::string, or a vector of
/// them for an option that can be given several times.
template <typename Value = std::string>
po::typed_value<Value>* choice(const char* value_name, std::vector<std::string> names,
                               bool is_list = false) {
    return std::make_unique<Choice<Value>>(value_name, std::move(names), is_list).release();
}

/// The names as a vector of texts.
template <typename Names>
std::vector<std::string> texts_of(const Names& names) {
    return {names.begin(), names.end()};
}

}  // namespace cacheledger
