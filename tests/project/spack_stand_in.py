"""spack_stand_in.py FOLDER ARGUMENTS...: runs `spack ledger ARGUMENTS...` without Spack. Stands in for the few calls of it that
packaging/spack-extension makes; its file is $LEDGER_COMMAND. FOLDER has mirrors.json ({NAME: {"url": ..., "binary": ...,
"view": ..., "pair": ...}}), and env/ where an environment is active."""
import argparse, collections, importlib.util, json, os, sys, types

folder = sys.argv[1]
modules = {}


def module(name, **members):
    modules[name] = sys.modules[name] = types.ModuleType(name)
    vars(modules[name]).update(members)
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(modules[parent], last, modules[name])


class Mirror:
    def __init__(self, url, binary=True, view=None, pair=None):
        self.fetch_url, self.binary, self.fetch_view, self.pair = url, binary, view, pair

    def get_access_pair(self, direction):
        return tuple(self.pair) if self.pair and direction == "fetch" else None


class MirrorCollection(collections.UserDict):
    def __init__(self, binary):
        with open(os.path.join(folder, "mirrors.json")) as file:
            mirrors = {name: Mirror(**data) for name, data in json.load(file).items()}
        self.data = {name: mirror for name, mirror in mirrors.items() if mirror.binary == binary}


def parse_specs(words):
    """One for each word, as far as it does not go on with the one before."""
    specs = []
    for word in words:
        if specs and word[0] in "+~@%^":
            specs[-1] += " " + word
        else:
            specs.append(word)
    return specs


def active_environment():
    root = os.path.join(folder, "env")
    Environment = collections.namedtuple("Environment", "lock_path manifest_path")
    return Environment(os.path.join(root, "spack.lock"), os.path.join(root, "spack.yaml")) if os.path.isdir(root) else None


def die(message):
    print("==> Error: " + message, file=sys.stderr)
    sys.exit(1)


module("spack")
module("spack.cmd", parse_specs=parse_specs)
module("spack.environment", active_environment=active_environment)
module("spack.paths", user_config_path=folder)
module("spack.mirrors")
module("spack.mirrors.mirror", MirrorCollection=MirrorCollection)
module("spack.llnl")
module("spack.llnl.util")
module("spack.llnl.util.tty", die=die)
module("spack.llnl.util.tty.color", get_color_when=lambda: False)
spec = importlib.util.spec_from_file_location("ledger", os.environ["LEDGER_COMMAND"])
command = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(command)
parser = argparse.ArgumentParser(prog="spack")
command.setup_parser(parser.add_subparsers().add_parser("ledger"))
sys.exit(command.ledger(parser, parser.parse_args(["ledger"] + sys.argv[2:])))
