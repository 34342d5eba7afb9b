#!/usr/bin/env bash
# Behaviour: where footnotes are no extension, `[^1]: gratuit` is the definition of a link to « gratuit »: the note is gone and its mark a link. `[^1]: très cher` stays as text.
# Expected:  both stay as they are written, since CommonMark has no footnotes.
# Versions:  commonmark 0.31.2, marked 18.2.1, markdown-it 14.1.0
# By the rules (CommonMark 4.7): a label may begin with `^`. Guichet reads footnotes before its parser sees them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit commonmark@0.31.2 marked@18.2.1 markdown-it@14.1.0

output=$(
  node - << 'NODE'
const { readFileSync } = require("node:fs")
const { HtmlRenderer, Parser } = require("commonmark")
const { marked } = require("marked")
const markdownIt = require("markdown-it")
const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version
console.log(["commonmark", "marked", "markdown-it"].map((name) => `${name} ${versionOf(name)}`).join(", "))
const text = "a[^1] b[^2]\n\n[^1]: gratuit\n\n[^2]: très cher\n"
const oneLine = (html) => html.replaceAll("\n", "")
console.log("commonmark: ", oneLine(new HtmlRenderer().render(new Parser().parse(text))))
console.log("marked:     ", oneLine(marked.parse(text)))
console.log("markdown-it:", oneLine(markdownIt().render(text)))
NODE
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
commonmark 0.31.2, marked 18.2.1, markdown-it 14.1.0
commonmark:  <p>a<a href="gratuit">^1</a> b[^2]</p><p>[^2]: très cher</p>
marked:      <p>a<a href="gratuit">^1</a> b[^2]</p><p>[^2]: très cher</p>
markdown-it: <p>a<a href="gratuit">^1</a> b[^2]</p><p>[^2]: très cher</p>
SEEN
