# embed_text(<target> <variable> <header> <root> <file>...)
#
# Compiles the text of the files into <target>, as the array cacheledger::<variable>, which <header> declares. An entry
# is the path of a file below <root> and its text. The build notices when a file changes.
function(embed_text target variable header root)
  set(entries "")
  foreach(file IN LISTS ARGN)
    file(READ ${root}/${file} text)
    string(REGEX REPLACE "\\.(sql|txt)$" "" name ${file})
    # The C++ standard guarantees string literals of only 64 KiB. All files are smaller.
    string(APPEND entries "    EmbeddedText{\"${name}\", R\"embedded(${text})embedded\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/${file})
  endforeach()
  list(LENGTH ARGN count)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${variable}.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"@header@\"

#include <array>

namespace cacheledger {

namespace {
constexpr std::array<EmbeddedText, @count@> texts = {
@entries@};
}  // namespace

const std::span<const EmbeddedText> @variable@ = texts;

}  // namespace cacheledger
")
  target_sources(${target} PRIVATE ${output})
  # Not in the unity build: each of these sources defines `texts`.
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
