#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "reports/render/formats/renderer.hpp"
#include "reports/render/table/text_width.hpp"
#include "tests/support/catch.hpp"

namespace table_property_test {

using namespace cacheledger;

namespace {

using Characters = std::vector<std::string>;

/// The characters of a text in UTF-8.
Characters characters(const std::string& text) {
    Characters all;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) {
            all.emplace_back();
        }
        all.back() += c;
    }
    return all;
}

std::string utf8(char32_t code) {
    return code < 0x800 ? std::string{static_cast<char>(0xc0U | (code >> 6U)),
                                      static_cast<char>(0x80U | (code & 0x3fU))}
                        : std::string{static_cast<char>(0xe0U | (code >> 12U)),
                                      static_cast<char>(0x80U | ((code >> 6U) & 0x3fU)),
                                      static_cast<char>(0x80U | (code & 0x3fU))};
}

/// Texts no two of which have a letter in common, so that a screen shows which text a letter is of.
class Letters {
  public:
    explicit Letters(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t end) { return random_() % end; }

    /// `marks`: with blanks, commas, and what must not reach a terminal.
    std::string text(std::size_t length, bool marks) {
        static const Characters all = {" ", ", ", "/", "-", "\x1b[2J", "\u202e", "\n", "\u200b"};
        std::string made;
        for (std::size_t i = 0; i < length; ++i) {
            made += below(4) == 0 ? utf8(wide_++) : utf8(narrow_++);
            made += marks && below(4) == 0 ? all[below(all.size())] : "";
        }
        return made;
    }

  private:
    std::mt19937 random_;
    char32_t wide_ = 0x4e00;
    char32_t narrow_ = 0x1401;  // Canadian syllabics: one column each
};

/// The letters of `text` on the screen, in order.
std::string letters_of(const std::string& text, const Characters& screen) {
    std::set<std::string> own;
    std::string shown;
    for (const std::string& letter : characters(text)) {
        if (letter.size() == 3) {
            own.insert(letter);
        }
    }
    for (const std::string& letter : screen) {
        shown += own.contains(letter) ? letter : "";
    }
    return shown;
}

std::string own_letters(const std::string& text) {
    return letters_of(text, characters(visible(text)));
}

ResultTable random_table(Letters& letters, bool is_matrix) {
    static const std::vector<std::string> names = {"package", "variants", "hash",    "source",
                                                   "specs",   "detail",   "version", "os"};
    ResultTable table;
    table.is_matrix = is_matrix;
    const std::size_t columns = 1 + letters.below(names.size());
    table.columns.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(columns));
    const std::size_t rows = 1 + letters.below(4);
    for (std::size_t row = 0; row < rows; ++row) {
        auto& cells = table.rows.emplace_back();
        for (const std::string& name : table.columns) {
            const bool is_key = name == "package" || name == "hash" || name == "version";
            if (name == "specs") {
                cells.emplace_back(static_cast<std::int64_t>(letters.below(100000)));
            } else {
                cells.emplace_back(letters.text(1 + letters.below(is_key ? 20 : 80), !is_key));
            }
        }
    }
    if (columns > 1 && letters.below(2) == 0) {  // a column that is alike in all rows
        const std::size_t column = letters.below(columns);
        for (auto& cells : table.rows) {
            cells[column] = table.rows.front()[column];
        }
    }
    return table;
}

void check_screen(const ResultTable& table, std::size_t width) {
    RenderOptions options;
    options.width = width;
    std::ostringstream out;
    render(table, Format::table, options, out);
    const std::string screen = out.str();
    CHECK(visible(screen).size() == screen.size() + static_cast<std::size_t>(std::ranges::count(
                                                        screen, '\n')));  // only line ends act
    const Characters shown = characters(screen);
    for (const auto& row : table.rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string text = to_text(row[column]);
            const std::string& name = table.columns[column];
            if (name == "package" || name == "hash" || name == "version" || name == "specs") {
                CHECK(screen.find(text) != std::string::npos);
            }
            const std::string once = own_letters(text);
            const std::string all = letters_of(text, shown);
            std::string repeated;  // a constant is there once, or once a row
            while (repeated.size() < all.size() && !once.empty()) {
                repeated += once;
            }
            CHECK((name == "specs" || !all.empty()));
            CHECK((all == repeated || name == "specs"));
        }
    }
}

}  // namespace

TEST_CASE("At any width keys are whole, and folded cells joined are the values") {
    for (unsigned seed = 0; seed < 12; ++seed) {
        Letters letters(seed);
        const ResultTable table = random_table(letters, seed % 4 == 3);
        for (std::size_t width = 20; width <= 200; width += 1 + seed % 3) {
            INFO("seed " << seed << ", width " << width);
            check_screen(table, width);
        }
    }
}

}  // namespace table_property_test
