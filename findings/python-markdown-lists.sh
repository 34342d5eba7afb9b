#!/usr/bin/env bash
# Behaviour: Python-Markdown, and so MkDocs, flattens a list nested by two spaces, numbers from 1 what begins with 3, and ends a list at a fence indented by three.
# Expected:  as CommonMark and GitHub: a nested list, `start="3"`, and code within the item.
# Versions:  Markdown 3.11.3, markdown-it-py 4.0.0
# Guichet reads MkDocs sites' files as CommonMark: it keeps levels and numbers that the built page has lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet Markdown==3.11.3 markdown-it-py==4.0.0

output=$(
  python/bin/python - << 'PYTHON'
from importlib.metadata import version
import markdown
from markdown_it import MarkdownIt

print("Markdown", version("Markdown"), "- markdown-it-py", version("markdown-it-py"))
for text in ["- a\n  - b\n", "3. three\n4. four\n", "1. a\n\n   ```\n   x\n   ```\n2. b\n"]:
    print(repr(text))
    print("  Python-Markdown:", markdown.markdown(text, extensions=["fenced_code"]).replace("\n", ""))
    print("  markdown-it-py: ", MarkdownIt().render(text).replace("\n", ""))
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
Markdown 3.11.3 - markdown-it-py 4.0.0
'- a\n  - b\n'
  Python-Markdown: <ul><li>a</li><li>b</li></ul>
  markdown-it-py:  <ul><li>a<ul><li>b</li></ul></li></ul>
'3. three\n4. four\n'
  Python-Markdown: <ol><li>three</li><li>four</li></ol>
  markdown-it-py:  <ol start="3"><li>three</li><li>four</li></ol>
'1. a\n\n   ```\n   x\n   ```\n2. b\n'
  Python-Markdown: <ol><li>a</li></ol><p><code>x</code>2. b</p>
  markdown-it-py:  <ol><li><p>a</p><pre><code>x</code></pre></li><li><p>b</p></li></ol>
SEEN
