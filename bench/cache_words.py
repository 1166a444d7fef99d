"""The words that the specs of a made-up build cache are made of: archs with their compilers and stacks, variant sets."""

from typing import NamedTuple


class Arch(NamedTuple):
    platform: str
    os: str
    target: str
    compilers: tuple
    stacks: tuple
    weight: int  # of 100 specs


ARCHS = (
    Arch("linux", "ubuntu22.04", "x86_64_v3", ("gcc@11.4.0", "gcc@12.3.0", "none"),
         ("build_systems", "data-vis-sdk", "e4s", "e4s-rocm-external", "gpu-tests", "hep", "radiuss", "tools-sdk",
          "tutorial"), 34),
    Arch("linux", "ubuntu24.04", "x86_64_v3", ("gcc@13.2.0", "none"),
         ("bootstrap-x86_64-linux-gnu", "ml-linux-x86_64-cpu", "ml-linux-x86_64-cuda", "ml-linux-x86_64-rocm"), 24),
    Arch("linux", "ubuntu22.04", "x86_64_v4", ("intel-oneapi-compilers@2024.2.1", "gcc@11.4.0", "none"),
         ("aws-pcluster-x86_64_v4", "e4s-oneapi"), 10),
    Arch("linux", "ubuntu22.04", "neoverse_v1", ("gcc@11.4.0", "gcc@12.3.0", "none"),
         ("aws-pcluster-neoverse_v1", "e4s-neoverse_v1", "e4s-neoverse-v2"), 12),
    Arch("linux", "ubuntu24.04", "aarch64", ("gcc@13.2.0", "none"),
         ("ml-linux-aarch64-cpu", "ml-linux-aarch64-cuda", "radiuss-aws-aarch64"), 12),
    Arch("darwin", "sequoia", "aarch64", ("apple-clang@16.0.0", "none"),
         ("developer-tools-darwin", "ml-darwin-aarch64-mps"), 5),
    Arch("linux", "rhel8", "x86_64_v3", ("gcc@8.5.0", "none"), ("developer-tools-x86_64_v3-linux-gnu",), 3),
)

BUILD_SYSTEMS = ("cmake", "autotools", "python_pip", "makefile", "generic", "meson")
OPTIONS = ("cuda", "debug", "docs", "doc", "examples", "fortran", "hdf5", "int64", "ipo", "java", "libs", "lto", "mpi",
           "openmp", "optimize", "pic", "pthreads", "python", "rocm", "shared", "ssl", "static", "test", "tools", "xml")
CUDA_ARCHS = ("70", "75", "80", "86", "90")


def hex_digits(rng, count):
    return f"{rng.getrandbits(4 * count):0{count}x}"


def variant_set(rng):
    """As a page of Spack 1.0 spells it: booleans, single values (=), multiple values (:=), patches."""
    system = rng.choice(BUILD_SYSTEMS)
    names = rng.sample(OPTIONS, rng.randint(1, 9))
    words = [rng.choice("+~") + name for name in sorted(names)]
    words.append(f"build_system={system}")
    if system == "cmake":
        words += [f"build_type={rng.choice(('Release', 'RelWithDebInfo'))}", "generator=make"]
    if "+cuda" in words:
        words.append("cuda_arch:=" + ",".join(sorted(rng.sample(CUDA_ARCHS, rng.randint(1, 2)))))
    if rng.random() < 0.1:
        words.append("patches:=" + ",".join(sorted(hex_digits(rng, 7) for _ in range(rng.randint(1, 2)))))
    return tuple(sorted(words, key=lambda word: word.lstrip("+~")))


def variant_sets(rng, count):
    """`count` distinct ones; the first few have a build system only, as most Python packages do."""
    found = dict.fromkeys((f"build_system={system}",) for system in BUILD_SYSTEMS[:count])
    while len(found) < count:
        found[variant_set(rng)] = None
    return list(found)


def stack_sets(rng, arch, count):
    """Up to `count` distinct ones of an arch, the most common first: single stacks, then ever larger sets."""
    found = dict.fromkeys((stack, "root") for stack in arch.stacks)
    for _ in range(20 * count):
        if len(found) >= count:
            break
        stacks = rng.sample(arch.stacks, rng.randint(1, len(arch.stacks)))
        found[tuple(sorted(stacks + ["root"]))] = None
    return [tuple(sorted(stacks)) for stacks in found][:count]
