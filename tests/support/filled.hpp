#pragma once

/// A fixture that a function of the test has filled: `const Filled<Workbench, ingest_two> bench;`.
template <typename Fixture, auto fill>
struct Filled : Fixture {
    Filled() { fill(*this); }
};
