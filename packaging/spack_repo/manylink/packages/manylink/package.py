# In a clone, with Spack 1.0 or later:
#   spack repo add packaging/spack_repo/manylink
#   spack dev-build manylink@0.1.0
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Manylink(CMakePackage):
    """Integrates thousands to millions of runs of a mechanical system side by side."""

    license("BSD-3-Clause")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5+hl~mpi")
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("xxhash")
    depends_on("zlib-api")
    depends_on("gnuplot", type="run")

    def cmake_args(self):
        # The compiler of the build is Spack's wrapper, which no user has.
        return [self.define("BUILD_TESTING", False), self.define("ML_KERNEL_CC", "cc")]
