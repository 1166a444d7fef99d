"""read_site.py SITE PROGRAM DB [whole]: whether the folder SITE is what reports/site/FORMAT.md says, every result in it is what the
PROGRAM prints for the ledger DB, and the ledger in it has the rows of DB. Without `whole`, only the form is read: SITE has
fewer snapshots than DB. Prints what is wrong, and exits with 1."""

import base64
import gzip
import hashlib
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import zlib

import read_atom

BUNDLE = {"index.html", "theme.js", "app.js", "app.css", "licences.txt", "data/sqlite.js", "feed.xml"}
GROUPS = ["overview", "coverage", "matrix", "drift", "reasons", "history", "sizes", "findings"]
KEYS = ["format", "program", "title", "at", "from", "to", "lock", "mirror", "snapshots", "packages", "stacks", "targets", "compilers",
        "wishes_since", "views", "ledger", "groups", "results"]
VIEWS = ["snapshots", "specs", "spec_stacks", "spec_variants", "changes", "pages", "findings", "dependencies", "roots"]
wrong = []


def check(holds, *what):
    if not holds:
        wrong.append(" ".join(map(repr, what)))


def value_of(path, key):
    """The value that a data file gives the pages."""
    data = path.read_bytes()
    check(len(data) <= 5_000_000, "too large", key, len(data))
    text = data.decode("utf-8")
    begin = '(globalThis.CACHELEDGER??={})["%s"]=' % key
    check(text.startswith(begin) and text.endswith(";\n"), "the form of", key)
    body = text[len(begin):-2]
    check(not re.search("[<\u2028\u2029\\x00-\\x1f]", body), "what acts in a script", key)
    value = json.loads(body)
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    check(len(body) >= len(compact) - 20, "blanks or keys twice", key)
    return value


def name_of(key, digests):
    return "data/%s.%s.js" % (key, digests[key])


def unpacked(text):
    """The bytes of gzip in base64, and the size of the gzip. It says no time."""
    packed = base64.b64decode(text, validate=True)
    check(packed[4:8] == bytes(4), "a time in gzip")
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
    data = unzip.decompress(packed)
    check(unzip.eof and not unzip.unused_data, "one gzip stream")
    return data, len(packed)


def ledger_of(about, values, digests):
    """The bytes of the database, from its slices."""
    ledger = about["ledger"]
    keys = ["ledger/%d/%d" % (i // 1000, i) for i in range(ledger["slices"])]
    check(sorted(k for k in values if k.startswith("ledger/")) == sorted(keys), "slices")
    check(ledger["digest"] == digests["ledger"] and values["ledger"] == "".join(digests[key] for key in keys), "digests of slices")
    slices = [unpacked(values[key]) for key in keys]
    size = ledger["page_size"] * ledger["pages_of_slice"]
    check(all(len(data) == size for data, _ in slices[:-1]) and 0 < len(slices[-1][0]) <= size, "the size of a slice")
    check(sum(packed for _, packed in slices) == ledger["compressed"], "compressed")
    data = b"".join(data for data, _ in slices)
    check(len(data) == ledger["bytes"], "bytes")
    check(int.from_bytes(data[16:18], "big") == ledger["page_size"], "page size")
    return data


def check_gzip(site, files):
    """Whether each file but the slices has its gzip beside it."""
    plain = {name for name in files if not name.endswith(".gz")}
    check(files - plain == {name + ".gz" for name in plain if not name.startswith("data/ledger/")}, "files of gzip", files)
    for name in files - plain:
        check(gzip.decompress((site / name).read_bytes()) == (site / name[:-3]).read_bytes(), name)


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
    check_gzip(site, files)
    files = {name for name in files if not name.endswith(".gz")}
    digests = dict(re.fullmatch(r"data/(.+)\.([0-9a-f]{16})\.js", name).groups() for name in files - BUNDLE)
    values = {key: value_of(site / name_of(key, digests), key) for key in digests}
    check(not (found := read_atom.problems_of((site / "feed.xml").read_bytes())), "the feed", found)
    about = values["about"]
    check(files == BUNDLE | {name_of(key, digests) for key in values}, "files", files)
    check(all(hashlib.sha256((site / name_of(key, digests)).read_bytes()).hexdigest()[:16] == digests[key] for key in values), "digests")
    check(about["groups"] == {group: digests["results." + group] for group in GROUPS}, "digests of results")
    check(list(about) == KEYS and about["format"] == 3, "keys of about", list(about))
    check(set(values) == {"about", "reports", "ledger"} | {"results." + g for g in GROUPS} | {k for k in values if k.startswith("ledger/")}, "data")
    reports = json.loads(unpacked(values["reports"])[0])
    check("history/growth" in [one["name"] for one in reports["reports"]], "reports")
    written = [(one["report"], one["arguments"], group, len(one["rows"])) for group in GROUPS for one in values["results." + group]]
    check(written == [(r["report"], r["arguments"], r["group"], r["rows"]) for r in about["results"]], "results in about")
    check("history/growth" in [one[0] for one in written], "no growth")
    check(("diff" in [one[0] for one in written]) == (about["from"] is not None), "words of the pair")
    data = ledger_of(about, values, digests)
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
