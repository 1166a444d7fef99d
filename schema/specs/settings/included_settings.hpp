#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/settings/yaml_tree.hpp"

namespace cacheledger {

/// Whether this is a section of a spack.yaml, of any version of Spack.
bool is_section(std::string_view key);

/// The settings of an environment with those that it includes.
struct IncludedSettings {
    /// The sections `definitions`, `packages` and `toolchains`. What is included stands on the line
    /// that includes it.
    YamlValue sections;
    /// What it includes and was not read, each with the reason: "ci (there is no such file)". What
    /// surely changes nothing that is wanted is not among them.
    std::vector<std::string> not_read;
};

/// Reads what `include` names, as Spack does: files and folders of this machine, each once, with
/// what these include. `spack`: what the file has. `file`: the path of it; nullopt where that is
/// not known, and then nothing is read. Throws InputError where a file can't be read as YAML, has
/// no settings, or there are too many.
IncludedSettings read_included(const YamlValue& spack,
                               const std::optional<std::filesystem::path>& file,
                               YamlReading& reading);

}  // namespace cacheledger
