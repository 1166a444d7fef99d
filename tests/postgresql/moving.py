"""One ledger moved to another server as docs/postgresql/moving.md says. Publishing goes on there."""

import os

from servers import Ledger, Server, expect, folder_of_postgres, run, settings_of, workplace

PAGE = "moving.md"
ROWS = "SELECT count(*), max(taken_at) FROM cache.snapshots"


def shell(title, work, **urls):
    text = settings_of(PAGE, title).replace("cache.dump", str(work / "cache.dump"))
    for host, url in urls.items():
        text = text.replace(f"postgresql://{host}.example.org/ledgers", f"'{url}'")
    return text


def main():
    with workplace() as work:
        old = Server(folder_of_postgres(work, "old"))
        new = Server(folder_of_postgres(work, "new"))
        for server in (old, new):
            server.make_database()
            server.sql("CREATE ROLE grafana LOGIN")
        ledger, other = Ledger(work), Ledger(work, name="other")
        ledger.ingest("earlier")
        other.ingest("later")
        ledger("publish", old.url(), "--ledger", "cache", "--grant", "grafana")
        other("publish", old.url(), "--ledger", "other")
        run(["sh", "-euc", shell("dump", work, db=old.url())])
        run(["sh", "-euc", shell("restore", work, new=new.url())])
        expect("a reader there", new.sql(ROWS, user="grafana"), old.sql(ROWS))
        ledger("publish", new.url(), "--ledger", "cache", "--check")
        expect("the other ledger stayed", new.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'other%'"), "0")

        ledger.ingest("later")
        path = f"{os.path.dirname(os.path.abspath(ledger.program))}:{os.environ['PATH']}"
        run(["sh", "-euc", shell("publish", work, new=new.url())], env={**ledger.environment, "PATH": path})
        ledger("publish", new.url(), "--ledger", "cache", "--check")
        expect("the views over all ledgers", new.sql("SELECT DISTINCT ledger FROM cacheledger.all_snapshots", user="grafana"), "cache")
        ledger("publish", old.url(), "--ledger", "cache", "--drop")
        expect("what is left", old.sql("SELECT DISTINCT ledger FROM cacheledger.all_snapshots"), "other")
        expect("a question", ledger("--db", new.url(), "diff", "--ledger", "cache"), ledger("diff"))


main()
