"""read_atom.py < FEED: whether it is a feed as RFC 4287 says, of what the program writes. Prints what is wrong, and exits with 1; else
the titles of its entries, from the first on."""

import re
import sys
import xml.etree.ElementTree as xml

ATOM = "{http://www.w3.org/2005/Atom}"
ONCE = ["title", "id", "updated"]  # 4.1.1 and 4.1.2: exactly one of each
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
URN = re.compile(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def problems_of(data):
    try:
        feed = xml.fromstring(data)
    except xml.ParseError as error:
        return ["no XML: %s" % error]
    wrong = []

    def check(holds, *what):
        if not holds:
            wrong.append(" ".join(map(str, what)))

    def check_common(element, allowed):
        for name in ONCE:
            check(len(element.findall(ATOM + name)) == 1, "not one", name, "in", element.tag)
        check(MOMENT.fullmatch(element.findtext(ATOM + "updated", "")), "no moment (3.3)", element.findtext(ATOM + "updated"))
        check(URN.fullmatch(element.findtext(ATOM + "id", "")), "no UUID", element.findtext(ATOM + "id"))
        check(element.findtext(ATOM + "title", "").strip(), "an empty title")
        for child in element:
            check(child.tag in {ATOM + name for name in allowed}, "unknown", child.tag)
            if child.tag == ATOM + "category":
                check(child.get("term"), "a category without a term (4.2.2.1)")
            if child.tag == ATOM + "link":
                check(child.get("href"), "a link without href (4.2.7.1)")

    check(feed.tag == ATOM + "feed", "no feed", feed.tag)
    check_common(feed, ONCE + ["author", "link", "entry"])
    check(len(feed.findall(ATOM + "author/" + ATOM + "name")) == 1, "no author (4.1.1)")
    entries = feed.findall(ATOM + "entry")
    for entry in entries:
        check_common(entry, ONCE + ["category", "content"])
        content = entry.findall(ATOM + "content")
        check(len(content) == 1 and content[0].get("type") == "html", "no content")
        try:  # 3.1.1.2: HTML, here also XML
            xml.fromstring("<div>%s</div>" % (content[0].text or ""))
        except xml.ParseError as error:
            check(False, "no HTML:", error, content[0].text)
        terms = [(one.get("scheme"), one.get("term")) for one in entry.findall(ATOM + "category")]
        check(len(set(terms)) == len(terms), "a category twice", terms)
    ids = [one.findtext(ATOM + "id") for one in [feed, *entries]]
    check(len(set(ids)) == len(ids), "an id twice (4.1.1)")
    moments = [one.findtext(ATOM + "updated") for one in entries]
    check(moments == sorted(moments, reverse=True), "not from new to old", moments)
    check(not moments or feed.findtext(ATOM + "updated") == moments[0], "the moment of the feed")
    return wrong


if __name__ == "__main__":
    text = sys.stdin.buffer.read()
    found = problems_of(text)
    for line in found or [one.findtext(ATOM + "title") for one in xml.fromstring(text).iter(ATOM + "entry")]:
        print(line)
    sys.exit(1 if found else 0)
