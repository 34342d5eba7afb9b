#!/usr/bin/env bash
# Behaviour: openpyxl and exceljs undo the escape `_x005F_` in shared strings of a workbook, and not in inline ones (`t="inlineStr"`).
# Expected:  in both: `t` is an ST_Xstring in either place (ISO/IEC 29500-1, 18.4.12 and 22.9.2.19), and SheetJS undoes both.
# Versions:  openpyxl 3.1.5, exceljs 4.4.0, xlsx 0.18.5
# Guichet writes inline strings with this escape, as Excel reads them: a text such as `_x000D_` shows its escape in these two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit exceljs@4.4.0 xlsx@0.18.5
python3 -m venv python
python/bin/pip install --quiet openpyxl==3.1.5

cat > make.py << 'PYTHON'
import zipfile

sheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
packaged = "http://schemas.openxmlformats.org/package/2006"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
overrides = {"workbook": "sheet.main", "worksheets/sheet1": "worksheet", "sharedStrings": "sharedStrings"}


def relationships(*targets):
    links = [f'<Relationship Id="r{at}" Type="{office}/{type}" Target="{target}"/>' for at, (type, target) in enumerate(targets)]
    return f'<Relationships xmlns="{packaged}/relationships">{"".join(links)}</Relationships>'


# Both cells hold the eight characters `_x000D_`.
escaped = "_x005F_x000D_"
types = "".join(f'<Override PartName="/xl/{name}.xml" ContentType="{kind}.{type}+xml"/>' for name, type in overrides.items())
parts = {
    "[Content_Types].xml": f'<Types xmlns="{packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
    "_rels/.rels": relationships(("officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": f'<workbook xmlns="{sheet}" xmlns:r="{office}"><sheets><sheet name="a" sheetId="1" r:id="r0"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": relationships(("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")),
    "xl/sharedStrings.xml": f'<sst xmlns="{sheet}"><si><t>{escaped}</t></si></sst>',
    "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{sheet}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>{escaped}</t></is></c></row></sheetData></worksheet>',
}
with zipfile.ZipFile("escapes.xlsx", "w") as archive:
    for name, text in parts.items():
        archive.writestr(name, text)
PYTHON
python3 make.py

output=$(
  echo "shared and inline string of _x005F_x000D_"
  python/bin/python - << 'PYTHON'
import openpyxl

print("openpyxl", openpyxl.__version__, *(cell.value for cell in openpyxl.load_workbook("escapes.xlsx").active[1]))
PYTHON
  node - << 'NODE'
const { Workbook } = require("exceljs")
const xlsx = require("xlsx")
const book = new Workbook()
book.xlsx.readFile("escapes.xlsx").then(() => {
  const { version } = require("exceljs/package.json")
  console.log("exceljs", version, ...book.worksheets[0].getRow(1).values.slice(1))
  const { A1, B1 } = xlsx.readFile("escapes.xlsx").Sheets.a
  console.log("xlsx", xlsx.version, A1.v, B1.v)
})
NODE
)
echo "$output"

# Fails once the output is another one than on 28 November 2026.
diff - <(echo "$output") << 'SEEN'
shared and inline string of _x005F_x000D_
openpyxl 3.1.5 _x000D_ _x005F_x000D_
exceljs 4.4.0 _x000D_ _x005F_x000D_
xlsx 0.18.5 _x000D_ _x000D_
SEEN
