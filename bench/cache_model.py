"""A made-up build cache of one tag, and how it changes from state to state. Everything follows from the seed."""

import base64
import bisect
import itertools
import json
import random
from collections import Counter
from typing import NamedTuple

import cache_words

TAG = "develop"
VARIANT_SETS_PER_PACKAGE = 1.6  # the public cache has about 2,200 distinct variant sets for 1,371 packages
STACK_SETS_PER_ARCH = 460       # the public cache has 500 distinct stack sets
LARGEST_PAGE = 1500

# What happens to 100 specs that change. All changes but the last give the spec a new hash.
CHANGES = (("rebuilt", 70), ("version", 10), ("variants", 6), ("compiler", 4), ("target", 4), ("stacks", 6))
# The number of states, of 100, in which a package disappears, and in which one appears.
VANISHING = APPEARING = 30


class Spec(NamedTuple):
    hash: str
    version: str
    arch: cache_words.Arch
    compiler: str
    variants: tuple
    stacks: tuple

    def text(self):
        """As json.dumps(..., sort_keys=True) writes it, in a tenth of the time."""
        return (f'{{"compiler": "{self.compiler}", "hash": "{self.hash}", "os": "{self.arch.os}", '
                f'"platform": "{self.arch.platform}", "size": "-", "stacks": {json_list(self.stacks)}, '
                f'"target": "{self.arch.target}", "variants": {json_list(self.variants)}, '
                f'"versions": ["{self.version}"]}}')


class Package:
    def __init__(self, versions, variants):
        self.versions = versions
        self.variants = variants  # the variant sets that it is built with
        self.specs = []


_json_lists = {}


def json_list(words):
    text = _json_lists.get(words)
    if text is None:
        text = _json_lists[words] = json.dumps(list(words))
    return text


def package_name(number):
    return ("py-{:04}", "lib{:04}", "pkg-{:04}", "r-{:04}")[number % 4].format(number)


def page_sizes(packages, specs, skew=0.9):
    """Heavy-tailed: a few pages of up to LARGEST_PAGE specs, most of some ten. At least one spec each."""
    weights = [1 / (i + 3) ** skew for i in range(packages)]
    scale = max(0, specs - packages) / sum(weights)
    sizes = [min(LARGEST_PAGE, 1 + int(scale * weight)) for weight in weights]
    for i in itertools.cycle(range(packages)):  # spreads what rounding and the largest page left over
        if sum(sizes) >= specs or packages * LARGEST_PAGE <= specs:
            return sizes
        sizes[i] += sizes[i] < LARGEST_PAGE


def page_text(name, specs, tag=TAG):
    """The page of a package, as the site's generator of spring 2025 wrote it."""
    by_stack = Counter()
    for stacks, count in Counter(spec.stacks for spec in specs).items():
        by_stack.update(dict.fromkeys(stacks, count))
    archs = {spec.arch for spec in specs}
    meta = {
        "compilers": sorted({spec.compiler for spec in specs}),
        "num_specs": len(specs),
        "num_specs_by_stack": dict(sorted(by_stack.items())),
        "oss": sorted({arch.os for arch in archs}),
        "platforms": sorted({arch.platform for arch in archs}),
        "stacks": sorted(by_stack),
        "targets": sorted({arch.target for arch in archs}),
        "versions": sorted({spec.version for spec in specs}),
    }
    details = ", ".join(spec.text() for spec in sorted(specs))
    return (f'---\ntitle: "{name}"\nlayout: cache\ncategories: [package, {tag}]\n'
            f"meta: {json.dumps(meta)}\nspec_details: [{details}]\n---")


class Cache:
    """The state of the cache; step() makes it the next one."""

    def __init__(self, packages, specs, churn, seed, skew=4):
        self.rng = random.Random(seed)
        self.churn = churn
        self.skew = skew  # of words: the higher, the more frequent the first words
        self.packages = {}
        self.names_given = 0
        self.variant_sets = cache_words.variant_sets(self.rng, max(1, int(packages * VARIANT_SETS_PER_PACKAGE)))
        self.variant_sets_given = 0
        self.stack_sets = {arch: cache_words.stack_sets(self.rng, arch, STACK_SETS_PER_ARCH)
                           for arch in cache_words.ARCHS}
        sizes = page_sizes(packages, specs)
        self.rng.shuffle(sizes)
        for size in sizes:
            self.add_package(size)

    def spec_count(self):
        return sum(len(package.specs) for package in self.packages.values())

    def page(self, name):
        return page_text(name, self.packages[name].specs)

    def step(self):
        """Gives the names of the packages that changed, came or went."""
        changed = self.come_and_go()
        names = list(self.packages)
        ends = list(itertools.accumulate(len(self.packages[name].specs) for name in names))
        for position in self.rng.sample(range(ends[-1]), round(self.churn * ends[-1])):
            index = bisect.bisect_right(ends, position)
            package = self.packages[names[index]]
            begin = ends[index] - len(package.specs)
            package.specs[position - begin] = self.changed(package, package.specs[position - begin])
            changed.add(names[index])
        return changed

    def come_and_go(self):
        changed = set()
        if self.rng.random() * 100 < VANISHING and len(self.packages) > 1:
            name = self.rng.choice(list(self.packages))
            if len(self.packages[name].specs) <= 100:  # larger packages stay: other packages copy them
                del self.packages[name]
                changed.add(name)
        if self.rng.random() * 100 < APPEARING:
            changed.add(self.add_package(self.rng.randint(1, 60)))
        return changed

    def add_package(self, size):
        name = package_name(self.names_given)
        self.names_given += 1
        package = Package([self.new_version() for _ in range(self.rng.randint(1, 4))],
                          [self.new_variants() for _ in range(self.rng.randint(1, 5))])
        package.specs = [self.new_spec(package) for _ in range(size)]
        self.packages[name] = package
        return name

    def new_hash(self):
        return base64.b32encode(self.rng.getrandbits(160).to_bytes(20, "big")).decode().lower()

    def new_version(self):
        numbers = [self.rng.randint(0, 12), self.rng.randint(0, 40), self.rng.randint(0, 9)]
        return ".".join(map(str, numbers[:self.rng.randint(2, 3)]))

    def new_variants(self):
        """Each set once, so that all are there; from then on the first ones most often."""
        if self.variant_sets_given < len(self.variant_sets) and self.rng.random() < 0.7:
            self.variant_sets_given += 1
            return self.variant_sets[self.variant_sets_given - 1]
        return self.common(self.variant_sets)

    def common(self, words):
        """One of them, the first ones far more often."""
        return words[int(len(words) * self.rng.random() ** self.skew)]

    def new_spec(self, package):
        arch = self.rng.choices(cache_words.ARCHS, [arch.weight for arch in cache_words.ARCHS])[0]
        return Spec(self.new_hash(), self.rng.choice(package.versions), arch, self.common(arch.compilers),
                    self.rng.choice(package.variants), self.common(self.stack_sets[arch]))

    def changed(self, package, spec):
        """The spec that takes the place of another."""
        kind = self.rng.choices([kind for kind, _ in CHANGES], [weight for _, weight in CHANGES])[0]
        if kind == "stacks":
            return spec._replace(stacks=self.common(self.stack_sets[spec.arch]))
        spec = spec._replace(hash=self.new_hash())
        if kind == "version":
            if self.rng.random() < 0.3:
                package.versions.append(self.new_version())
            return spec._replace(version=self.rng.choice(package.versions))
        if kind == "variants":
            if self.rng.random() < 0.3:
                package.variants.append(self.new_variants())
            return spec._replace(variants=self.rng.choice(package.variants))
        if kind == "compiler":
            return spec._replace(compiler=self.rng.choice(spec.arch.compilers))
        if kind == "target":
            other = self.new_spec(package)
            return spec._replace(arch=other.arch, compiler=other.compiler, stacks=other.stacks)
        return spec
