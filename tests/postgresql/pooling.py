"""A pgbouncer in transaction mode as docs/postgresql/pooling.md says: publishes and readers share two sessions of the server, and
leave nothing in them."""

import shutil
import subprocess

from servers import Ledger, Server, as_postgres, expect, folder_of_postgres, psql, settings_of, skip, wait_until, workplace

LEFT = """SELECT string_agg(name || ' ' || setting, ', ') FROM pg_settings WHERE source = 'session' AND name <> 'application_name'
    UNION ALL SELECT 'lock ' || locktype FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'
    UNION ALL SELECT 'temporary ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
    UNION ALL SELECT 'statement ' || name FROM pg_prepared_statements"""


class Pool:
    def __init__(self, folder, server):
        program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
        if program is None:
            skip("pgbouncer is not installed (scripts/install-packages tests)")
        self.folder = folder
        settings = folder / "pgbouncer.ini"
        # Each client is postgres, whom the server trusts.
        text = settings_of("pooling.md", "pgbouncer.ini", db_example_org=f"{server.folder} user=postgres")
        settings.write_text(f"{text}listen_addr =\nunix_socket_dir = {folder}\nauth_type = any\n")
        with (folder / "log").open("w") as log:
            self.process = subprocess.Popen(as_postgres([program, settings]), stdout=log, stderr=log)
        wait_until("pgbouncer answers", lambda: subprocess.run(psql(self.url(), "SELECT 1"), capture_output=True).returncode == 0)

    def url(self):
        return f"postgresql://postgres@/ledgers?host={self.folder}&port=6432"


def main():
    with workplace() as work:
        server = Server(folder_of_postgres(work, "server"))
        server.make_database()
        pool = Pool(folder_of_postgres(work, "pool"), server)
        ledger, other = Ledger(work), Ledger(work, name="other")
        ledger.ingest("earlier")
        other.ingest("later")
        ledger("publish", pool.url(), "--ledger", "mine")
        other("publish", pool.url(), "--ledger", "other")
        ledger.ingest("later")

        # Both publish, and many ask meanwhile. More clients than sessions: they wait, and none fails.
        writers = [ledger.in_background("publish", pool.url(), "--ledger", "mine"),
                   other.in_background("publish", pool.url(), "--ledger", "other", "--resync")]
        readers = [subprocess.Popen(psql(pool.url(), "SELECT count(*) > 0 FROM mine.specs"), stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True) for _ in range(20)]
        expect("twenty readers", {reader.communicate()[0].strip() for reader in readers}, {"t"})
        for writer in writers:
            expect("a publish", (writer.wait(), writer.stdout.read().count("can't")), (0, 0))

        ledger("publish", pool.url(), "--ledger", "mine", "--check")
        ledger("pull", pool.url(), "--ledger", "mine", work / "pulled.db")
        expect("a question", ledger("--db", pool.url(), "report", "drift/summary", "--ledger", "mine"),
               ledger("report", "drift/summary"))
        expect("sessions of the server", server.sql("SELECT count(*) <= 2 FROM pg_stat_activity WHERE datname = 'ledgers' AND "
                                                    "pid <> pg_backend_pid()"), "t")
        for _ in range(4):
            expect("what stays in a session", ledger_left(pool), "")


def ledger_left(pool):
    return subprocess.run(psql(pool.url(), LEFT), capture_output=True, text=True, check=True).stdout.strip()


main()
