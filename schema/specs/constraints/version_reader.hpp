#pragma once

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/constraints/version_set.hpp"

namespace cacheledger {

/// Takes a constraint on versions, which begins with '@': "@1.12:1.14,=2.0", "@git.main=1.2".
/// Throws SpecError.
VersionSet take_versions(SpecScanner& scanner);

}  // namespace cacheledger
