#include "schema/specs/queries/spec_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "schema/specs/queries/spec_query.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/deptypes.hpp"
#include "schema/specs/spelling/package_name.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view of_name = "-";  // beside letters, digits and '_'
constexpr std::string_view of_dotted_name = "-.";

bool is_file(std::string_view rest) {
    const auto* const end = std::ranges::find_if(rest, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) == 0 &&
               std::string_view("-_./").find(c) == std::string_view::npos;
    });
    const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    return (word.ends_with(".json") || word.ends_with(".yaml")) &&
           (word.starts_with('.') || word.find('/') != std::string_view::npos);
}

/// Reads the specs of a text, one after the other.
class Parser {
  public:
    Parser(std::string_view text, SpecSyntax syntax)
        : scanner_(text), options_(scanner_, syntax), syntax_(syntax) {}

    bool is_at_end() {
        scanner_.skip_blanks();
        return scanner_.is_at_end();
    }

    SpecQuery next() {
        scanner_.skip_blanks();
        const std::size_t begin = scanner_.at();
        SpecQuery root;
        read_name(root);
        options_.read(root);
        SpecQuery repeated;  // of a '^' that is joined to an earlier one, Spack drops the '%'
        SpecQuery* current = &root;  // what '%' belongs to: the '^' before it, else the root
        while (!is_at_end() && scanner_.sees_any("%^")) {
            const std::size_t at = scanner_.at();
            const bool is_direct = scanner_.sees("%");
            SpecQuery& parent = is_direct ? *current : root;
            DependencyQuery dependency = read_dependency(parent);
            try {
                DependencyQuery* const added = add_dependency(parent, std::move(dependency));
                if (!is_direct) {
                    current = added == nullptr ? &repeated : &added->spec;
                }
            } catch (const SpecError&) {
                throw;
            } catch (const std::invalid_argument& error) {
                scanner_.fail_at(at, error.what());
            }
        }
        if (scanner_.at() == begin) {
            scanner_.fail("a spec like hdf5@1.14+mpi");
        }
        return root;
    }

    [[noreturn]] void fail(std::string_view expected) const { scanner_.fail(expected); }

  private:
    // A name is there unless the word is the key of "key=value".
    void read_name(SpecQuery& spec) {
        scanner_.skip_blanks();
        if (is_file(scanner_.rest())) {
            scanner_.fail_at(scanner_.at(), "expected a spec, found the name of a file");
        }
        if (scanner_.take_if("*")) {
            return;
        }
        if (options_.sees_key_and_value()) {
            return;
        }
        const std::string_view name = take_dotted_name();
        set_name(spec, name);
    }

    // "hdf5" or "builtin.hdf5"; empty if there is none.
    std::string_view take_dotted_name() {
        std::size_t length = scanner_.word_length(of_name);
        while (length > 0 && scanner_.rest().substr(length, 1) == ".") {
            const std::size_t more = scanner_.word_length(of_name, length + 1);
            if (more == 0) {
                break;
            }
            length += 1 + more;
        }
        return scanner_.take(length);
    }

    static void set_name(SpecQuery& spec, std::string_view name) {
        const std::size_t dot = name.rfind('.');
        if (dot != std::string_view::npos) {
            spec.name_space = canonical_name_space(name.substr(0, dot));
            name.remove_prefix(dot + 1);
        }
        if (!name.empty()) {
            spec.package = name;
        }
    }

    // "%gcc@13" or "^zlib". Before Spack 1.0, options behind a plain compiler go to `parent`.
    DependencyQuery read_dependency(SpecQuery& parent) {
        DependencyQuery dependency;
        dependency.is_direct = scanner_.sees("%");
        dependency.is_propagated = scanner_.take_if("%%");
        if (!dependency.is_propagated) {
            scanner_.take(1);
        }
        const bool has_properties = scanner_.take_if("[");
        if (has_properties) {
            read_properties(dependency);
        }
        scanner_.skip_blanks();
        const std::size_t begin = scanner_.at();
        const bool is_assignment = read_assignment(dependency);
        if (!is_assignment) {
            read_name(dependency.spec);
        }
        SpecQuery& spec = dependency.spec;
        if (dependency.is_direct && spec.package) {
            spec.package =
                parse_compiler(*spec.package).value_or(Compiler{*spec.package, {}, {}}).name;
        }
        const bool is_plain = syntax_ == SpecSyntax::before_1_0 && dependency.is_direct &&
                              !dependency.is_propagated && !has_properties && !is_assignment;
        if (is_plain && spec.package && is_known_compiler(*spec.package)) {
            options_.read_version(spec);
            options_.read(parent);
        } else {
            options_.read(spec);
        }
        if (scanner_.at() == begin && scanner_.is_at_end() && dependency.is_direct &&
            !has_properties) {
            scanner_.fail("a package behind '%'");
        }
        return dependency;
    }

    // "c,cxx=gcc": the virtuals, and the package that provides them.
    bool read_assignment(DependencyQuery& dependency) {
        std::size_t length = scanner_.word_length(of_name);
        while (length > 0 && scanner_.rest().substr(length, 1) == ",") {
            const std::size_t more = scanner_.word_length(of_name, length + 1);
            length = more == 0 ? 0 : length + 1 + more;
        }
        if (length == 0 || scanner_.rest().substr(length, 1) != "=" ||
            scanner_.word_length(of_name, length + 1) == 0) {
            return false;
        }
        add_list(dependency.virtuals, scanner_.take(length));
        scanner_.take(1);
        set_name(dependency.spec, take_dotted_name());
        return true;
    }

    // "virtuals=c,cxx deptypes=build]"
    void read_properties(DependencyQuery& dependency) {
        for (scanner_.skip_blanks(); !scanner_.take_if("]"); scanner_.skip_blanks()) {
            const std::size_t begin = scanner_.at();
            const std::string_view key = scanner_.take_word(of_dotted_name);
            if (key.empty() || !scanner_.take_if("=")) {
                scanner_.fail("virtuals=..., deptypes=... or ']'");
            }
            const std::string value = scanner_.take_value();
            if (key == "virtuals") {
                add_list(dependency.virtuals, value);
            } else if (key == "deptypes") {
                add_list(dependency.deptypes, value);
                require_deptypes(dependency, begin);
            } else {
                scanner_.fail_at(begin, fmt::format("expected virtuals=... or deptypes=..., found "
                                                    "'{}=', which the ledger can't answer",
                                                    key));
            }
        }
    }

    // Adds the words of a list like "c,cxx".
    void add_list(std::vector<std::string>& list, std::string_view text) const {
        for (SpecScanner words(text); !words.is_at_end(); words.take(1)) {
            const std::string_view word = words.take_word(of_name);
            if (word.empty() || !(words.is_at_end() || words.sees(","))) {
                scanner_.fail_at(scanner_.at() - text.size(),
                                 fmt::format("expected a list like c,cxx, found '{}'", text));
            }
            list.emplace_back(word);
        }
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }

    void require_deptypes(const DependencyQuery& dependency, std::size_t at) const {
        for (const std::string& type : dependency.deptypes) {
            if (find_deptype(type) == nullptr) {
                scanner_.fail_at(
                    at, fmt::format("expected deptypes of build, link, run and test, found '{}'",
                                    type));
            }
        }
    }

    SpecScanner scanner_;
    SpecOptions options_;
    SpecSyntax syntax_;
};

// Whether Spack before 1.0 printed this: the compiler directly behind the version of the spec, and
// its hash, or behind the variants arch=PLATFORM-OS-TARGET.
bool is_printed_before_1_0(std::string_view text) {
    const std::size_t percent = text.find_first_of("% ^");
    const std::size_t arch = text.find(" arch=");
    if (percent == std::string_view::npos || text[percent] != '%' || text.find('@') > percent) {
        return false;
    }
    const std::string_view compiler = first_word(text.substr(percent));
    const std::size_t slash = compiler.find_first_of("/+~=");
    if (slash != std::string_view::npos && compiler[slash] == '/' && compiler.find('@') < slash) {
        return true;
    }
    if (arch == std::string_view::npos) {
        return false;
    }
    const std::string_view value = text.substr(arch, text.find(' ', arch + 1) - arch);
    return std::ranges::count(value, '-') == 2;
}

}  // namespace

SpecQuery parse_spec(std::string_view text, SpecSyntax syntax) {
    Parser parser(text, is_printed_before_1_0(text) ? SpecSyntax::before_1_0 : syntax);
    SpecQuery spec = parser.next();
    if (!parser.is_at_end()) {
        parser.fail("an option like +mpi, or the end of the spec");
    }
    return spec;
}

void require_known_targets(const SpecQuery& query, std::string_view text) {
    if (const auto end = query.target ? query.target->unknown_end() : std::nullopt) {
        const std::size_t at = text.find("target=" + query.target->text());
        throw SpecError(
            text, at == std::string_view::npos ? 0 : at,
            fmt::format(
                "expected a target that is known as the end of a range, like x86_64_v3, found '{}'",
                *end));
    }
    for (const DependencyQuery& dependency : query.dependencies) {
        require_known_targets(dependency.spec, text);
    }
}

std::optional<SpecQuery> parse_as_before_1_0(std::string_view text) {
    try {
        SpecQuery spec = parse_spec(text, SpecSyntax::before_1_0);
        return spec == parse_spec(text) ? std::nullopt : std::optional(std::move(spec));
    } catch (const SpecError&) {
        return std::nullopt;
    }
}

}  // namespace cacheledger
