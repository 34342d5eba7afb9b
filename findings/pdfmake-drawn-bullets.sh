#!/usr/bin/env bash
# Behaviour: the marks of a list that pdfmake makes are drawn circles: no reader of text finds one. Those of a numbered list are text.
# Expected:  « • » as text, as LaTeX, Typst, WeasyPrint, ReportLab and LibreOffice write it.
# Versions:  pdfmake 0.3.11, pdfjs-dist 5.4.296
# Chromium draws them too. Guichet takes a small dot alone before a line for the mark of an item (decision 055).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit pdfmake@0.3.11 pdfjs-dist@5.4.296

cat > make.cjs << 'NODE'
const pdfmake = require("pdfmake")
pdfmake.setFonts({ Helvetica: { normal: "Helvetica" } })
const content = [{ ul: ["alpha", "beta"] }, { ol: ["gamma", "delta"] }]
pdfmake.createPdf({ content, defaultStyle: { font: "Helvetica" } }).write("list.pdf")
NODE
node make.cjs
cat > read.mjs << 'NODE'
import { readFileSync } from "node:fs"
import { getDocument, version } from "pdfjs-dist/legacy/build/pdf.mjs"
const data = new Uint8Array(readFileSync("list.pdf"))
const page = await (await getDocument({ data, verbosity: 0 }).promise).getPage(1)
const { items } = await page.getTextContent()
const made = JSON.parse(readFileSync("node_modules/pdfmake/package.json", "utf8")).version
console.log(`pdfmake ${made}, pdfjs-dist ${version}`)
console.log(items.map(({ str }) => str).filter((text) => text.trim() !== "").join(" "))
NODE
output=$(node read.mjs)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
pdfmake 0.3.11, pdfjs-dist 5.4.296
alpha beta gamma 1. delta 2.
SEEN
