"""A made-up index of a build cache: packages that need each other, built in many contexts. Everything follows from the
seed."""

import base64
import hashlib
import itertools
import json
import random
from collections import Counter
from typing import NamedTuple

import cache_model
import cache_words

# What nearly every node needs, with what these need themselves. One of each for an arch and a compiler.
WRAPPER, COMPILER, GLIBC, RUNTIME, GMAKE, NCURSES, CMAKE, PKGCONF, PERL, PYTHON = range(10)
BASE = (("compiler-wrapper", ()), ("gcc", ()), ("glibc", ()), ("gcc-runtime", (COMPILER, GLIBC)),
        ("gmake", (WRAPPER, COMPILER, GLIBC, RUNTIME)), ("ncurses", (WRAPPER, COMPILER, GLIBC, RUNTIME, GMAKE)),
        ("cmake", (WRAPPER, COMPILER, GLIBC, RUNTIME, GMAKE, NCURSES)), ("pkgconf", (WRAPPER, COMPILER, GLIBC, RUNTIME)),
        ("perl", (WRAPPER, COMPILER, GLIBC, RUNTIME, GMAKE)),
        ("python", (WRAPPER, COMPILER, GLIBC, RUNTIME, GMAKE, NCURSES, PKGCONF)))
EXTERNAL = (COMPILER, GLIBC)
# How often a package needs a tool to be built.
TOOLS = ((GMAKE, 0.45), (CMAKE, 0.3), (PYTHON, 0.2), (PKGCONF, 0.15))
LIBRARIES = (0, 0, 1, 1, 1, 2, 2, 3, 3)  # how many other packages it needs; each as often
REVISION = "revision"                    # the variant that a change of variants changes
LAYERS = 12                              # a package needs those of lower layers

FLAGS = '"cflags":[],"cppflags":[],"cxxflags":[],"fflags":[],"ldflags":[],"ldlibs":[]'
DEPTYPES = {WRAPPER: '"build"', COMPILER: '"build"', GLIBC: '"link"', RUNTIME: '"link"', GMAKE: '"build"',
            CMAKE: '"build"', PKGCONF: '"build"', PYTHON: '"build","run"'}
VIRTUALS = {COMPILER: '"c","cxx"', GLIBC: '"libc"'}
# The only target of cache_words.py that is a microarchitecture. Spack writes the others as a name.
FEATURES = {"neoverse_v1": ("aes", "asimd", "asimddp", "asimdfhm", "asimdhp", "asimdrdm", "atomics", "bf16", "cpuid",
                            "crc32", "dcpodp", "dcpop", "dgh", "fcma", "flagm", "fp", "fphp", "i8mm", "ilrcpc",
                            "jscvt", "lrcpc", "pmull", "rng", "sha1", "sha2", "sha3", "sha512", "ssbs", "sve",
                            "svebf16", "svei8mm", "uscat")}


class Context(NamedTuple):
    """In which each package is built once."""
    number: int
    age: int  # the higher, the older
    arch: cache_words.Arch
    compiler_version: str
    stacks: tuple


class Package(NamedTuple):
    name: str
    versions: tuple  # in turn, by context
    variants: tuple  # likewise
    needs: tuple     # numbers of packages
    pace: int = 99   # after so many ages it has another recipe


class Revisions(NamedTuple):
    """How often something of a package changed since the first state, by the number of the package."""
    versions: Counter
    recipes: Counter
    variants: Counter


def revisions(versions=(), recipes=(), variants=()):
    """Each of these packages changed once."""
    return Revisions(Counter(versions), Counter(recipes), Counter(variants))


class Node(NamedTuple):
    hash: str
    text: str
    needs: tuple  # hashes
    external: bool
    stacks: set


def context(number, stacks, kept):
    """Of each stack in turn. Only the first `kept` contexts are in their stack; all else is old and in no stack any more."""
    by_stack = {stack: arch for arch in cache_words.ARCHS for stack in arch.stacks}
    stack, age = stacks[number % len(stacks)], number // len(stacks)
    arch = by_stack[stack]
    compilers = [name for name in arch.compilers if name != "none"]
    version = compilers[age % len(compilers)].partition("@")[2]
    return Context(number, age, arch, version, (stack,) if number < kept else ())


def stack_names(count):
    return sorted(stack for arch in cache_words.ARCHS for stack in arch.stacks)[:count]


class Packages:
    def __init__(self, count, seed):
        self.rng = random.Random(seed)
        self.variant_sets = [parameters(words) for words in cache_words.variant_sets(
            self.rng, max(1, round(count * cache_model.VARIANT_SETS_PER_PACKAGE)))]
        self.all = [Package(name, (self.version(),), ('"build_system":"generic"',), needs) for name, needs in BASE]
        layers = [[] for _ in range(LAYERS)]
        for number in range(len(BASE), count):
            layer = LAYERS * (number - len(BASE)) // max(1, count - len(BASE))
            self.all.append(self.package(number, [one for lower in layers[:layer] for one in lower]))
            layers[layer].append(number)

    def version(self):
        return ".".join(str(self.rng.randint(0, 30)) for _ in range(3))

    def package(self, number, lower):
        tools = [tool for tool, share in TOOLS if self.rng.random() < share]
        libraries = self.rng.sample(lower, min(len(lower), self.rng.choice(LIBRARIES)))
        versions = tuple(self.version() for _ in range(self.rng.choice((1, 1, 1, 2))))
        variants = tuple(self.rng.choice(self.variant_sets) for _ in range(self.rng.choice((1, 1, 2, 3))))
        return Package(cache_model.package_name(number), versions, variants,
                       (WRAPPER, COMPILER, GLIBC, RUNTIME, *tools, *sorted(libraries)), self.rng.choice((1, 1, 2, 4)))

    def above(self):
        """Of each package: the numbers of those that need it, directly or not, itself included."""
        sets = [{number} for number in range(len(self.all))]
        for number in reversed(range(len(self.all))):
            for needed in self.all[number].needs:
                sets[needed] |= sets[number]
        return sets

    def low_package(self, share):
        """One that needs no other library, and that this share of all needs."""
        above = self.above()
        low = [number for number in range(len(BASE), len(self.all)) if max(self.all[number].needs) < len(BASE)]
        return min(low, key=lambda number: abs(len(above[number]) - share * len(self.all)))

    def many(self, changes):
        """So many packages, among them those that all others need."""
        rng = random.Random(changes)
        lowest = [WRAPPER, COMPILER, GLIBC]
        others = range(len(BASE), len(self.all))
        chosen = rng.sample(others, min(len(others), max(0, changes - len(lowest))))
        # Where a package has one version, its next version is one change.
        versions = [number for number in chosen[::2] if len(self.all[number].versions) == 1]
        return revisions(versions, {*lowest, *chosen} - {*versions})


def parameters(words):
    """JSON of the variants that a page prints in these words, by name."""
    values = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            values[word[1:]] = word[0] == "+"
        elif name.endswith(":"):
            digits = 64 if name == "patches:" else 0
            values[name[:-1]] = [one.ljust(digits, "0") for one in value.split(",")]
        else:
            values[name] = value
    return compact(dict(sorted(values.items())))[1:-1]


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def base32(digest):
    return base64.b32encode(digest).decode().lower()


def arch_text(arch):
    target = f'"{arch.target}"'
    if arch.target in FEATURES:
        target = compact({"name": arch.target, "vendor": "ARM", "features": FEATURES[arch.target], "generation": 0,
                          "parents": ["neoverse_n1", "armv8.4a"], "cpupart": "0xd40"})
    return f'{{"platform":"{arch.platform}","platform_os":"{arch.os}","target":{target}}}'


class State:
    """The nodes of a cache by hash, those that others need first. Without `kept`, a stack has what was built for it last,
    and a third of the stacks what was built before."""

    def __init__(self, packages, stacks, changes=revisions(), kept=None):
        self.packages = packages.all
        self.stacks = stacks
        self.changes = changes
        self.kept = 4 * len(stacks) // 3 if kept is None else kept
        self.nodes = {}
        self.hashes = {}  # by package and where it is built
        self.archs = {arch: arch_text(arch) for arch in cache_words.ARCHS}

    def builds(self):
        """Without end: each package in each context, a context after the other."""
        for number in itertools.count():
            one = context(number, self.stacks, self.kept)
            for package in range(len(self.packages)):
                yield package, one

    def add_nodes(self, count):
        """Adds builds until there are so many nodes. Gives the number of builds: equal ones are one node."""
        for builds, (number, where) in enumerate(self.builds()):
            if len(self.nodes) >= count:
                return builds
            self.add(number, where)

    def add_builds(self, count):
        for number, where in itertools.islice(self.builds(), count):
            self.add(number, where)

    def renew(self, count, numbers):
        """Makes those of the first `count` builds again that are of these packages; whoever needs them is among these."""
        for number, where in itertools.islice(self.builds(), count):
            if number in numbers:
                self.add(number, where)
        self.nodes = {node_hash: self.nodes[node_hash] for node_hash in self.hashes.values()}

    @staticmethod
    def place(number, where):
        return number, (where.arch, where.compiler_version) if number < len(BASE) else where.number

    def add(self, number, where):
        needs = [(needed, self.hashes[self.place(needed, where)]) for needed in self.packages[number].needs]
        text = self.text(number, where, needs)
        node_hash = base32(hashlib.sha1(text.encode()).digest())
        self.hashes[self.place(number, where)] = node_hash
        if node_hash not in self.nodes:
            self.nodes[node_hash] = Node(node_hash, f'{text[:-1]},"hash":"{node_hash}"}}',
                                         tuple(one for _, one in needs), number in EXTERNAL, set())
        self.nodes[node_hash].stacks.update(where.stacks)

    def text(self, number, where, needs):
        """Of a node, without its hash, with the keys in the order of Spack."""
        package = self.packages[number]
        version = package.versions[where.number % len(package.versions)]
        if number in (COMPILER, RUNTIME):
            version = where.compiler_version
        if number in self.changes.versions:
            version += f".{self.changes.versions[number]}"
        variants = package.variants[where.number % len(package.variants)]
        if number in self.changes.variants:
            variants += f',"{REVISION}":"{self.changes.variants[number]}"'
        recipe = f"{package.name} {where.age // package.pace} {self.changes.recipes[number]}"
        package_hash = base32(hashlib.sha256(recipe.encode()).digest())
        external = ""
        if number in EXTERNAL:
            external = ',"external":{"path":"/usr","module":null,"extra_attributes":{}}'
        patches = ""
        if '"patches":' in variants:
            patches = ',"patches":' + compact(json.loads(f"{{{variants}}}")["patches"])
        return (f'{{"name":"{package.name}","version":"{version}","arch":{self.archs[where.arch]},'
                f'"namespace":"builtin","parameters":{{{variants},{FLAGS}}}{external}{patches},'
                f'"package_hash":"{package_hash}"{self.edges_text(needs)},'
                '"annotations":{"original_specfile_version":5}}')

    def edges_text(self, needs):
        if not needs:
            return ""
        edges = sorted((self.packages[number].name, number, node_hash) for number, node_hash in needs)
        return ',"dependencies":[' + ",".join(
            f'{{"name":"{name}","hash":"{node_hash}","parameters":{{"deptypes":'
            f'[{DEPTYPES.get(number, LIBRARY_TYPES)}],"virtuals":[{VIRTUALS.get(number, "")}]}}}}'
            for name, number, node_hash in edges) + "]"


LIBRARY_TYPES = '"build","link"'
