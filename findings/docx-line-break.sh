#!/usr/bin/env bash
# Behaviour: `docx` writes a line break and a tab in the text of a run as they are, so that every reader shows a space.
# Expected:  `<w:br/>` and `<w:tab/>`, as python-docx writes them for the same text.
# Versions:  docx 9.15.2, python-docx 1.2.0, pandoc 3.6.1 (pypandoc_binary 1.15)
# Guichet reads such a paragraph as one line, as Word shows it: an address and a telephone number stand beside each other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit docx@9.15.2
python3 -m venv python
python/bin/pip install --quiet python-docx==1.2.0 pypandoc_binary==1.15

cat > make.cjs << 'NODE'
const { Document, Packer, Paragraph, TextRun } = require("docx")
const children = [new Paragraph({ children: [new TextRun("Monday\t9:00\nTuesday\t10:00")] })]
Packer.toBuffer(new Document({ sections: [{ children }] })).then((file) => require("node:fs").writeFileSync("node.docx", file))
NODE
node make.cjs

output=$(
  python/bin/python - << 'PYTHON'
import json, subprocess
import docx, pypandoc

document = docx.Document()
document.add_paragraph("Monday\t9:00\nTuesday\t10:00")
document.save("python.docx")
print("docx", json.load(open("node_modules/docx/package.json"))["version"], "- python-docx", docx.__version__)
for name in ["node.docx", "python.docx"]:
    text = subprocess.run([pypandoc.get_pandoc_path(), "-t", "plain", name], capture_output=True, text=True).stdout
    print(name, json.dumps(text))
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
docx 9.15.2 - python-docx 1.2.0
node.docx "Monday 9:00 Tuesday 10:00\n"
python.docx "Monday 9:00\nTuesday 10:00\n"
SEEN
