#!/usr/bin/env bash
# Behaviour: html-to-docx numbers every ordered list from 1, whatever its `start`.
# Expected:  `<ol start="3">` begins with 3, in the document as on the page.
# Versions:  html-to-docx 1.8.0, pandoc 3.6.1 (pypandoc_binary 1.15)
# Guichet reads the numbers that Word shows (decision 054): a step 3 of such a file is its step 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit html-to-docx@1.8.0
python3 -m venv python
python/bin/pip install --quiet pypandoc_binary==1.15

cat > make.cjs << 'NODE'
require("html-to-docx")('<ol start="3"><li>three</li><li>four</li></ol>').then((file) => require("node:fs").writeFileSync("list.docx", file))
NODE
node make.cjs

output=$(
  python/bin/python - << 'PYTHON'
import json, subprocess
import pypandoc

print("html-to-docx", json.load(open("node_modules/html-to-docx/package.json"))["version"])
print(subprocess.run([pypandoc.get_pandoc_path(), "-t", "plain", "list.docx"], capture_output=True, text=True).stdout)
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
html-to-docx 1.8.0
1.  three

2.  four
SEEN
