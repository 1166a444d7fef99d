#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

/// What people wrote in words in the source tree: comments and documents. Files are named by their
/// paths below its top.
namespace passages {

/// The files and folders of the repository, without what is built.
const std::set<std::string>& tree();

/// The last part of a path.
std::string name_of(const std::string& path);

/// Whether the file is written for readers: Markdown, or README.txt.
bool is_document(const std::string& file);

/// A comment, or a paragraph of a document, in one line.
struct Passage {
    std::string file;
    std::size_t line = 0;  ///< its first
    std::string text;
    bool is_example = false;  ///< in a fenced block, of which each line is a passage
};

/// The comments of a source, or the paragraphs of a document; none of any other file. Comments that
/// follow each other, on lines of their own, are one. None, either, of what programs or upstream
/// wrote (tests/data, tests/expected), and of the changelog, which tells of what was.
std::vector<Passage> passages_of(const std::string& file);

/// The headings of a Markdown document.
std::vector<std::string> headings(const std::filesystem::path& document);

}  // namespace passages
