#pragma once

// Catch2 2 (Debian 12, Ubuntu 22.04) or 3 (newer): the tests use only what both have.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
