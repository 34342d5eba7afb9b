#!/usr/bin/env bash
# Behaviour: `getTextContent` of pdf.js leaves soft hyphens (U+00AD) out, and Typst writes one wherever it parts a word: its halves stand on two lines like two words.
# Expected:  the letter, as `getOperatorList` gives it, or a mark that the line ends within a word.
# Versions:  pdfjs-dist 5.4.296, typst 0.15.2
# Guichet reads the operators of a page instead.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet typst==0.15.2
npm install --silent --no-audit --no-fund pdfjs-dist@5.4.296
cat > parted.typ <<'END'
#set page(width: 6cm, height: 5cm, margin: 1cm)
#set text(lang: "fr", size: 11pt, hyphenate: true)
#set par(justify: true)
Les renseignements complémentaires anticonstitutionnellement demandés.
END
venv/bin/python -c 'import typst; typst.compile("parted.typ", output="parted.pdf")'
cat > read.mjs <<'END'
import { readFileSync } from "node:fs"
import { getDocument, OPS, version } from "pdfjs-dist/legacy/build/pdf.mjs"
const data = new Uint8Array(readFileSync("parted.pdf"))
const page = await (await getDocument({ data, verbosity: 0 }).promise).getPage(1)
const { items } = await page.getTextContent()
const { fnArray, argsArray } = await page.getOperatorList()
const glyphs = argsArray.flatMap((args, at) => (fnArray[at] === OPS.showText ? args[0] : []))
const soft = (text) => [...text].filter((letter) => letter === "\u00ad").length
console.log(`pdfjs-dist ${version}, typst 0.15.2`)
console.log(`soft hyphens in getTextContent: ${soft(items.map(({ str }) => str).join(""))}`)
console.log(`soft hyphens in getOperatorList: ${soft(glyphs.map((glyph) => glyph.unicode ?? "").join(""))}`)
END
output=$(node read.mjs)
echo "$output"

# Fails once the output is another one than on 28 November 2026.
diff - <(echo "$output") << 'SEEN'
pdfjs-dist 5.4.296, typst 0.15.2
soft hyphens in getTextContent: 0
soft hyphens in getOperatorList: 3
SEEN
