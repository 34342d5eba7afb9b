#!/usr/bin/env bash
# Behaviour: mammoth and Pandoc read the text of a DOCX that is hidden (`w:vanish`), and say nothing of it.
# Expected:  it is left out: Word and LibreOffice neither show nor print it, and its authors take it for unpublished.
# Versions:  mammoth 1.13.0, pandoc 3.6.1 (pypandoc_binary 1.15)
# Guichet reads DOCX by a reader of its own, which leaves hidden words out and tells the owner (decision 054).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit mammoth@1.13.0
python3 -m venv python
python/bin/pip install --quiet pypandoc_binary==1.15

cat > make.py << 'PYTHON'
import zipfile

word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
packaged = "http://schemas.openxmlformats.org/package/2006"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
document = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def make(path, body, others=None, links=""):
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="{document}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{packaged}/relationships"><Relationship Id="rId1" Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{packaged}/relationships">{links}</Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{word}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:body>{body}</w:body></w:document>',
    } | (others or {})
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


def run(text, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(runs, properties=""):
    return f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"


make("hidden.docx", paragraph(run("shown") + run(" hidden", "<w:vanish/>")))
PYTHON
python3 make.py

cat > read.cjs << 'NODE'
require("mammoth")
  .convertToHtml({ path: process.argv[2] })
  .then(({ value, messages }) => console.log(value, JSON.stringify(messages)))
NODE

output=$(
  echo "mammoth $(node -p 'require("mammoth/package.json").version')"
  pandoc=$(python/bin/python -c 'import pypandoc; print(pypandoc.get_pandoc_path())')
  "$pandoc" --version | head -n 1
  echo "mammoth: $(node read.cjs hidden.docx)"
  echo "pandoc: $("$pandoc" -t plain hidden.docx)"
)
echo "$output"

# Fails once the output is another one than on 28 November 2026.
diff - <(echo "$output") << 'SEEN'
mammoth 1.13.0
pandoc 3.6.1
mammoth: <p>shown hidden</p> []
pandoc: shown hidden
SEEN
