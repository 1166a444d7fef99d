# SPDX-License-Identifier: MIT
# Spack's own repository has no package of SQLiteCpp.

from spack.package import *

try:  # Spack 1.0 and later keep the base classes of packages beside the packages.
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Sqlitecpp(CMakePackage):
    """A C++ wrapper of SQLite."""

    homepage = "https://github.com/SRombauts/SQLiteCpp"
    url = "https://github.com/SRombauts/SQLiteCpp/archive/3.2.0.tar.gz"

    license("MIT")

    version("3.2.0", sha256="57f91ed44ef205fe97b8c6586002fe6031cd02771d1c5d8415d9c515ad1532d1")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.5:", type="build")
    depends_on("sqlite@3.37: +column_metadata")

    def cmake_args(self):
        return [
            self.define("SQLITECPP_INTERNAL_SQLITE", False),
            self.define("SQLITECPP_RUN_CPPLINT", False),
            self.define("SQLITECPP_RUN_CPPCHECK", False),
            self.define("SQLITECPP_BUILD_TESTS", False),
            self.define("SQLITECPP_BUILD_EXAMPLES", False),
            self.define("CMAKE_POSITION_INDEPENDENT_CODE", True),
        ]
