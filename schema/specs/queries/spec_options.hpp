#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// By which rules a text is read.
enum class SpecSyntax : unsigned char {
    spack_1,
    /// Options behind a plain compiler belong to the spec before it, and the value of a variant
    /// ends before '%' and '^'.
    before_1_0,
};

/// Reads what can stand behind the name of a spec: "@1.14", "+mpi", "api=default", "cflags='-O2'",
/// "target=x86_64_v3", "/abc1234". All functions throw SpecError.
class SpecOptions {
  public:
    SpecOptions(SpecScanner& scanner, SpecSyntax syntax) : scanner_(scanner), syntax_(syntax) {}

    /// Reads all options that follow. Stops in front of anything else.
    void read(SpecQuery& spec);

    /// Reads a version if one follows.
    void read_version(SpecQuery& spec);

    /// Whether "key=value" begins here.
    bool sees_key_and_value() const;

  private:
    void read_boolean(SpecQuery& spec);
    void read_key_and_value(SpecQuery& spec);
    void read_hash(SpecQuery& spec);
    bool set_attribute(SpecQuery& spec, std::string_view key, const std::string& value,
                       std::size_t at);
    void set_arch(SpecQuery& spec, const std::string& value, std::size_t at);
    void set_target(SpecQuery& spec, const std::string& value, std::size_t at);
    void set_word(std::optional<std::string>& word, std::string_view key, const std::string& value,
                  std::size_t at);
    void require_word(bool is_second, std::string_view key, const std::string& value,
                      std::size_t at) const;
    [[noreturn]] void refuse_propagated(std::string_view key, std::size_t at) const;
    static void add_flags(SpecQuery& spec, std::string_view name, const std::string& value,
                          bool is_propagated);
    void add_variant(SpecQuery& spec, VariantQuery variant, const std::string& value,
                     std::size_t at);

    SpecScanner& scanner_;
    SpecSyntax syntax_;
};

}  // namespace cacheledger
