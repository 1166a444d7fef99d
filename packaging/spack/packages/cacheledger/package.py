# SPDX-License-Identifier: MIT
# Builds what is committed on the branch main of the clone in which this file stands:
#   spack repo add packaging/spack && spack install cacheledger

import os

from spack.package import *

try:  # Spack 1.0 and later keep the base classes of packages beside the packages.
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Cacheledger(CMakePackage):
    """A ledger of a Spack binary build cache: what it covers, what is missing, what changed
    between two moments, and why."""

    git = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("MIT")

    version("main", branch="main")

    variant("postgresql", default=True, description="Publish ledgers to PostgreSQL")
    variant("site", default=True, description="Web pages of a ledger; npm downloads their parts")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("node-js@18:", type="build", when="+site")
    depends_on("npm", type="build", when="+site")

    depends_on("sqlite@3.39: +column_metadata")
    depends_on("sqlitecpp@3.2:")
    depends_on("yaml-cpp@0.7:")
    depends_on("nlohmann-json@3.10:")
    depends_on("simdjson@2: +exceptions")
    depends_on("fmt@9:")
    depends_on("boost@1.74: +program_options")
    depends_on("zlib-api")
    depends_on("libdeflate@1.6:")
    depends_on("openssl@3:")
    depends_on("libgit2@1.1:")
    depends_on("curl@7.85:")
    depends_on("utf8proc@2.6:")
    depends_on("postgresql@13: +client_only", when="+postgresql")

    depends_on("catch2@2.13:", type="test")

    conflicts("%gcc@:10", msg="C++20 is needed")
    conflicts("%clang@:13", msg="C++20 is needed")
    conflicts("platform=windows")

    def cmake_args(self):
        return [
            self.define("CACHELEDGER_TESTS", self.run_tests),
            self.define_from_variant("CACHELEDGER_POSTGRESQL", "postgresql"),
            self.define_from_variant("CACHELEDGER_SITE", "site"),
            # As the preset "release", which is built before each change lands.
            self.define("CMAKE_UNITY_BUILD", True),
            self.define("CMAKE_UNITY_BUILD_BATCH_SIZE", "16"),
        ]
