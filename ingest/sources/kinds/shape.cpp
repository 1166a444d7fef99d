#include "ingest/sources/kinds/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/json/walk.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/kinds/build_times.hpp"

namespace cacheledger {

namespace {

// So much of a text is looked at. What tells the shape is in the first thousands of bytes of every
// known file.
constexpr std::size_t first_head = 16U << 10U;
constexpr std::size_t longest_head = 4U << 20U;

constexpr std::string_view signature_start = "-----BEGIN PGP SIGNED MESSAGE-----";
constexpr std::size_t most_keys_named = 5;
constexpr std::size_t longest_mark = 6;
constexpr std::size_t blanks_behind_mark = 2;

[[noreturn]] void refuse_shape(std::string_view what) {
    throw Problem(fmt::format("expected {}; found {}", inputs_of_json, what));
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
    return std::ranges::find(keys, key) != keys.end();
}

// Looks at keys until they tell the shape, and then stops the parser.
class ShapeFinder : public json::Walk {
  public:
    std::optional<Shape> shape;
    bool is_read = false;  // to the end

    // The shape of a text that was read to its end, and did not tell it before.
    Shape at_end(bool is_list) const {
        if (is_list) {
            refuse_shape("a JSON list");
        }
        if (has_records_) {
            return Shape::index;  // without a record that says what it is of
        }
        if (num_keys_ > 0 && num_empty_lists_ == num_keys_) {
            return Shape::refs;  // each without labels
        }
        refuse_shape(keys_.empty() ? "an empty JSON object"
                                   : fmt::format("JSON with the keys {}{}", fmt::join(keys_, ", "),
                                                 num_keys_ > keys_.size() ? ", ..." : ""));
    }

    bool key(string_t& key) override {
        is_empty_list_ = false;
        const std::size_t depth = brackets_.size();
        if (depth == 1) {
            return top_key(key);
        }
        if (depth == 2) {
            second_key_ = key;
            if (brackets_[0] == '[' && is_one_of(key, {"phases", "total"})) {
                return found(Shape::build_times);
            }
            has_records_ = has_records_ || is_in_records();
            if (brackets_[0] == '[' &&
                is_one_of(key, {"arch", "hash", "name", "namespace", "spec", "version"})) {
                return found(Shape::specs);
            }
        }
        if (depth == 3 && brackets_[1] == '[' && is_one_of(key, {"label", "url"})) {
            return found(Shape::refs);
        }
        return depth != 4 || !is_in_records() || record_key(key);
    }

  private:
    bool found(Shape what) {
        shape = what;
        return false;
    }

    bool top_key(const std::string& key) {
        if (is_one_of(key, {"phases", "total"})) {
            return found(Shape::build_times);
        }
        if (is_one_of(key, {"_meta", "roots", "concrete_specs", "include_concrete", "spack"})) {
            return found(Shape::lock);
        }
        if (key == "manifests") {
            return found(Shape::layout);
        }
        if (key == "data") {
            return found(Shape::index_manifest);
        }
        if (key == "keys") {
            refuse_shape("the index of a mirror's signing keys");
        }
        if (key == "spec") {
            return found(Shape::specs);
        }
        if (key == "layers") {
            refuse_shape("a manifest of an OCI layout; name the folder of that");
        }
        if (++num_keys_ <= most_keys_named) {
            keys_.push_back(shortened(key, longest_quote));
        }
        top_key_ = key;
        second_key_.clear();
        return true;
    }

    bool record_key(const std::string& key) {
        if (is_one_of(key, {"path", "installed"})) {
            return found(Shape::install);
        }
        return key != "in_buildcache" || found(Shape::index);
    }

    bool is_in_records() const { return top_key_ == "database" && second_key_ == "installs"; }

    bool enter(bool is_list) override {
        brackets_ += is_list ? '[' : '{';
        is_empty_list_ = is_list && brackets_.size() == 2 && top_key_ != "database";
        return true;
    }

    bool leave() override {
        brackets_.pop_back();
        num_empty_lists_ += is_empty_list_ && brackets_.size() == 1 ? 1 : 0;
        return value();
    }

    bool value() override {
        is_empty_list_ = false;
        is_read = brackets_.empty();
        return true;
    }

    std::string brackets_;              // that are open
    std::string top_key_, second_key_;  // the keys at depth 1 and 2 whose values come
    bool is_empty_list_ = false;        // a value at depth 1 is a list, nothing was in it until now
    bool has_records_ = false;
    std::vector<std::string> keys_;  // at depth 1, the first of them
    std::size_t num_keys_ = 0;
    std::size_t num_empty_lists_ = 0;
};

// "[+]", "[e]", "[bl  ]": Spack prints whether a spec is installed before it, or how it is needed.
// None is JSON.
bool begins_with_mark(std::string_view text) {
    constexpr std::string_view characters = "+^-beltr";
    constexpr std::string_view characters_of_installer = " x/|\\";
    const std::size_t close = text.substr(0, longest_mark).find(']');
    if (!text.starts_with('[') || close == std::string_view::npos) {
        return false;
    }
    const std::string_view inner = text.substr(1, close - 1);
    if (inner.find_first_not_of(characters_of_installer) == std::string_view::npos) {
        // The installer of Spack 1.2 writes one blank and a hash, which may begin with a digit.
        const std::string_view spec = text.substr(close + 1);
        const std::size_t begin = spec.find_first_not_of(' ');
        return begin != std::string_view::npos && begin >= 1 &&
               std::isalnum(static_cast<unsigned char>(spec[begin])) != 0;
    }
    return inner.find_first_not_of(std::string(characters) + ' ') == std::string_view::npos;
}

// "[me@login1 ~]$ spack find": a prompt of a shell.
bool begins_with_prompt(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t close = line.find(']');
    const bool is_name = line.starts_with('[') && line.size() > 1 &&
                         std::isalpha(static_cast<unsigned char>(line[1])) != 0;
    constexpr std::string_view ends = "$#%>";
    return is_name && close != std::string_view::npos && close + 1 < line.size() &&
           ends.find(line[close + 1]) != std::string_view::npos;
}

// Of a text that is no JSON. The first line of a table tells that; a page begins with another.
std::optional<Shape> shape_of_text(std::string_view text, bool is_whole) {
    constexpr std::string_view of_header = "abcdefghijklmnopqrstuvwxyz_,;\t \"";
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (end == std::string_view::npos && !is_whole && line.size() <= longest_header_of_times &&
        line.find_first_not_of(of_header) == std::string_view::npos) {
        return std::nullopt;
    }
    return is_header_of_times(line) ? Shape::build_times : Shape::page;
}

// The same as read_shape(), of all that can be told. `head`: what was read for it.
Shape find_shape(Bytes& bytes, std::string& head) {
    PlainBytes plain(bytes);
    for (std::size_t size = first_head;; size *= 4) {
        std::size_t done = head.size();
        head.resize(size);
        std::size_t count = 1;
        while (done < size && count > 0) {
            count = plain.read(head.data() + done, size - done);
            done += count;
        }
        head.resize(done);
        if (plain.are_compressed() && (head.empty() || is_gzip(head))) {
            refuse_shape(head.empty() ? "gzip data of nothing" : "gzip data in gzip data");
        }
        if (const auto shape = shape_of(head, count == 0)) {
            return *shape;
        }
        if (size >= longest_head) {
            refuse_shape(
                fmt::format("JSON whose first {} MiB do not tell what it is", longest_head >> 20U));
        }
    }
}

struct OtherText {
    std::string_view begin;  ///< in small letters
    std::string_view what;
};

// The first that fits counts.
constexpr std::array other_texts = {
    OtherText{"<!doctype html", "an HTML page, as a server sends for an error or a login"},
    OtherText{"<html", "an HTML page, as a server sends for an error or a login"},
    OtherText{"<?xml", "XML, as a storage bucket sends for an error"},
    OtherText{"<error>", "XML, as a storage bucket sends for an error"},
    OtherText{"version https://git-lfs", "a pointer of Git LFS; 'git lfs pull' fetches the file"},
    OtherText{"<<<<<<<", "an unresolved merge conflict"},
    OtherText{"spack:",
              "YAML: an environment (spack.yaml); 'cacheledger coverage FILE' asks for its specs, "
              "and 'spack concretize' makes its spack.lock"},
    OtherText{"---", "YAML"},
};

constexpr std::string_view conflict_mark = "<<<<<<< ";
constexpr std::size_t block = std::size_t{64} << 10U;

}  // namespace

std::string_view name_of(Shape shape) {
    constexpr std::array<std::string_view, 9> names = {"a page",
                                                       "a build-cache index",
                                                       "an install database",
                                                       "a lock file",
                                                       "an index manifest",
                                                       "an OCI layout",
                                                       "a manifest of indexes",
                                                       "specs as JSON",
                                                       "build times"};
    return names[static_cast<std::size_t>(shape)];
}

std::optional<Shape> shape_of(std::string_view head, bool is_whole) {
    const std::string_view text = json::after_blanks(head);
    if (text.empty() || signature_start.starts_with(text)) {
        return is_whole ? std::optional(Shape::page) : std::nullopt;
    }
    if (text.starts_with(signature_start)) {
        return Shape::index_manifest;
    }
    if (text[0] != '{' && text[0] != '[') {
        return shape_of_text(text, is_whole);
    }
    if (begins_with_mark(text) || begins_with_prompt(text)) {
        return Shape::page;
    }
    if (!is_whole && text[0] == '[' && text.size() <= longest_mark + blanks_behind_mark) {
        return std::nullopt;
    }
    ShapeFinder finder;
    const std::size_t broken_at = finder.run(text, true);
    if (finder.shape) {
        return finder.shape;
    }
    if (finder.is_read) {
        return finder.at_end(text[0] == '[');
    }
    if (broken_at >= text.size() && !is_whole) {
        return std::nullopt;
    }
    throw Problem(fmt::format("broken JSON at byte {}{}", broken_at + (head.size() - text.size()),
                              broken_at > text.size() ? ": it is cut off" : ""));
}

Shape read_shape(Bytes& bytes, JsonOfSpecs specs) {
    std::string head;
    const Shape shape = find_shape(bytes, head);
    if (shape == Shape::specs && specs == JsonOfSpecs::refused) {
        refuse_shape(json::after_blanks(head).starts_with('[') ? "a JSON list of specs"
                                                               : "the spec file of one binary");
    }
    if (shape == Shape::build_times) {
        refuse_shape("build times, which 'cacheledger ingest FILE' loads alone");
    }
    return shape;
}

bool are_build_times(Bytes& bytes) {
    try {
        std::string head;
        return find_shape(bytes, head) == Shape::build_times;
    } catch (const Problem&) {
        return false;
    }
}

std::string what_instead_of_json(std::string_view head) {
    const std::string_view text = json::after_blanks(head);
    const auto begins_with = [&](const OtherText& other) {
        return text.size() >= other.begin.size() &&
               std::ranges::equal(text.substr(0, other.begin.size()), other.begin, {}, [](char c) {
                   return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
               });
    };
    const auto* const known = std::ranges::find_if(other_texts, begins_with);
    return known != other_texts.end()
               ? std::string(known->what)
               : fmt::format("a text that begins with '{}'",
                             shortened(text.substr(0, text.find_first_of("\r\n")), longest_quote));
}

std::optional<int> line_of_conflict(Bytes& bytes) {
    PlainBytes plain(bytes);
    std::string part(block, '\0');
    int line = 1;
    std::size_t matched = 0;  // characters of the mark at the beginning of the line
    bool may_match = true;
    while (const std::size_t count = plain.read(part.data(), part.size())) {
        for (const char c : std::string_view(part).substr(0, count)) {
            if (c == '\n') {
                ++line;
                matched = 0;
                may_match = true;
            } else if (may_match) {
                may_match = c == conflict_mark[matched];
                if (may_match && ++matched == conflict_mark.size()) {
                    return line;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace cacheledger
