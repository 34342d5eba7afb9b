#!/usr/bin/env bash
# Behaviour: mammoth loses a text box that has no form for older programs (`mc:Choice` without `mc:Fallback`), and says nothing of it.
# Expected:  its words are read: the fallback is optional (ISO/IEC 29500-3, 7.5).
# Versions:  mammoth 1.13.0
# Guichet reads DOCX by a reader of its own, which takes the newer form where that holds words (decision 054).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit mammoth@1.13.0

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


box = f"<w:drawing><wps:txbx><w:txbxContent>{paragraph(run('in the box'))}</w:txbxContent></wps:txbx></w:drawing>"
older = f"<w:pict><w:txbxContent>{paragraph(run('in the box'))}</w:txbxContent></w:pict>"
choice = f'<mc:Choice Requires="wps">{box}</mc:Choice>'
both = f"{choice}<mc:Fallback>{older}</mc:Fallback>"
for name, forms in {"alone": choice, "both": both}.items():
    make(f"{name}.docx", paragraph(f"{run('before')}<w:r><mc:AlternateContent>{forms}</mc:AlternateContent></w:r>"))
PYTHON
python3 make.py

cat > read.cjs << 'NODE'
require("mammoth")
  .convertToHtml({ path: process.argv[2] })
  .then(({ value, messages }) => console.log(value, JSON.stringify(messages)))
NODE

output=$(
  echo "mammoth $(node -p 'require("mammoth/package.json").version')"
  echo "new form alone: $(node read.cjs alone.docx)"
  echo "both forms: $(node read.cjs both.docx)"
)
echo "$output"

# Fails once the output is another one than on 28 November 2026.
diff - <(echo "$output") << 'SEEN'
mammoth 1.13.0
new form alone: <p>before</p> []
both forms: <p>before</p><p>in the box</p> []
SEEN
