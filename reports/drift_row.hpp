#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cacheledger {

/// Which of two snapshots has a spec that the other lacks: the one before ("removed"), or the one
/// after ("added").
enum class Side : std::uint8_t { before, after };

constexpr Side other(Side side) {
    return side == Side::before ? Side::after : Side::before;
}

/// In the order in which they are asked; design: kinds of change.
enum class Cause : std::uint8_t { package, version, target, compiler, variants, rebuilt, copies };

/// What reports call them, in the same order.
inline constexpr std::array<std::string_view, 7> cause_words = {
    "package", "version", "target", "compiler", "variants", "rebuilt", "copies"};

/// A row of the view spec_drift (schema/views/spec_drift.sql says what each column means).
/// 0 stands for NULL.
struct DriftRow {
    Side side = Side::before;
    Cause cause = Cause::package;
    std::int64_t package_id = 0;
    std::int64_t look_id = 0;
    std::int64_t spec_id = 0;
    std::int64_t stack_set_id = 0;
    std::int64_t group_look_id = 0;
    std::int64_t group_compiler_id = 0;
};

/// 'removed' or 'added', as the view says it.
std::string_view change_word(Side side);
std::string_view cause_word(Cause cause);

}  // namespace cacheledger
