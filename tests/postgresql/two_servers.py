"""Ten ledgers on two servers as docs/postgresql/two_servers.md says: the views of the first have all of them, and a condition on the
ledger asks one server only."""

from servers import Ledger, Server, expect, folder_of_postgres, settings_of, workplace

PAGE = "two_servers.md"
COUNTS = "SELECT ledger, packages, specs FROM cacheledger.all_snapshots WHERE extent = 'whole' ORDER BY ledger COLLATE \"C\""
REMOTE = "Foreign Scan"


def ask_for_password(server, role):
    """As a server on a network does: others than superusers may not use a foreign server that asks for none."""
    rules = server.data / "pg_hba.conf"
    rules.write_text(f"local all {role} scram-sha-256\n{rules.read_text()}")
    server.sql("SELECT pg_reload_conf()")


def main():
    with workplace() as work:
        first = Server(folder_of_postgres(work, "first"))
        second = Server(folder_of_postgres(work, "second"))
        for server in (first, second):
            server.make_database()
        first.sql("CREATE ROLE cache LOGIN; GRANT CREATE ON DATABASE ledgers TO cache")
        second.sql(settings_of(PAGE, "second server"))
        ask_for_password(second, "first_server")
        earlier, later = Ledger(work), Ledger(work, name="later")
        earlier.ingest("earlier")
        later.ingest("later")
        for number in range(1, 6):
            earlier("publish", first.url(user="cache"), "--ledger", f"site{number}")
        for number in range(6, 11):
            later("publish", second.url(), "--ledger", f"site{number}", "--grant", "first_server")

        first.sql(settings_of(PAGE, "first server", db2_example_org=second.folder))
        first.sql(settings_of(PAGE, "first server, as cache"), user="cache")
        counts = first.sql(COUNTS).splitlines()
        expect("ledgers in the views", sorted(row.split("|")[0] for row in counts), sorted(f"site{n}" for n in range(1, 11)))
        expect("the same as the servers say", sorted(counts), sorted((second.sql(COUNTS) + "\n" + first.sql(
            COUNTS.replace("WHERE", "WHERE ledger IN ('site1', 'site2', 'site3', 'site4', 'site5') AND"))).splitlines()))

        for view in ("all_specs", "all_latest_specs", "all_snapshots", "all_spec_drift"):
            plan = lambda ledger: first.sql(f"EXPLAIN VERBOSE SELECT * FROM cacheledger.{view} WHERE ledger = '{ledger}'")
            expect(f"foreign scans of {view} for a ledger of the first", plan("site1").count(REMOTE), 0)
            expect(f"foreign scans of {view} for a ledger of the second", plan("site6").count(REMOTE), 1)
            expect(f"tables of the first in the plan of {view}", "site1" in plan("site6"), False)
        plan = first.sql("EXPLAIN VERBOSE SELECT * FROM cacheledger.all_specs WHERE ledger = 'site6' AND package = 'py-tokenizers'")
        expect("a condition that is sent along", plan.count("package = 'py-tokenizers'"), 1)

        # The next publish of a site, on either server, leaves all in the views.
        earlier.ingest("later")
        earlier("publish", first.url(user="cache"), "--ledger", "site1")
        later("publish", second.url(), "--ledger", "site6", "--resync")
        expect("ledgers after the next publish", len(set(row.split("|")[0] for row in first.sql(COUNTS).splitlines())), 10)

        # Another version adds a column to what a ledger of the second offers.
        text = second.sql("SELECT pg_get_viewdef('\"site6 tables\".of_all_snapshots'::regclass)").rstrip(";")
        second.sql(f'CREATE OR REPLACE VIEW "site6 tables".of_all_snapshots AS SELECT v.*, 7 AS more FROM ({text}) v')
        expect("ledgers before it is taken in", len(set(row.split("|")[0] for row in first.sql(COUNTS).splitlines())), 10)
        first.sql(settings_of(PAGE, "first server, as cache, after another version of the program"), user="cache")
        expect("the new column", first.sql("SELECT DISTINCT more FROM cacheledger.all_snapshots WHERE more IS NOT NULL"), "7")

        second.stop()
        expect("without the second server", first.sql(COUNTS.replace("WHERE", "WHERE ledger = 'site2' AND")).count("site2"), 1)


main()
