"""read_back.py FOLDER NAME: whether NAME.csv, .html, .markdown and .table in FOLDER say what NAME.json says, and nothing
of it acts on a reader: each is read by a parser that is not the program's. With a third word, `safe`, whether each is
safe alone (diff, whose formats differ in what they hold). Prints what is wrong, and exits with 1."""

import base64
import csv
import hashlib
import html
import html.parser
import io
import json
import pathlib
import re
import sys
import unicodedata
import xml.etree.ElementTree

BLANK_TAGS = {"br", "meta"}
TAGS = BLANK_TAGS | {
    "html", "head", "title", "style", "script", "body", "h1", "h2", "p", "code", "ul", "li", "section", "figure", "div",
    "table", "thead", "tbody", "tr", "th", "td"}
# Within <svg>, and only there.
PICTURE_TAGS = {"title", "desc", "g", "line", "path", "circle", "text", "rect"}
NUMBER = r"-?[0-9]+(\.[0-9]+)?"
COLOUR = "none|currentColor|#[0-9a-f]{6}"
# What the value of an attribute can be, in any tag.
ATTRIBUTES = {
    "class": "number|wide|list", "lang": "en", "charset": "utf-8", "http-equiv": "Content-Security-Policy", "name": "viewport"}
PICTURE_ATTRIBUTES = {
    "viewbox": "0 0 %s %s" % (NUMBER, NUMBER), "role": "img", "aria-labelledby": "chart-title chart-text",
    "id": "chart-title|chart-text", "font-family": "system-ui, sans-serif", "text-anchor": "start|middle|end",
    "fill": COLOUR, "stroke": COLOUR, "d": "M[0-9. HV-]+", "stroke-linejoin": "round", "xmlns": "http://www.w3.org/2000/svg",
    "color": COLOUR, "transform": r"translate\(0 %s\)" % NUMBER}
PICTURE_NUMBERS = {
    "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "font-size", "stroke-width", "stroke-opacity"}
SOURCE = pathlib.Path(__file__).resolve().parents[3] / "reports/render/html"
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


def without_units(rows, columns):
    """What people read says the unit of percentages: "churn %"."""
    return [[name if cell == name + " %" else cell for cell, name in zip(rows[0], columns)]] + rows[1:] if rows else rows


def collapsed(text):
    """As a browser shows blanks."""
    return re.sub(" +", " ", text).strip(" ")


def check_visible(text):
    bad = [c for before, c in zip("\0" + text, text) if c != "\n" and not shows(c, before)]
    check(not bad, "characters that act or don't show", bad[:5])


class Page(html.parser.HTMLParser):
    """The cells of a document's tables; anything but text in them is wrong."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tables, self.open, self.own = [], [], {"style": [], "script": []}
        self.feed(text)
        self.close()
        check(not self.open, "tags that stay open", self.open)

    def check_attribute(self, tag, name, value):
        in_picture = "svg" in self.open or tag == "svg"
        if name == "content" and tag == "meta":
            return  # read_html() looks at both
        if in_picture and name in PICTURE_NUMBERS:
            check(re.fullmatch(NUMBER, value or ""), "a number", name, value)
            return
        known = PICTURE_ATTRIBUTES if in_picture else ATTRIBUTES
        check(name in known and re.fullmatch(known[name], value or ""), "an attribute", tag, name, value)

    def handle_starttag(self, tag, attributes):
        check(tag in (PICTURE_TAGS if "svg" in self.open else TAGS | {"svg"}), "a tag", tag)
        check(tag != "svg" or self.open[-1:] in ([], ["figure"]), "a picture in", self.open)
        for name, value in attributes:
            self.check_attribute(tag, name, value)
        if tag not in BLANK_TAGS:
            self.open.append(tag)
        if tag in self.own:
            self.own[tag].append("")
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
        if tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag):
        check(self.open and self.open.pop() == tag, "an end of", tag)

    def handle_data(self, data):
        if self.open and self.open[-1] in self.own:
            self.own[self.open[-1]][-1] += data
        elif "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data

    def handle_comment(self, data):
        check(False, "a comment", data)


def digest(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def read_html(text):
    """The rows of each table. The page has the style and the script of the program once, and nothing else may act."""
    page = Page(text)
    own = {tag: (SOURCE / name).read_text() for tag, name in (("style", "page.css"), ("script", "page.js"))}
    check(page.own == {tag: [one] for tag, one in own.items()}, "a style or a script", page.own)
    policy = "default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'" % (
        digest(own["style"]), digest(own["script"]))
    head = '<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="%s">\n' \
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>' % policy
    check(head in text and text.count("<meta") == 3, "no policy")
    check_visible(text)
    return page.tables


def read_svg(text):
    """A picture of its own; anything but shapes and text in it is wrong."""
    page = Page(text)
    check(text.startswith("<svg ") and text.count("<svg") == 1 and not page.tables, "a picture")
    xml.etree.ElementTree.fromstring(text)
    check_visible(text)


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
    tables, markdown = read_html(text["html"]), read_markdown(text["markdown"])
    check(len({len(row) for row in read}) == 1, "csv: rows of different sizes")
    check(all(len({len(row) for row in rows}) == 1 for rows in tables), "html: rows of different sizes")
    picture = folder / (name + ".svg")
    if picture.exists():
        read_svg(picture.read_text(encoding="utf-8"))
    document = json.loads(text["json"], parse_int=str, parse_float=str)
    if sys.argv[3:] != ["safe"] and document:
        columns = list(document[0])
        rows = [list(row.values()) for row in document]
        clean = [[as_text(cell) for cell in row] for row in rows]
        check(read == [columns] + clean, "csv", read, clean)
        tables = [without_units(rows_of_table, columns) for rows_of_table in tables]
        check(tables == [[[lines(cell) for cell in row] for row in [columns] + clean]], "html", tables, clean)
        markdown.pop(1)  # the rule
        markdown = without_units(markdown, columns)
        shown = [[collapsed(lines(cell)) for cell in row] for row in [columns] + clean]
        check([[collapsed(cell) for cell in row] for row in markdown] == shown, "markdown", markdown, shown)
        table = text["table"].split("\n")
        rule = next(i for i, line in enumerate(table) if re.fullmatch("[- ]+", line))
        body = table[rule + 1:rule + 1 + len(rows)]  # totals may follow, which no other format has
        check(len(body) == len(rows), "table: rows", len(body), len(rows))
        empty = {column for column, cells in zip(columns[1:], list(zip(*rows))[1:])
                 if len(rows) > 1 and set(cells) == {None} and any(
                     line.startswith("no row has a value: ") and column in line for line in table[:rule])}
        for line, row in zip(body, rows):
            for column, cell in zip(columns, row):
                if column == "checked_at" or column in empty:  # the table leaves it out
                    continue
                is_shown = visible(as_text(cell, "-")).rstrip(" ") in line
                check(is_shown or cell == "0" and "·" in line, "table", line, cell)  # · in a matrix
    print("\n".join(problem[:2000] for problem in wrong[:5]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
