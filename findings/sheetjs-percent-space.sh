#!/usr/bin/env bash
# Behaviour: SheetJS shows 0.2 in the number format `0 %`, which French authors write with its space, as `0.2`.
# Expected:  `20 %`, as Excel and LibreOffice show it, and as SheetJS shows `0%` without the space.
# Versions:  xlsx 0.18.5
# Guichet reads no workbooks: it asks for them as PDF, as their readers see them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit xlsx@0.18.5

output=$(
  node - << 'NODE'
const xlsx = require("xlsx")
console.log("xlsx", xlsx.version)
for (const z of ["0%", "0 %", "0.0%", "0.0 %"]) {
  const book = { SheetNames: ["a"], Sheets: { a: { "!ref": "A1", A1: { t: "n", v: 0.2, z } } } }
  const read = xlsx.read(xlsx.write(book, { type: "buffer" }))
  console.log(JSON.stringify(z), JSON.stringify(xlsx.utils.sheet_to_csv(read.Sheets.a).trim()))
}
NODE
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
xlsx 0.18.5
"0%" "20%"
"0 %" "0.2"
"0.0%" "20.0%"
"0.0 %" "0.2"
SEEN
