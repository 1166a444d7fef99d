"""read_back.py FOLDER NAME: whether NAME.csv, .html, .markdown and .table in FOLDER say what NAME.json says, and nothing
of it acts on a reader: each is read by a parser that is not the program's. With a third word, `safe`, whether each is
safe alone (diff, whose formats differ in what they hold). Prints what is wrong, and exits with 1."""

import csv
import html
import html.parser
import io
import json
import pathlib
import re
import sys
import unicodedata

BLANK_TAGS = {"br", "meta"}
TAGS = BLANK_TAGS | {"html", "head", "title", "style", "body", "h1", "table", "thead", "tbody", "tr", "th", "td"}
JOINERS = "\u200c\u200d"
wrong = []


def check(holds, *what):
    if not holds:
        wrong.append(" ".join(map(repr, what)))


def shows(character, before):
    if character in JOINERS:
        return before > "~"
    return unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp")


def escaped(character):
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    form = "\\x%02x" if character < "\x80" else "\\u{%x}"
    return named.get(character) or form % ord(character)


def visible(text):
    """What people are to see of a text."""
    return "".join(c if shows(c, before) else escaped(c) for before, c in zip("\0" + text, text))


def lines(text):
    """The same, where the format has ends of lines."""
    return "\n".join(visible(line) for line in re.split("\r?\n", text))


def collapsed(text):
    """As a browser shows blanks."""
    return re.sub(" +", " ", text).strip(" ")


def check_visible(text):
    bad = [c for before, c in zip("\0" + text, text) if c != "\n" and not shows(c, before)]
    check(not bad, "characters that act or don't show", bad[:5])


class Page(html.parser.HTMLParser):
    """The cells of a document's one table; anything but text in them is wrong."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.rows, self.open = [], []
        self.feed(text)
        self.close()
        check(not self.open, "tags that stay open", self.open)

    def handle_starttag(self, tag, attributes):
        check(tag in TAGS, "a tag", tag)
        values = dict(attributes)
        for name in values:
            check(name in ("class", "lang", "charset", "http-equiv", "content"), "an attribute", name)
        check(values.get("class") in (None, "number"), "a class", values)
        if tag not in BLANK_TAGS:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
        if tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag):
        check(self.open and self.open.pop() == tag, "an end of", tag)

    def handle_data(self, data):
        if self.open and self.open[-1] in ("th", "td"):
            self.rows[-1][-1] += data

    def handle_comment(self, data):
        check(False, "a comment", data)


def read_html(text):
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    check('<meta http-equiv="Content-Security-Policy" content="%s">' % policy in text, "no policy")
    check_visible(text)
    return Page(text).rows


ESCAPE = r"\\[!-/:-@\[-`{-~]"


def cell_of_markdown(source):
    """The text that GitHub shows of a cell. What it would take for anything else is wrong."""
    bare = re.sub(ESCAPE, "x", source).replace("<br>", "x")
    for markup in ("<", "`", "[", "|", "$", "://"):
        check(markup not in bare, markup, source)
    check("www." not in bare.lower(), "a link", source)
    # Emphasis ends with a mark behind a text.
    check(not re.search(r"\S[*~]|\S_(?![A-Za-z0-9])", bare), "emphasis", source)
    text = re.sub("(%s)|<br>" % ESCAPE, lambda m: "&#%d;" % ord(m[1][1]) if m[1] else "\n", source)
    return html.unescape(text)


def read_markdown(text):
    check_visible(text)
    rows = []
    for line in text.split("\n"):
        if line.startswith("|"):
            cells = re.findall(r"\|((?:%s|[^|])*)" % ESCAPE, line)
            check(cells.pop() == "" and line.endswith("|"), "an open row", line)
            rows.append([cell_of_markdown(cell.strip(" ")) for cell in cells])
    return rows


def as_text(value, null=""):
    return null if value is None else value


def main():
    folder, name = pathlib.Path(sys.argv[1]), sys.argv[2]
    text = {}
    for form in ("json", "csv", "html", "markdown", "table"):
        data = (folder / (name + "." + form)).read_bytes()
        text[form] = data.decode("utf-8", "surrogateescape" if form == "csv" else "strict")
    check_visible(text["json"])
    check_visible(text["table"])
    read = list(csv.reader(io.StringIO(text["csv"], newline=""), strict=True))
    pages, markdown = read_html(text["html"]), read_markdown(text["markdown"])
    check(len({len(row) for row in read}) == 1, "csv: rows of different sizes")
    check(len({len(row) for row in pages}) == 1, "html: rows of different sizes")
    document = json.loads(text["json"], parse_int=str, parse_float=str)
    if sys.argv[3:] != ["safe"] and document:
        columns = list(document[0])
        rows = [list(row.values()) for row in document]
        clean = [[as_text(cell) for cell in row] for row in rows]
        check(read == [columns] + clean, "csv", read, clean)
        check(pages == [[lines(cell) for cell in row] for row in [columns] + clean], "html", pages, clean)
        markdown.pop(1)  # the rule
        shown = [[collapsed(lines(cell)) for cell in row] for row in [columns] + clean]
        check([[collapsed(cell) for cell in row] for row in markdown] == shown, "markdown", markdown, shown)
        table = text["table"].split("\n")
        rule = next(i for i, line in enumerate(table) if re.fullmatch("[- ]+", line))
        body = table[rule + 1:rule + 1 + len(rows)]  # totals may follow, which no other format has
        check(len(body) == len(rows), "table: rows", len(body), len(rows))
        for line, row in zip(body, rows):
            for cell in row:
                is_shown = visible(as_text(cell, "-")).rstrip(" ") in line
                check(is_shown or cell == "0" and "·" in line, "table", line, cell)  # · in a matrix
    print("\n".join(problem[:2000] for problem in wrong[:5]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
