#!/usr/bin/env bash
# Behaviour: slugs lose or change letters of French: @sindresorhus/slugify (Eleventy) makes œ a hyphen, writes ü as `ue` and `€` as `e`, Python-Markdown (MkDocs) drops œ and æ.
# Expected:  `coeur`, `emmaus`: it knows æ, ß and ø, and what is a letter stays one.
# Versions:  @sindresorhus/slugify 2.2.1, Markdown 3.11.3
# Guichet makes the same ids, so that its links lead to the headings.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-fund --no-audit @sindresorhus/slugify@2.2.1
python3 -m venv venv
venv/bin/pip install --quiet Markdown==3.11.3
cat > slugs.js << 'NODE'
import slugify from "@sindresorhus/slugify"
import { readFileSync } from "node:fs"

const { version } = JSON.parse(readFileSync("node_modules/@sindresorhus/slugify/package.json", "utf8"))
console.log("@sindresorhus/slugify", version, ...["Cœur", "Ex æquo", "Emmaüs", "10 €"].map((title) => slugify(title)))
NODE
output=$(
  node slugs.js
  venv/bin/python - << 'PYTHON'
import markdown
from markdown.extensions.toc import slugify

print("Markdown", markdown.__version__, *(slugify(title, "-") for title in ("Cœur", "Ex æquo", "Emmaüs", "10 €")))
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
@sindresorhus/slugify 2.2.1 c-ur ex-aequo emmaues 10-e
Markdown 3.11.3 cur ex-quo emmaus 10
SEEN
