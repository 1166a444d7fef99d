#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// The version of OpenSSL's libcrypto: "3.0.19". Throws UsageError if it is not installed.
std::string crypto_library_version();

/// A git object id (SHA-1).
using Digest = std::array<std::uint8_t, 20>;

/// The SHA-1 of these texts, one after the other. Throws std::runtime_error if libcrypto has no
/// SHA-1.
Digest sha1(std::initializer_list<std::string_view> texts);

/// The git blob id of a file with this content: SHA-1 over "blob <size>\0" and the content. So a
/// page has the same id whether it was read from a folder or from a git repository. Throws like
/// sha1().
Digest blob_id(std::string_view content);

/// A file in a folder.
struct TreeEntry {
    std::string name;
    Digest blob{};
};

/// The git tree id of a folder with these files and nothing else, none of them executable. The
/// names must differ. Throws like blob_id().
Digest tree_id(std::vector<TreeEntry> files);

/// 40 lower-case hex digits.
std::string to_hex(const Digest& digest);

/// What the state of a package is known by where no page gives it: the git blob id of a text with
/// its name, and a line for each spec with its hash and its stacks.
class StateDigest {
  public:
    explicit StateDigest(std::string_view package) { text_.append(package).append("\n"); }

    /// Call this in the order of the hashes. `stacks`: their names, sorted.
    template <typename Stacks>
    void add(std::string_view hash, const Stacks& stacks) {
        text_.append(hash);
        for (const std::string_view stack : stacks) {
            text_.append(" ").append(stack);
        }
        text_ += '\n';
    }

    /// Throws like sha1().
    Digest digest() const { return blob_id(text_); }

  private:
    std::string text_;
};

}  // namespace cacheledger
