#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace cacheledger {

/// The hash of a text under a key that is random in each process: wyhash, with which Go hashes the
/// keys of its maps. Who does not know the key can't choose texts that get equal hashes, so no
/// input makes a hash table slow. The order of such a table is another one in each run: nothing may
/// depend on it.
class KeyedHash {
  public:
    using is_transparent = void;
    using Key = std::array<std::uint64_t, 3>;

    /// With the key of the process.
    KeyedHash() : key_(key_of_process()) {}

    explicit KeyedHash(const Key& key) : key_(key) {}

    std::size_t operator()(std::string_view text) const {
        const char* at = text.data();
        std::size_t left = text.size();
        std::uint64_t seed = key_[0];
        for (; left > 2 * sizeof(std::uint64_t); left -= 2 * sizeof(std::uint64_t)) {
            seed = mixed(word<std::uint64_t>(at), word<std::uint64_t>(at + sizeof seed), seed);
            at += 2 * sizeof(std::uint64_t);
        }
        return static_cast<std::size_t>(product(key_[2] ^ text.size(), mixed_end(at, left, seed)));
    }

    /// The hash of the bytes of an array of numbers or characters.
    template <typename Value, std::size_t Size>
    std::size_t operator()(const std::array<Value, Size>& values) const {
        static_assert(std::has_unique_object_representations_v<Value>);
        return (*this)(
            std::string_view(reinterpret_cast<const char*>(values.data()), sizeof values));
    }

  private:
    template <typename Word>
    static std::uint64_t word(const char* at) {
        Word word{};
        std::memcpy(&word, at, sizeof word);
        return word;
    }

    std::uint64_t mixed(std::uint64_t first, std::uint64_t second, std::uint64_t seed) const {
        return product(first ^ key_[1], second ^ seed);
    }

    // Of up to 16 bytes, in two words that may have some of them in common.
    std::uint64_t mixed_end(const char* at, std::size_t left, std::uint64_t seed) const {
        using Long = std::uint64_t;
        using Short = std::uint32_t;
        if (left >= sizeof(Long)) {
            return mixed(word<Long>(at), word<Long>(at + left - sizeof(Long)), seed);
        }
        if (left >= sizeof(Short)) {
            return mixed(word<Short>(at), word<Short>(at + left - sizeof(Short)), seed);
        }
        std::uint64_t few = 0;  // three at most
        for (std::size_t i = 0; i < left; ++i) {
            few = few << 8U | static_cast<unsigned char>(at[i]);
        }
        return mixed(few, 0, seed);
    }

    // The two halves of the product, one upon the other.
    static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        const Wide wide = static_cast<Wide>(a) * b;
        return static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64U);
    }

    static const Key& key_of_process();

    Key key_;
};

/// Values by text, where the texts come from an input.
template <typename Value>
using TextMap = std::unordered_map<std::string, Value, KeyedHash, std::equal_to<>>;

}  // namespace cacheledger
