#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cacheledger::json {

/// Walks through JSON of any nesting with nlohmann's parser, which says where a text breaks; the
/// other readers don't, and are faster. Who wants more than that overrides what comes: each gives
/// whether to go on. For .cpp files only.
class Walk : public nlohmann::json_sax<nlohmann::json> {
  public:
    /// Gives the byte at which the text is broken, counted from 1: the one behind its end where it
    /// is cut off, 0 where it is whole or the walk ended before. `first_only`: whatever is behind
    /// the first value.
    std::size_t run(std::string_view text, bool first_only = false) {
        nlohmann::json::sax_parse(text.begin(), text.end(), static_cast<json_sax*>(this),
                                  nlohmann::json::input_format_t::json, !first_only);
        return broken_at_;
    }

    bool key(string_t& /*key*/) override { return true; }

  protected:
    virtual bool enter(bool /*is_list*/) { return true; }
    virtual bool leave() { return true; }
    virtual bool value() { return true; }

  private:
    bool null() final { return value(); }
    bool boolean(bool /*value*/) final { return value(); }
    bool number_integer(number_integer_t /*value*/) final { return value(); }
    bool number_unsigned(number_unsigned_t /*value*/) final { return value(); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) final { return value(); }
    bool string(string_t& /*value*/) final { return value(); }
    bool binary(binary_t& /*value*/) final { return value(); }
    bool start_object(std::size_t /*size*/) final { return enter(false); }
    bool end_object() final { return leave(); }
    bool start_array(std::size_t /*size*/) final { return enter(true); }
    bool end_array() final { return leave(); }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) final {
        broken_at_ = position;
        return false;
    }

    std::size_t broken_at_ = 0;
};

}  // namespace cacheledger::json
