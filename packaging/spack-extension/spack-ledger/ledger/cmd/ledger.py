# SPDX-License-Identifier: MIT
"""spack ledger: asks cacheledger about the binary mirrors that Spack is configured with. Works with Spack 0.23 to 1.2."""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import spack.cmd
import spack.environment
import spack.paths

try:  # Spack 1.0 and later
    from spack.mirrors.mirror import MirrorCollection
except ImportError:
    from spack.mirror import MirrorCollection

try:  # Spack 1.1 and later
    import spack.llnl.util.tty as tty
    from spack.llnl.util.tty.color import get_color_when
except ImportError:
    import llnl.util.tty as tty
    from llnl.util.tty.color import get_color_when

description = "what is in the binary mirrors, what is missing, what changed, and why"
section = "query"
level = "long"

HOW_TO_HAVE_IT = """the program cacheledger is not there
    Install its package, or with Spack, in a clone of it:
      spack repo add packaging/spack && spack install cacheledger && spack load cacheledger
    Or say where it is: export CACHELEDGER=/path/to/cacheledger"""

USAGE = """\
questions:
  snapshot [MIRROR...] [options]   load what the configured binary mirrors have now, each as the
                                   series of its name; --if-changed: only where that is new
  coverage [SPEC...] [options]     how much of the active environment, or of SPECs, the mirrors
                                   have in their order, and what must be built
  why [A [B]], /HASH /HASH         why builds were rebuilt, or why one is not the other
  diff [A [B]]                     what changed between two snapshots, or mirrors
  specs, dependents SPEC [MIRROR]  the builds that match; what needs them
  history SPEC [MIRROR]            when builds came and went

Other commands of cacheledger work as well. 'spack ledger QUESTION --help' explains each. SPECs and
mirrors come before options. The ledger is ~/.spack/ledger.db, else $CACHELEDGER_DB or --db FILE."""


def setup_parser(subparser):
    subparser.formatter_class = argparse.RawDescriptionHelpFormatter
    subparser.epilog = USAGE
    subparser.add_argument("--db", metavar="FILE", help="the ledger")
    subparser.add_argument("question", nargs="?", help="what to ask")
    subparser.add_argument("arguments", nargs=argparse.REMAINDER, help="what cacheledger takes")


def program():
    """The program that was named, that was installed with this file, or that is in PATH."""
    prefix = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 5))
    beside = os.path.join(prefix, "bin", "cacheledger")
    named = os.environ.get("CACHELEDGER") or (beside if os.access(beside, os.X_OK) else "cacheledger")
    return shutil.which(named) or tty.die(HOW_TO_HAVE_IT)


def run(db, arguments, text=None, environment=None):
    """Runs the program on the same terminal, and gives its exit code."""
    variables = dict(os.environ, **(environment or {}))
    own = os.path.join(spack.paths.user_config_path, "ledger.db")
    if variables.setdefault("CACHELEDGER_DB", own) == own and not db:
        os.makedirs(spack.paths.user_config_path, exist_ok=True)
    if not get_color_when():
        variables["NO_COLOR"] = "1"
    sys.stdout.flush()
    process = subprocess.Popen(
        [program()] + (["--db", db] if db else []) + arguments,
        env=variables,
        stdin=None if text is None else subprocess.PIPE,
        universal_newlines=True,
    )
    while True:
        try:
            process.communicate(text)
            return process.returncode if process.returncode >= 0 else 128 - process.returncode
        except KeyboardInterrupt:  # the program got it, too, and says what became of its work
            text = None


def leading(arguments):
    """The words before the first option, and the rest."""
    count = next((i for i, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    return arguments[:count], arguments[count:]


def login(mirror, folder):
    """What the program needs to know to log in to a mirror in an OCI registry, as Spack does."""
    pair = mirror.get_access_pair("fetch") if mirror.fetch_url.startswith("oci") else None
    if not pair:
        return {}
    host = urllib.parse.urlparse(mirror.fetch_url).netloc
    auth = base64.b64encode(":".join(pair).encode()).decode()
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump({"auths": {host: {"auth": auth}}}, file)
    return {"DOCKER_CONFIG": folder}


def snapshot(db, arguments):
    names, options = leading(arguments)
    mirrors = MirrorCollection(binary=True)
    for name in names:
        if name not in mirrors:
            tty.die("no binary mirror is called %s; there are: %s" % (name, ", ".join(mirrors) or "none"))
    if not mirrors:
        tty.die("no binary mirror is configured: spack mirror add NAME URL")
    status = 0
    for name in names or mirrors:
        mirror = mirrors[name]
        view = getattr(mirror, "fetch_view", None)  # since Spack 1.2; a registry has none
        words = ["ingest", mirror.fetch_url, "--tag=" + name]
        words += ["--view=" + view] if view and not mirror.fetch_url.startswith("oci") else []
        with tempfile.TemporaryDirectory() as folder:  # for nobody else
            status = max(status, run(db, words + options, environment=login(mirror, folder)))
    return status


def is_path(word):
    """Whether a word is meant as a file: one with the name of a SPEC is not."""
    return os.path.exists(word) and (os.sep in word or word.endswith((".lock", ".yaml", ".json", ".txt", ".gz")))


def coverage(db, arguments):
    words, options = leading(arguments)
    text = None
    named = {word.split("=")[0] for word in options}
    if not words and not {"-h", "--help", "--stack"} & named:
        env = spack.environment.active_environment()
        if not env:
            tty.die("expected SPECs or an active environment, as in 'spack -e ENV ledger coverage'")
        words = [env.lock_path if os.path.exists(env.lock_path) else env.manifest_path]
    elif words and not any(word == "-" or is_path(word) for word in words):
        text = "".join("%s\n" % spec for spec in spack.cmd.parse_specs(words))
        words = ["-"]
    if not {"--at", "--each", "--since", "-h", "--help"} & named:
        mirrors = MirrorCollection(binary=True)
        if not mirrors:
            tty.die("no binary mirror is configured: spack mirror add NAME URL, or name a snapshot with --at")
        options += ["--at=" + name for name in mirrors]
    return run(db, ["coverage"] + words + options, text)


def with_mirrors(arguments):
    """The arguments, with --at before each name of a mirror behind the first."""
    words, options = leading(arguments)
    mirrors = MirrorCollection(binary=True)
    named = [word for word in words[1:] if word in mirrors]
    rest = words[:1] + [word for word in words[1:] if word not in mirrors]
    return rest + ["--at=" + name for name in named] + options


def ledger(parser, args):
    if args.question is None:
        program()
        parser.parse_args(["ledger", "--help"])
    if args.question == "snapshot":
        return snapshot(args.db, args.arguments)
    if args.question == "coverage":
        return coverage(args.db, args.arguments)
    if args.question in ("specs", "history", "dependents"):
        return run(args.db, [args.question] + with_mirrors(args.arguments))
    return run(args.db, [args.question] + args.arguments)
