#!/usr/bin/env bash
# Behaviour: Pandoc reads no automatic numbers of headings of a DOCX: « Article 2 – Fees » is « Fees », and « see article 2 » leads nowhere. Those of list items it keeps.
# Expected:  the number is part of the heading, as Word and LibreOffice show and print it.
# Versions:  pandoc 3.6.1 (pypandoc_binary 1.15), python-docx 1.2.0
# Guichet counts them (decision 054).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet pypandoc_binary==1.15 python-docx==1.2.0

output=$(
  python/bin/python - << 'PYTHON'
import subprocess
import docx, pypandoc
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

document = docx.Document()
numbering = document.part.numbering_part.element
level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading1"/><w:lvlText w:val="Article %1 –"/></w:lvl>'
numbering.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="99">{level}</w:abstractNum>'))
numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="99"><w:abstractNumId w:val="99"/></w:num>'))
properties = document.styles["Heading 1"].element.get_or_add_pPr()
properties.append(parse_xml(f'<w:numPr {nsdecls("w")}><w:numId w:val="99"/></w:numPr>'))
for text in ["Purpose", "Fees"]: document.add_heading(text, 1)
for text in ["one", "two"]: document.add_paragraph(text, style="List Number")
document.save("numbers.docx")
print("pandoc", pypandoc.get_pandoc_version())
print(subprocess.run([pypandoc.get_pandoc_path(), "-t", "markdown", "numbers.docx"], capture_output=True, text=True).stdout)
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
pandoc 3.6.1
# Purpose

# Fees

1.  one

2.  two
SEEN
