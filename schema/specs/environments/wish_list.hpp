#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/environments/wish.hpp"

namespace cacheledger {

/// Something in a spack.yaml that is not understood, or can't be judged here. What it is about is
/// left out, and nothing is guessed.
struct WishFinding {
    std::size_t line = 0;  ///< from 1 on
    std::string detail;    ///< "definitions: 'when' depends on the machine: its specs are left out"
    /// A spec that is wanted is left out, or what is required of one, so that no list of wishes is
    /// met in full. An unknown key leaves nothing out.
    bool leaves_out = false;
};

/// What a spack.yaml wants.
struct WishList {
    std::vector<Wish> wishes;           ///< each once in its group, in the order of the file
    std::vector<WishFinding> findings;  ///< in the order of the file
    /// Sentences for people about what is not judged: what is required of compilers.
    std::vector<std::string> notes;
    /// "What it includes is not read: ci (there is no such file)."; empty where all is read. It may
    /// require more, or define more, so that nobody can tell what meets a wish.
    std::string not_read;
};

/// How a spack.yaml is read.
struct WishListReading {
    /// Of the file, beside which are those that it includes
    /// (schema/specs/settings/included_settings.hpp). Nothing is read where it is not known.
    std::optional<std::filesystem::path> path = {};
    bool with_dependencies = false;  ///< with what is required of dependencies
};

/// Whether the text is a spack.yaml: a line of it begins with the key `spack`, or the first with
/// `env`, as old versions of Spack have it.
bool is_environment(std::string_view text);

/// Reads a spack.yaml as Spack does: `specs` with strings, `$name` of `definitions`, `matrix` and
/// `exclude`, groups with `override`; `packages` with `require` and `prefer`. `name` says in errors
/// what the text is. Throws InputError where it is no YAML, or has no specs section that can be
/// read: "NAME:3: expected ...".
WishList read_wish_list(std::string_view text, const std::string& name,
                        const WishListReading& how = {});

}  // namespace cacheledger
