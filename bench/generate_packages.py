#!/usr/bin/env python3
"""Makes a bare git repository like spack/spack-packages: recipes with a long history, and the wish lists of stacks.

Most commits touch one recipe, some touch several, and a few touch thousands. Half of the history has the layout from before
Spack 1.0, then one commit moves all. The same options give the same commits.
"""
import argparse
import pathlib
import random
import shutil
import subprocess

DEFAULTS = {"commits": 37_198, "recipes": 8_900, "stacks": 24, "mass": 5_000, "patch": 16_000, "seed": 1}
BEGIN = 1_386_000_000  # 2013
STEP = 10_000  # seconds between commits


class Recipe:
    def __init__(self, name, rng):
        self.name = name
        self.versions = []
        self.lines = rng.randint(10, 60)
        self.seed = rng.getrandbits(32)
        self.license = 0
        self.add_version(rng)

    def add_version(self, rng):
        major = len(self.versions) // 10 + 1
        self.versions.append((f"{major}.{len(self.versions) % 10}.{rng.randint(0, 3)}", f"{rng.getrandbits(256):064x}"))
        return self.versions[-1][0]

    def text(self):
        class_name = self.name.title().replace("-", "")
        words = random.Random(self.seed)
        lines = [f"# license {self.license}", "from spack.package import *", "", "", f"class {class_name}(CMakePackage):",
                 f'    """{self.name} computes {words.getrandbits(64):x}."""', "",
                 f'    homepage = "https://{self.name}.example.org"', ""]
        for version, digest in reversed(self.versions):
            lines.append(f'    version("{version}", sha256="{digest}")')
        for i in range(self.lines):
            lines.append(f'    depends_on("package-{words.randint(0, 8000)}@{words.randint(1, 9)}:", when="+option{i}")')
        return "\n".join(lines) + "\n"


class Writer:
    """Writes the stream of git fast-import."""

    def __init__(self, out):
        self.out = out

    def begin(self, number, subject):
        time = BEGIN + number * STEP
        data = subject.encode()
        self.out.write(b"commit refs/heads/develop\nauthor x <x@example.org> %d +0000\n"
                       b"committer x <x@example.org> %d +0000\ndata %d\n%s\n" % (time, time, len(data), data))

    def file(self, path, text):
        data = text if isinstance(text, bytes) else text.encode()
        self.out.write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))

    def move(self, old, new):
        self.out.write(b"R %s %s\n" % (old.encode(), new.encode()))


class Repository:
    def __init__(self, options, out):
        self.options = options
        self.rng = random.Random(options.seed)
        self.writer = Writer(out)
        self.is_old = True
        self.recipes = []
        self.stacks = {f"stack-{i}": set() for i in range(options.stacks)}

    def folder(self, name):
        if self.is_old:
            return f"var/spack/repos/builtin/packages/{name}"
        module = name.replace("-", "_")
        return f"repos/spack_repo/builtin/packages/{'_' if module[0].isdigit() else ''}{module}"

    def list_path(self, stack):
        return f"share/spack/gitlab/cloud_pipelines/stacks/{stack}/spack.yaml" if self.is_old else f"stacks/{stack}/spack.yaml"

    def write_recipe(self, recipe):
        self.writer.file(self.folder(recipe.name) + "/package.py", recipe.text())

    def add_recipe(self):
        recipe = Recipe(f"package-{len(self.recipes)}", self.rng)
        self.recipes.append(recipe)
        self.write_recipe(recipe)
        patch = self.rng.randbytes(self.options.patch)
        self.writer.file(self.folder(recipe.name) + "/fix.patch", patch)
        return recipe

    def write_list(self, stack):
        lines = ["spack:", "  view: false", "  specs:"] + [f"  - {spec}" for spec in sorted(self.stacks[stack])]
        self.writer.file(self.list_path(stack), "\n".join(lines) + "\n")

    def begin(self):
        self.writer.begin(0, "begin")
        self.writer.file("var/spack/repos/builtin/repo.yaml", "repo:\n  namespace: builtin\n")
        for stack, specs in self.stacks.items():
            specs.update(f"package-{self.rng.randrange(self.options.recipes)}" for _ in range(200))
            self.write_list(stack)

    def move_all(self, number):
        self.writer.begin(number, "all recipes move")
        for recipe in self.recipes:
            old = self.folder(recipe.name)
            self.is_old = False
            self.writer.move(old, self.folder(recipe.name))
            self.is_old = True
        self.writer.move("share/spack/gitlab/cloud_pipelines/stacks", "stacks")
        self.writer.file("repos/spack_repo/builtin/repo.yaml", "repo:\n  namespace: builtin\n  api: v2.0\n")
        self.is_old = False

    def commit(self, number, mass_every, per_commit):
        rng = self.rng
        if number % mass_every == 0:
            self.writer.begin(number, f"all: license of {number} (#{number})")
            for recipe in rng.sample(self.recipes, min(self.options.mass, len(self.recipes))):
                recipe.license = number
                self.write_recipe(recipe)
        elif len(self.recipes) < per_commit * number:
            self.writer.begin(number, f"package-{len(self.recipes)}: new package (#{number})")
            while len(self.recipes) < per_commit * number:
                self.add_recipe()
        elif number % 30 == 1:
            stack = rng.choice(list(self.stacks))
            self.writer.begin(number, f"ci: {stack} wants another package (#{number})")
            self.stacks[stack].discard(rng.choice(sorted(self.stacks[stack])))
            self.stacks[stack].add(f"package-{rng.randrange(self.options.recipes)} +option{rng.randint(0, 9)}")
            self.write_list(stack)
        else:
            some = rng.sample(self.recipes, min(len(self.recipes), 1 if rng.random() < 0.9 else rng.randint(2, 30)))
            version = some[0].add_version(rng)
            self.writer.begin(number, f"{some[0].name}: add v{version} (#{number})")
            for recipe in some:
                recipe.lines += recipe is not some[0]
                self.write_recipe(recipe)

    def write(self):
        commits = self.options.commits
        per_commit = self.options.recipes / commits * 1.1
        self.begin()
        self.writer.begin(1, "package-0: new package")
        self.add_recipe()
        for number in range(2, commits):
            if number == commits * 3 // 4:
                self.move_all(number)
            elif len(self.recipes) >= self.options.recipes:
                self.commit(number, commits // 12 + 1, 0)
            else:
                self.commit(number, commits // 12 + 1, per_commit)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path, help="gets the repository packages.git")
    parser.add_argument("--commits", type=int, default=DEFAULTS["commits"])
    parser.add_argument("--recipes", type=int, default=DEFAULTS["recipes"])
    parser.add_argument("--stacks", type=int, default=DEFAULTS["stacks"])
    parser.add_argument("--mass", type=int, default=DEFAULTS["mass"], help="recipes that a commit for all touches")
    parser.add_argument("--patch", type=int, default=DEFAULTS["patch"], help="bytes beside each new recipe")
    parser.add_argument("--seed", type=int, default=DEFAULTS["seed"])
    options = parser.parse_args()
    if options.out.exists():
        parser.error(f"{options.out} is there already")
    # An interruption leaves nothing with the final name.
    draft = options.out.with_name(options.out.name + ".draft")
    shutil.rmtree(draft, ignore_errors=True)
    repository = draft / "packages.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=develop", repository], check=True)
    with subprocess.Popen(["git", "-C", repository, "fast-import", "--quiet", "--force"], stdin=subprocess.PIPE) as git:
        Repository(options, git.stdin).write()
        git.stdin.close()
    if git.returncode != 0:
        raise SystemExit(f"git fast-import failed with {git.returncode}")
    draft.rename(options.out)


if __name__ == "__main__":
    main()
