"""A standby as docs/postgresql/standby.md says: it answers, and a query there lives through a publish and a VACUUM."""

import shlex
import subprocess

from servers import Ledger, Server, expect, folder_of_postgres, psql, run_as_postgres, server_programs, settings_of, wait_until, workplace

COUNTS = "SELECT count(*), sum(length(hash)) FROM cache.specs"
LONG_QUERY = f"BEGIN ISOLATION LEVEL REPEATABLE READ; {COUNTS}; SELECT pg_sleep(6); {COUNTS}"


def copy_of(primary, folder):
    command = settings_of("standby.md", "standby", db_example_org=primary.folder)
    program, *words = shlex.split(command)
    words = [word.replace("--pgdata=data", f"--pgdata={folder / 'data'}") for word in words]
    run_as_postgres([server_programs() / program, *words, "--checkpoint=fast"])
    return Server(folder, settings=settings_of("standby.md", "postgresql.conf of the standby"))


def main():
    with workplace() as work:
        primary = Server(folder_of_postgres(work, "primary"), settings="autovacuum = off\n")
        primary.make_database()
        primary.sql(settings_of("standby.md", "primary"))
        standby = copy_of(primary, folder_of_postgres(work, "standby"))
        ledger = Ledger(work)
        ledger.ingest("earlier")
        ledger("publish", primary.url(), "--ledger", "cache")
        position = primary.sql("SELECT pg_current_wal_lsn()")
        has_all = lambda: standby.sql(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") == "t"
        wait_until("the standby has what was published", has_all)

        ledger("publish", standby.url(), "--ledger", "cache", "--check")
        ledger("publish", standby.url(), "--ledger", "cache", "--dry-run")
        ledger("publish", standby.url(), "--ledger", "cache", status=4)
        for question in (["report", "coverage/stacks"], ["specs", "py-safetensors"], ["check"]):
            expect(f"{question[0]} there", ledger("--db", standby.url(), *question, "--ledger", "cache"), ledger(*question))

        # Everything is replaced. The rows that the query reads are dead, and would be cleaned up; the standby would have to choose
        # between the query and the new state.
        query = subprocess.Popen(psql(standby.url(), LONG_QUERY), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_until("a query there", lambda: "1" == standby.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'BEGIN ISOLATION%' AND wait_event = 'PgSleep'"))
        wait_until("the primary knows of it", lambda: primary.sql("SELECT count(backend_xmin) FROM pg_stat_replication") == "1")
        ledger("forget", "develop")
        ledger.ingest("later")
        ledger("publish", primary.url(), "--ledger", "cache")
        primary.sql("VACUUM (TRUNCATE off)")
        position = primary.sql("SELECT pg_current_wal_lsn()")
        wait_until("the standby has the new state", has_all)
        expect("the query still runs", query.poll(), None)
        answer = query.communicate()[0].strip().splitlines()
        expect("the query's two counts", (query.returncode, answer[0]), (0, answer[-1]))
        expect("it has other rows now", standby.sql(COUNTS) != answer[0], True)
        ledger("pull", standby.url(), "--ledger", "cache", work / "pulled.db")
        expect("a pulled file", ledger("--db", work / "pulled.db", "snapshots"), ledger("snapshots"))


main()
