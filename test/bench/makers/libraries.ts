import { asTypst, guide, title } from "./guide.ts"
import type { Maker } from "./maker.ts"

/** Libraries are found by `GUICHET_MAKERS`: a folder with Python's `bin/python3` and Node's `node_modules`. */
const folder = process.env["GUICHET_MAKERS"] ?? ""
const python = `${folder}/bin/python3`

/** The guide as data, which a script reads. */
const blocks = JSON.stringify({ title, guide })

const byPython = (
  name: string,
  module: string,
  output: string,
  script: string,
  then: string[][] = [],
): Maker => ({
  name,
  program: python,
  version: [python, "-c", `from importlib.metadata import version as v; print(v("${module}"))`],
  input: ["make.py", `import json\ndata = json.loads(r'''${blocks}''')\nguide = data["guide"]\n${script}`],
  commands: [[python, "make.py"], ...then],
  output,
})

const byNode = (name: string, module: string, output: string, script: string): Maker => ({
  name,
  program: folder === "" ? "" : "node",
  version: ["node", "-p", `require("${folder}/node_modules/${module}/package.json").version`],
  input: [
    "make.cjs",
    `const { title, guide } = ${blocks}\nconst library = require("${folder}/node_modules/${module}")\n${script}`,
  ],
  commands: [["node", "make.cjs"]],
  output,
})

export const libraries: Maker[] = [
  byPython(
    "python-docx",
    "python-docx",
    "guide.docx",
    `import docx
document = docx.Document()
document.add_heading(data["title"], 0)
for block in guide:
    if block["kind"] == "heading": document.add_heading(block["text"], block["level"])
    if block["kind"] == "text": document.add_paragraph(block["text"] + (" (" + block["note"] + ")" if "note" in block else ""))
    for item in block.get("items", []): document.add_paragraph(item, style="List Bullet")
    if block["kind"] == "table":
        table = document.add_table(0, 3)
        for row in block["rows"]:
            for cell, text in zip(table.add_row().cells, row): cell.text = text
document.save("guide.docx")
`,
  ),
  byPython(
    "odfpy",
    "odfpy",
    "guide.odt",
    `from odf.opendocument import OpenDocumentText
from odf.text import H, P, List, ListItem, Note, NoteBody, NoteCitation
from odf.table import Table, TableColumn, TableRow, TableCell
document = OpenDocumentText()
for block in guide:
    if block["kind"] == "heading": document.text.addElement(H(outlinelevel=block["level"], text=block["text"]))
    if block["kind"] == "text":
        paragraph = P(text=block["text"])
        if "note" in block:
            note = Note(noteclass="footnote")
            note.addElement(NoteCitation(text="1"))
            body = NoteBody()
            body.addElement(P(text=block["note"]))
            note.addElement(body)
            paragraph.addElement(note)
        document.text.addElement(paragraph)
    if block["kind"] == "list":
        made = List()
        for text in block["items"]:
            item = ListItem()
            item.addElement(P(text=text))
            made.addElement(item)
        document.text.addElement(made)
    if block["kind"] == "table":
        table = Table(name="a")
        table.addElement(TableColumn(numbercolumnsrepeated=3))
        for row in block["rows"]:
            made = TableRow()
            for text in row:
                cell = TableCell(valuetype="string")
                cell.addElement(P(text=text))
                made.addElement(cell)
            table.addElement(made)
        document.text.addElement(table)
document.save("guide.odt")
`,
  ),
  byPython(
    "ReportLab",
    "reportlab",
    "guide.pdf",
    `from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Table
styles = getSampleStyleSheet()
story = [Paragraph(data["title"], styles["Title"])]
for block in guide:
    if block["kind"] == "heading": story.append(Paragraph(block["text"], styles[f"Heading{block['level']}"]))
    if block["kind"] == "text": story.append(Paragraph(block["text"] + (" (" + block["note"] + ")" if "note" in block else ""), styles["BodyText"]))
    if block["kind"] == "list": story.append(ListFlowable([ListItem(Paragraph(text, styles["BodyText"])) for text in block["items"]], bulletType="bullet"))
    if block["kind"] == "table": story.append(Table(block["rows"], repeatRows=1))
SimpleDocTemplate("guide.pdf", pagesize=A5, title=data["title"]).build(story)
`,
  ),
  byPython(
    "fpdf2",
    "fpdf2",
    "guide.pdf",
    `from fpdf import FPDF
pdf = FPDF(format="A5")
pdf.add_font("dejavu", fname="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
pdf.add_font("dejavu", style="B", fname="/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")
pdf.add_page()
pdf.set_font("dejavu", size=18)
pdf.multi_cell(0, 10, data["title"], new_x="LMARGIN", new_y="NEXT")
for block in guide:
    if block["kind"] == "heading":
        pdf.set_font("dejavu", size=16 - 2 * block["level"])
        pdf.multi_cell(0, 9, block["text"], new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("dejavu", size=10)
    if block["kind"] == "text": pdf.multi_cell(0, 5, block["text"] + (" (" + block["note"] + ")" if "note" in block else ""), new_x="LMARGIN", new_y="NEXT")
    for item in block.get("items", []): pdf.multi_cell(0, 5, "• " + item, new_x="LMARGIN", new_y="NEXT")
    if block["kind"] == "table":
        with pdf.table() as table:
            for row in block["rows"]:
                made = table.row()
                for text in row: made.cell(text)
pdf.output("guide.pdf")
`,
  ),
  byPython(
    "Typst",
    "typst",
    "guide.pdf",
    `import typst
open("guide.typ", "w").write(r'''${asTypst()}''')
typst.compile("guide.typ", output="guide.pdf")
`,
  ),
  {
    holds: "row",
    ...byPython(
      "openpyxl, printed by LibreOffice Calc",
      "openpyxl",
      "guide.pdf",
      `import openpyxl
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Tarifs"
sheet.print_title_rows = "1:1"
sheet.column_dimensions["A"].width = 20
for block in guide:
    for row in block.get("rows", []): sheet.append(row)
book.save("guide.xlsx")
`,
      [["soffice", "--headless", "--convert-to", "pdf", "guide.xlsx"]],
    ),
  },
  byNode(
    "docx (npm)",
    "docx",
    "guide.docx",
    `const { Document, FootnoteReferenceRun, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } = library
const children = guide.flatMap((block) => {
  if (block.kind === "heading") return [new Paragraph({ text: block.text, heading: HeadingLevel["HEADING_" + block.level] })]
  if (block.kind === "list") return block.items.map((text) => new Paragraph({ text, bullet: { level: 0 } }))
  if (block.kind === "table") return [new Table({ rows: block.rows.map((row) => new TableRow({ children: row.map((text) => new TableCell({ children: [new Paragraph(text)] })) })) })]
  return [new Paragraph({ children: [new TextRun(block.text), ...(block.note ? [new FootnoteReferenceRun(1)] : [])] })]
})
const notes = guide.flatMap(({ note }) => note ?? [])
const footnotes = Object.fromEntries(notes.map((note, at) => [at + 1, { children: [new Paragraph(note)] }]))
Packer.toBuffer(new Document({ title, footnotes, sections: [{ children }] })).then((file) => require("node:fs").writeFileSync("guide.docx", file))
`,
  ),
  byNode(
    "pdfmake",
    "pdfmake",
    "guide.pdf",
    `const faces = "/usr/share/fonts/truetype/dejavu/"
const fonts = { DejaVu: { normal: faces + "DejaVuSans.ttf", bold: faces + "DejaVuSans-Bold.ttf" } }
const content = [{ text: title, fontSize: 22 }, ...guide.map((block) => {
  if (block.kind === "heading") return { text: block.text, fontSize: 20 - 3 * block.level, bold: true }
  if (block.kind === "list") return { ul: block.items }
  if (block.kind === "table") return { table: { headerRows: 1, body: block.rows } }
  return block.text + (block.note ? " (" + block.note + ")" : "")
})]
const definition = { info: { title }, pageSize: "A5", defaultStyle: { font: "DejaVu", fontSize: 10 }, content }
if (library.setFonts) {
  library.setFonts(fonts)
  library.createPdf(definition).write("guide.pdf")
} else {
  const made = new library(fonts).createPdfKitDocument(definition)
  made.pipe(require("node:fs").createWriteStream("guide.pdf"))
  made.end()
}
`,
  ),
]
