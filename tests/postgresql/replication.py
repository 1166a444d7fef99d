"""A ledger replicated to another server as docs/postgresql/replication.md says, with a publish after it, and the steps after
another version of the program, which added a column and a table."""

from servers import Ledger, Server, expect, folder_of_postgres, run, settings_of, wait_until, workplace

PAGE = "replication.md"
ROWS = "SELECT count(*), max(taken_at) FROM cache.snapshots"


def copy_schemas(publisher, subscriber):
    text = settings_of(PAGE, "schemas")
    text = text.replace("postgresql://db.example.org/ledgers", f"'{publisher.url()}'")
    text = text.replace("postgresql://team.example.org/team", f"'{subscriber.url('team')}'")
    run(["bash", "-euo", "pipefail", "-c", text])


def subscribe(publisher, subscriber):
    subscriber.sql(settings_of(PAGE, "key at the subscriber"), "team")
    subscriber.sql(settings_of(PAGE, "subscriber", db_example_org=publisher.folder), "team")
    wait_until("all tables are copied",
               lambda: subscriber.sql(settings_of(PAGE, "tables still to be copied"), "team") == "0")


def main():
    with workplace() as work:
        publisher = Server(folder_of_postgres(work, "publisher"), settings="wal_level = logical\n")
        subscriber = Server(folder_of_postgres(work, "subscriber"))
        publisher.make_database()
        subscriber.make_database("team")
        ledger = Ledger(work)
        ledger.ingest("earlier")
        ledger("publish", publisher.url(), "--ledger", "cache")
        publisher.sql(settings_of(PAGE, "publisher"))
        copy_schemas(publisher, subscriber)
        subscribe(publisher, subscriber)

        is_equal = lambda: subscriber.sql(ROWS, "team") == publisher.sql(ROWS)
        wait_until("the rows arrive", is_equal)
        ledger.ingest("later")
        ledger("publish", publisher.url(), "--ledger", "cache")
        wait_until("the next publish arrives", is_equal)
        ledger("publish", subscriber.url("team"), "--ledger", "cache", "--check")
        ledger("pull", subscriber.url("team"), "--ledger", "cache", work / "pulled.db")
        expect("a pulled file", ledger("--db", work / "pulled.db", "diff"), ledger("diff"))
        subscriber.sql("CREATE ROLE grafana LOGIN; " + settings_of(PAGE, "rights at the subscriber"), "team")
        expect("the program as a reader there",
               ledger("--db", subscriber.url("team", "grafana"), "--ledger", "cache", "diff"), ledger("diff"))
        expect("a reader there", subscriber.sql(ROWS, "team", "grafana"), publisher.sql(ROWS))

        # What another version does: a column with a value, and a table.
        publisher.sql("ALTER TABLE cache.package ADD COLUMN note text; UPDATE cache.package SET note = 'new'; "
                      "CREATE TABLE cache.remark (remark_id bigint PRIMARY KEY); INSERT INTO cache.remark VALUES (1); "
                      "GRANT SELECT ON cache.remark TO replica")
        wait_until("the replication stops", lambda: "missing replicated column" in subscriber.log.read_text())
        for statement in settings_of(PAGE, "subscriber, after another version of the program").strip().splitlines():
            subscriber.sql(statement, "team")  # each by itself: a subscription can't be dropped in a transaction
        copy_schemas(publisher, subscriber)
        subscribe(publisher, subscriber)
        wait_until("the new column arrives", lambda: subscriber.sql("SELECT DISTINCT note FROM cache.package", "team") == "new")
        wait_until("the new table arrives", lambda: subscriber.sql("SELECT count(*) FROM cache.remark", "team") == "1")

        # By hand: a table more, which the subscription takes up when it is told to.
        publisher.sql("CREATE TABLE cache.mark (mark_id bigint PRIMARY KEY); INSERT INTO cache.mark VALUES (1); "
                      "GRANT SELECT ON cache.mark TO replica")
        subscriber.sql("CREATE TABLE cache.mark (mark_id bigint PRIMARY KEY)", "team")
        subscriber.sql(settings_of(PAGE, "subscriber, after tables were added by hand"), "team")
        wait_until("the table arrives", lambda: subscriber.sql("SELECT count(*) FROM cache.mark", "team") == "1")
        subscriber.sql("DROP SUBSCRIPTION ledger_cache", "team")


main()
