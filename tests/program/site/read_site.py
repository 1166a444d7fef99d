"""read_site.py SITE PROGRAM DB [whole]: whether the folder SITE is what reports/site/FORMAT.md says, every result in it is what the
PROGRAM prints for the ledger DB, and the ledger in it has the rows of DB. Without `whole`, only the form is read: SITE has
fewer snapshots than DB. Prints what is wrong, and exits with 1."""

import base64
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import zlib

BUNDLE = {"index.html", "theme.js", "app.js", "app.css", "licences.txt", "data/sqlite.js"}
GROUPS = ["overview", "coverage", "matrix", "drift", "history", "findings"]
KEYS = ["format", "program", "title", "at", "from", "to", "lock", "mirror", "snapshots", "packages", "stacks", "targets", "compilers", "views",
        "ledger", "results"]
VIEWS = ["snapshots", "specs", "spec_stacks", "spec_variants", "changes", "pages", "findings", "dependencies", "roots"]
wrong = []


def check(holds, *what):
    if not holds:
        wrong.append(" ".join(map(repr, what)))


def value_of(path):
    """The value that a data file gives the pages."""
    data = path.read_bytes()
    check(len(data) <= 5_000_000, "too large", path.name, len(data))
    text = data.decode("utf-8")
    key = path.name.removesuffix(".js")
    begin = '(globalThis.CACHELEDGER??={})["%s"]=' % key
    check(text.startswith(begin) and text.endswith(";\n"), "the form of", path.name)
    body = text[len(begin):-2]
    check(not re.search("[<\u2028\u2029\\x00-\\x1f]", body), "what acts in a script", path.name)
    value = json.loads(body)
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    check(len(body) >= len(compact) - 20, "blanks or keys twice", path.name)
    return value


def ledger_of(about, values):
    """The bytes of the database, from its slices."""
    count = about["ledger"]["slices"]
    check(sorted(k for k in values if k.startswith("ledger.")) == sorted("ledger.%d" % i for i in range(count)), "slices")
    parts = [base64.b64decode(values["ledger.%d" % i], validate=True) for i in range(count)]
    check(all(0 < len(part) <= 3_600_000 for part in parts), "a slice", [len(part) for part in parts])
    check(sum(map(len, parts)) == about["ledger"]["compressed"], "compressed")
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
    data = unzip.decompress(b"".join(parts))
    check(unzip.eof and not unzip.unused_data, "one gzip stream")
    check(len(data) == about["ledger"]["bytes"], "bytes")
    return data


def rows_of(database, view):
    cursor = database.execute('SELECT * FROM "%s"' % view)
    columns = [column[0] for column in cursor.description]
    # A site does not say when a series was checked: the same ledger gives the same site.
    kept = [i for i, column in enumerate(columns) if column != "checked_at"]
    return columns, sorted(([row[i] for i in kept] for row in cursor.fetchall()), key=repr)


def compare_ledgers(data, original):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "ledger.db"
        file.write_bytes(data)
        slim = sqlite3.connect(file)
        full = sqlite3.connect("file:%s?mode=ro" % original, uri=True)
        for database in (slim, full):
            database.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        check(slim.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "integrity")
        check(slim.execute("PRAGMA journal_mode").fetchone() == ("delete",), "journal mode")
        check(slim.execute("PRAGMA freelist_count").fetchone() == (0,), "free pages")
        for pragma in ("application_id", "user_version", "page_size"):
            check(slim.execute("PRAGMA " + pragma).fetchone() == full.execute("PRAGMA " + pragma).fetchone(), pragma)
        for view in VIEWS:
            check(rows_of(slim, view) == rows_of(full, view), "rows of", view)
        slim.close()
        full.close()


def options_of(arguments):
    """--NAME VALUE for each argument; NULL is the default, and is not typed."""
    return [word for name, value in arguments.items() if value is not None for word in ("--%s=%s" % (name, value),)]


def compare_words(result, program, db):
    """The words are those of diff, and so are the numbers of its lists."""
    command = [program, "--db", db, "diff", result["arguments"]["from"], result["arguments"]["to"], "--summary", "--format", "json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    rows = {part: [row for row in result["rows"] if row[0] in part.split()] for part in ("sentence", "remark reasons", "gone", "count")}
    check([row[1] for row in rows["sentence"]] == [told["sentence"]], "sentence", rows["sentence"], told["sentence"])
    check([row[1] for row in rows["remark reasons"]] == [one["remark"] for one in told["remarks"]], "remarks", rows["remark reasons"])
    check(bool(rows["gone"]) == bool(told["gone"]), "gone", rows["gone"])
    counts = [[one["kind"], one["count"]] for one in told["summary"]] + [["unobserved", len(told["unobserved"])]]
    check([row[1:] for row in rows["count"]] == counts, "counts", rows["count"], counts)


def compare_results(about, values, program, db):
    for result in [one for group in GROUPS for one in values["results." + group]]:
        if result["report"] == "diff":
            compare_words(result, program, db)
            continue
        command = [program, "--db", db, "report", result["report"], "--format", "json", *options_of(result["arguments"])]
        run = subprocess.run(command, capture_output=True, text=True)
        check(run.returncode == 0, command, run.stderr)
        rows = json.loads(run.stdout or "[]")
        check([list(row.values()) for row in rows] == result["rows"], "rows of", result["report"], result["rows"], rows)
        check(not rows or list(rows[0]) == result["columns"], "columns of", result["report"])


def main():
    site, program, db = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    values = {path.name.removesuffix(".js"): value_of(path) for path in (site / "data").iterdir() if path.name != "sqlite.js"}
    about = values["about"]
    check(files == BUNDLE | {"data/%s.js" % key for key in values}, "files", files)
    check(list(about) == KEYS and about["format"] == 1, "keys of about", list(about))
    check(set(values) == {"about", "reports"} | {"results." + g for g in GROUPS} | {k for k in values if k.startswith("ledger.")}, "data")
    written = [(one["report"], one["arguments"], group, len(one["rows"])) for group in GROUPS for one in values["results." + group]]
    check(written == [(r["report"], r["arguments"], r["group"], r["rows"]) for r in about["results"]], "results in about")
    check("history/growth" in [one[0] for one in written], "no growth")
    check(("diff" in [one[0] for one in written]) == (about["from"] is not None), "words of the pair")
    data = ledger_of(about, values)
    if sys.argv[4:] == ["whole"]:
        compare_ledgers(data, db)
        compare_results(about, values, program, db)
        full = sqlite3.connect("file:%s?mode=ro" % db, uri=True)
        full.text_factory = lambda text: text.decode("utf-8", "replace")
        check([s["name"] for s in about["snapshots"]] ==
              [n for (n,) in full.execute("SELECT name FROM snapshots ORDER BY series, taken_at, name")], "snapshots")
    print("\n".join(problem[:2000] for problem in wrong[:5]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
