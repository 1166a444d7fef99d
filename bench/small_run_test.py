"""That the benchmark runs on a small history and writes what it promises. Looks at no time: small_run_test.py PROGRAM WORK"""

import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
ROW_KEYS = {"name", "unit", "best", "median", "runs"}
EXPECTED = ("ingest --history, all 3 states", "file growth per further state", "peak memory, all 3 states",
            "ingest of a folder, a further state", "diff of adjacent states, json", "report history/growth")


def main():
    if shutil.which("git") is None:
        print("git is not there")
        sys.exit(SKIPPED)
    program, work = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    script = pathlib.Path(__file__).with_name("run_history.py")
    result = work / "small.json"
    subprocess.run([sys.executable, script, "--program", program, "--work", work, "--json", result, "--runs", "1",
                    "--states", "3", "--packages", "50", "--specs", "1000"], check=True)
    written = json.loads(result.read_text())
    assert {"program", "options", "machine", "measurements", "skipped"} <= written.keys(), written.keys()
    assert all(ROW_KEYS <= row.keys() for row in written["measurements"])
    names = {row["name"] for row in written["measurements"]}
    assert names.issuperset(EXPECTED), names
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
