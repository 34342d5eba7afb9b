#!/usr/bin/env bash
# Behaviour: WeasyPrint parts words by U+2010 at the end of a line, never by the hyphen of the keyboard.
# Expected:  U+002D, as TeX and LibreOffice write it: what joins « exem-/ple » again by that sign leaves two halves.
# Versions:  weasyprint 70.0, pypdf 7.1.1
# Guichet takes either sign, and learns from the document which one parts its words (decision 055).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet weasyprint==70.0 pypdf==7.1.1

output=$(
  python/bin/python - << 'PYTHON'
from importlib.metadata import version
import pypdf
import weasyprint

style = "@page { size: 5cm 8cm; margin: .4cm } p { hyphens: auto; text-align: justify }"
text = "Les renseignements complémentaires anticonstitutionnellement demandés : c’est-à-dire l’avant-dernier."
weasyprint.HTML(string=f'<html lang="fr"><style>{style}</style><p>{text}</p></html>').write_pdf("parted.pdf")
read = pypdf.PdfReader("parted.pdf").pages[0].extract_text()
print("weasyprint", version("weasyprint"))
ends = [line[-1] for line in read.split("\n") if line and not line[-1].isalnum()]
print("ends of lines:", sorted({f"U+{ord(sign):04X}" for sign in ends if sign in "-\u2010\u00ad"}))
print("keyboard hyphens within lines:", read.count("-") > 0)
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
weasyprint 70.0
ends of lines: ['U+2010']
keyboard hyphens within lines: True
SEEN
