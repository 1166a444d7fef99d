#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/environments/wish_list.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// One spec of a list.
struct WantedSpec {
    std::size_t line = 0;   ///< from 1 on
    std::string text;       ///< as the list has it, with its hash, without marks and paths
    SpecQuery query;        ///< all that the list says of it
    bool is_named = false;  ///< the list shows its hash beside it, which names it
    bool is_wish = false;   ///< of a spack.yaml
    SharedConditions conditions = {};                                  ///< likewise
    std::shared_ptr<const DependencyConditions> of_dependencies = {};  ///< likewise

    /// What a build must be: the one with its hash where it is named. How another version of Spack
    /// spells its options does not matter then.
    SpecQuery asked() const;
};

struct SpecList {
    std::vector<WantedSpec> specs;  ///< each once, in their order
    std::int64_t external = 0;      ///< specs that are left out because they are external: "[e]"
    /// What leaves out some of what is wanted: lines that can't be read, or what a spack.yaml has
    /// and can't be judged here. Nobody can tell whether it is there.
    std::vector<WishFinding> left_out = {};
    /// What was not read and may ask for anything, in a sentence: lines of a list, or what a
    /// spack.yaml includes (schema/specs/environments/wish_list.hpp). No gate passes then.
    std::string not_read = {};

    /// "1 entry can't be read or judged, and counts as not there."; empty if none is left out.
    std::string words_of_left_out() const;
};

/// Reads a list of specs, one in each line. Text from '#' on is a comment. What Spack prints is
/// such a list, too (docs/formats.md, "Lists of specs"):
///
/// - The trees of `spack concretize`, `spack spec` and `spack find -d`: "^zlib@1.3" is a spec that
///   is wanted like its root, not a condition. What stands below "Input spec" is left out.
/// - The columns of `spack find`, below a header "-- linux-ubuntu22.04-x86_64 / gcc@11.4.0 ---",
///   whose system and compiler the specs below it have, or without one; and the root specs of an
///   environment. Two blanks or more separate several in a line.
/// - A mark ("[+]", "[e]", " - ") and a hash may stand before a spec, the path of an installation
///   behind it. The hash may be all there is of it.
/// - The lines of an installer, which say how far it is with a spec.
/// - The items of a YAML list, plain or in quotes.
///
/// Lines that somebody typed in a shell, and messages, are left out.
///
/// The versions and the values of the variants of what is printed of concrete specs are meant
/// exactly: hdf5@1.14 is not 1.14.3.
///
/// `name` says in errors what the text is. Throws InputError with a line for each problem,
/// "NAME:3: column 8: expected a version, found '@1': 'hdf5@@1'", unless more specs can be read
/// than can't; or where there is no spec.
SpecList read_spec_list(std::string_view text, const std::string& name);

/// The text behind the lines at its beginning that a list leaves out: those that are empty, that
/// somebody typed in a shell, and messages. JSON that Spack prints may stand there.
std::string_view behind_messages(std::string_view text);

}  // namespace cacheledger
