#!/usr/bin/env bash
# Behaviour: feedgen writes the content of an entry with `type="CDATA"` as `<content type="CDATA">` into its Atom feed, which makes it no text for readers.
# Expected:  `type="html"` with a CDATA section, as its RSS feed has it; Atom knows text, html, xhtml and media types alone (RFC 4287, 4.1.3.1).
# Versions:  feedgen 1.0.0, feedparser 6.0.12
# Guichet reads the links of a feed, and the pages that they lead to.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet feedgen==1.0.0 feedparser==6.0.12
output=$(
  python/bin/python - << 'PYTHON'
from importlib.metadata import version
import feedparser
from feedgen.feed import FeedGenerator

print("feedgen", version("feedgen"), "- feedparser", version("feedparser"))
feed = FeedGenerator()
feed.id("https://site.example/")
feed.title("Site")
feed.link(href="https://site.example/", rel="alternate")
feed.description("News")
entry = feed.add_entry()
entry.id("https://site.example/a")
entry.title("A")
entry.link(href="https://site.example/a")
entry.summary("Résumé")
entry.content("<p>Texte</p>", type="CDATA")
for name, text in [("RSS", feed.rss_str()), ("Atom", feed.atom_str())]:
    written = text.decode()
    tag = "content:encoded" if name == "RSS" else "content"
    print(name, written[written.index(f"<{tag}") : written.index(f"</{tag}>")])
    read = feedparser.parse(text).entries[0]
    print("  feedparser:", [(content.type, content.value) for content in read.get("content", [])])
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
feedgen 1.0.0 - feedparser 6.0.12
RSS <content:encoded><![CDATA[<p>Texte</p>]]>
  feedparser: [('text/html', '<p>Texte</p>')]
Atom <content type="CDATA"><![CDATA[<p>Texte</p>]]>
  feedparser: [('cdata', '<p>Texte</p>')]
SEEN
