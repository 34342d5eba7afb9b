#!/usr/bin/env bash
# Behaviour: with the setting `auto_id_prefix` that Sphinx has, a reference to a footnote takes the next of `id1`, `id2` …, which headings get whose title came before or has no letter: a note added above moves the ids of such headings.
# Expected:  ids of headings by the headings alone: `#id1` leads to a note's number where it led to a section.
# Versions:  docutils 0.22.4
# Guichet gives no such id on a Sphinx page with footnotes, and leads to the page.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet docutils==0.22.4
output=$(
  venv/bin/python - << 'PYTHON'
import docutils
from docutils import nodes
from docutils.core import publish_doctree

print("docutils", docutils.__version__)
for name, note, foot in (("without a note", "", ""), ("with a note", " [1]_", "\n.. [1] Note.\n")):
    text = f"Exemple\n=======\n\nA{note}.\n\nExemple\n=======\n\nB.\n{foot}"
    ids = [section["ids"][0] for section in publish_doctree(text, settings_overrides={"report_level": 5, "auto_id_prefix": "id"}).findall(nodes.section)]
    print(name, *ids)
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
docutils 0.22.4
without a note exemple id1
with a note exemple id2
SEEN
