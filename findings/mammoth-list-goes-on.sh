#!/usr/bin/env bash
# Behaviour: mammoth numbers from 1 again what a list of a DOCX counts on behind a paragraph.
# Expected:  `<ol start="3">`: both paragraphs have the same `w:numId`, and Word, LibreOffice and Pandoc show 3.
# Versions:  mammoth 1.13.0
# Guichet reads DOCX by a reader of its own, which counts (decision 054): « voir l’étape 3 » has to lead somewhere.
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


numbering = f'<w:numbering xmlns:w="{word}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
link = f'<Relationship Id="n" Type="{office}/numbering" Target="numbering.xml"/>'
item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
steps = [paragraph(run("one"), item), paragraph(run("two"), item), paragraph(run("between")), paragraph(run("three"), item)]
make("list.docx", "".join(steps), {"word/numbering.xml": numbering}, link)
PYTHON
python3 make.py

cat > read.cjs << 'NODE'
require("mammoth")
  .convertToHtml({ path: process.argv[2] })
  .then(({ value, messages }) => console.log(value, JSON.stringify(messages)))
NODE

output=$(
  echo "mammoth $(node -p 'require("mammoth/package.json").version')"
  node read.cjs list.docx
)
echo "$output"

# Fails once the output is another one than on 28 November 2026.
diff - <(echo "$output") << 'SEEN'
mammoth 1.13.0
<ol><li>one</li><li>two</li></ol><p>between</p><ol><li>three</li></ol> []
SEEN
