#pragma once

/// Where the tests find the program, what was built beside it, and their data. CMake writes the
/// values.
namespace paths {

extern const char* const program;
extern const char* const faults;  ///< the library that has the program's writes fail
extern const char* const build;
extern const char* const cmake;
extern const char* const source;
extern const char* const data;
extern const char* const corpus;  ///< of the fuzz targets
extern const char* const node;    ///< empty where the pages of a site can't be bundled
extern const char* const site_modules;

}  // namespace paths
