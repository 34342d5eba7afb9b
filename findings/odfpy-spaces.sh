#!/usr/bin/env bash
# Behaviour: `P(text=…)` of odfpy writes tabs, line breaks and further spaces as they are, which OpenDocument makes one space.
# Expected:  `<text:tab/>`, `<text:line-break/>` and `<text:s/>`: the library has them, in `odf.teletype` alone.
# Versions:  odfpy 1.4.1, pandoc 3.6.1 (pypandoc_binary 1.15)
# Guichet reads such a paragraph as one line, as LibreOffice shows it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet odfpy==1.4.1 pypandoc_binary==1.15

output=$(
  python/bin/python - << 'PYTHON'
import json, subprocess
from importlib.metadata import version
import pypandoc
from odf import teletype
from odf.opendocument import OpenDocumentText
from odf.text import P

hours = "Monday\t9:00\nTuesday\t10:00"
for name in ["text", "teletype"]:
    document = OpenDocumentText()
    paragraph = P(text=hours) if name == "text" else P()
    if name == "teletype": teletype.addTextToElement(paragraph, hours)
    document.text.addElement(paragraph)
    document.save(f"{name}.odt")
print("odfpy", version("odfpy"))
for name in ["text", "teletype"]:
    text = subprocess.run([pypandoc.get_pandoc_path(), "-t", "plain", f"{name}.odt"], capture_output=True, text=True).stdout
    print(name, json.dumps(text))
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
odfpy 1.4.1
text "Monday 9:00 Tuesday 10:00\n"
teletype "Monday 9:00\nTuesday 10:00\n"
SEEN
