#pragma once

#include "tests/support/program/program.hpp"

namespace program {

/// Makes what the examples of the help name, in the folder of the bench: a ledger with some weeks
/// of develop and of dated tags, with hdf5, kokkos, py-numpy and zlib in the stack e4s; `pages`,
/// `mirror`, `spack.lock`, the repository `cache.spack.io.git`, and `spack-packages.git`, which is
/// in the ledger.
void make_newcomer(const Workbench& bench);

/// The folder of the program, for PATH.
std::string program_folder();

/// Runs the line in a shell in the folder of the bench, where `cacheledger` is the program.
Run type(const Workbench& bench, const std::string& line);

}  // namespace program
