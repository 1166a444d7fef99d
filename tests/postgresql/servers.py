"""What the scripts of this folder share: PostgreSQL servers in a temporary folder, the program on the sample pages, and the
settings that docs/postgresql says. Each script is called as SCRIPT PROGRAM; it ends with 77 where a part is not installed."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "tests" / "data" / "pages"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def server_programs():
    """Where initdb and postgres are."""
    try:
        folder = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        folder = ""
    if not (pathlib.Path(folder) / "initdb").exists():
        skip("PostgreSQL is not installed (scripts/install-packages tests)")
    return pathlib.Path(folder)


def as_postgres(command):
    """The command as the user postgres where root calls it, as no server runs as root. It ends with this script."""
    prefix = ["setpriv", "--pdeathsig", "INT"]
    if os.geteuid() == 0:
        prefix += ["--reuid", "postgres", "--regid", "postgres", "--init-groups"]
    return [*prefix, *map(str, command)]


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, not {wanted!r}")
    print(f"{what}: as expected")


def wait_until(what, holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"{what}: not in {seconds} s")
        time.sleep(0.1)
    print(f"{what}: as expected")


class Server:
    """A server with a socket in its folder, and no other way in. `folder` is there, and has the folder `data` if it is a copy of
    another server."""

    def __init__(self, folder, *, settings=""):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        programs = server_programs()
        if not self.data.exists():
            run_as_postgres([programs / "initdb", "--pgdata", self.data, "--username", "postgres", "--auth", "trust",
                             "--encoding", "UTF8", "--no-locale", "--no-sync"])
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(f"\nfsync = off\nlisten_addresses = ''\nunix_socket_directories = '{self.folder}'\n{settings}\n")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(as_postgres([programs / "postgres", "-D", self.data]), stdout=log, stderr=log)
        wait_until(f"the server {self.folder.name} answers", lambda: self.process.poll() is None and self.answers(), 60)

    def answers(self):
        return subprocess.run(psql(self.url("postgres"), "SELECT 1"), capture_output=True).returncode == 0

    def url(self, database="ledgers", user="postgres"):
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def sql(self, statements, database="ledgers", user="postgres"):
        """The rows that the statements give, a line each, columns parted by |."""
        return run(psql(self.url(database, user), statements))

    def make_database(self, database="ledgers"):
        self.sql(f"CREATE DATABASE {database}", database="postgres")

    def stop(self):
        self.process.send_signal(signal.SIGINT)  # sessions are not waited for
        self.process.wait()


def psql(url, statements):
    return ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", url, "-c", statements]


def run(command, *, status=0, words=None, env=None):
    """What the command printed. Ends the script if its exit code is another one."""
    done = subprocess.run([str(word) for word in command], input=words, capture_output=True, text=True, env=env)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def run_as_postgres(command):
    return run(as_postgres(command))


class Ledger:
    """The program and a ledger of the sample pages. No answer comes from the cache of another user's or test's."""

    def __init__(self, work, *, name="mine"):
        self.program = sys.argv[1]
        self.file = pathlib.Path(work) / f"{name}.db"
        self.environment = {**os.environ, "CACHELEDGER_DB": str(self.file), "XDG_CACHE_HOME": str(pathlib.Path(work) / "cache")}

    def __call__(self, *words, status=0):
        return run([self.program, *words], status=status, env=self.environment)

    def ingest(self, state="earlier", tag="develop"):
        taken_at = {"earlier": "2025-02-10", "later": "2025-03-10"}[state]
        return self("ingest", PAGES / state, "--tag", tag, "--taken-at", taken_at)

    def in_background(self, *words):
        return subprocess.Popen([self.program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=self.environment)


def settings_of(page, title, **replaced):
    """The text of the block of a page in docs/postgresql whose first line is the comment `title`, with other names for the hosts."""
    text = (ROOT / "docs" / "postgresql" / page).read_text()
    for block in re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        first, _, rest = block.partition("\n")
        if first.lstrip("-#; ") == title:
            for name, value in replaced.items():
                if name.replace("_", ".") not in rest:
                    sys.exit(f"{page}: no {name} in '{title}'")
                rest = rest.replace(name.replace("_", "."), str(value))
            return rest
    sys.exit(f"{page}: no block '{title}'")


@contextlib.contextmanager
def workplace():
    """A folder for servers, files and sockets. Whatever is started there ends with the script."""
    work = pathlib.Path(tempfile.mkdtemp(prefix="ledgers-"))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def folder_of_postgres(work, name):
    """A folder of the user postgres, whom a server runs as."""
    folder = work / name
    folder.mkdir()
    if os.geteuid() == 0:
        work.chmod(0o755)
        shutil.chown(folder, "postgres", "postgres")
    return folder
