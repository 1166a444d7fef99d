#pragma once

#include <boost/program_options.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reports/engine/catalog/known_names.hpp"

namespace cacheledger {

namespace po = boost::program_options;

/// What a word or the value of an option can be, beside a name of the ledger (NameKind) and a fixed
/// list (Choices). src/shell/completion/values.cpp offers it.
enum class Offer : std::uint8_t {
    nothing,  ///< it is new, a number, or a text of the user's own
    files,
    folders,
    snapshots,         ///< or files that `ingest` reads
    loaded_snapshots,  ///< no files
    wanted,            ///< what somebody wants a cache to have
    kept,              ///< what prune keeps
    specs,
    tags,
    targets,
    systems,
    platforms,
    compilers,
    variants,
    reports,
    views,
    topics
};

/// The only values that an option can have. The command checks it.
struct Choices {
    std::vector<std::string> names;
    bool is_list = false;  ///< a value is some of them, separated by commas
};

using Values = std::variant<Offer, NameKind, Choices>;

/// A part of an option's value semantic.
struct OfferedValues {
    explicit OfferedValues(Values all) : values(std::move(all)) {}
    OfferedValues(const OfferedValues&) = delete;
    OfferedValues& operator=(const OfferedValues&) = delete;
    virtual ~OfferedValues() = default;

    Values values;
};

/// The value of an option that is given once, for po::options_description, which takes the
/// ownership. `name`: what stands for the value in the help.
po::typed_value<std::string>* once(const char* name, Values values = Offer::nothing);

/// The same of an option that can be given several times.
po::typed_value<std::vector<std::string>>* repeated(const char* name,
                                                    Values values = Offer::nothing);

/// The names as a vector of texts.
template <typename Names>
std::vector<std::string> texts_of(const Names& names) {
    return {names.begin(), names.end()};
}

/// A number of words that means no limit.
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// What a command says of itself. Its arguments are parsed by this, and its help, its part of the
/// man page and its completions are made from it.
struct CommandHelp {
    /// The forms of the command, one in each line, an empty line, and the text. The help folds
    /// paragraphs to the width of the screen; lines that begin with a blank stay as they are.
    std::string usage;
    po::options_description options{"options"};
    std::size_t words = 0;  ///< the largest number of words that are no options
    /// Options that stand after the others, under their own caption.
    po::options_description general{"general options"};
    /// Options that had an effect once. They are taken, but neither shown nor offered; the text of
    /// one is the note that says so.
    po::options_description former{"former options"};
};

}  // namespace cacheledger
