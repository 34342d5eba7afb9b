import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { localParser } from "../../../src/reading/parser.ts"
import { makeDocx, makeOdt } from "../../support/office.ts"

const place = { path: "guide.docx", url: "https://mairie.exemple.fr/guide.docx" }

const sections = [
  { headings: [], anchor: null, markdown: "Ouvert le lundi." },
  {
    headings: ["Tarifs"],
    anchor: null,
    markdown:
      "Voir [la grille](https://mairie.exemple.fr/grille).\n\n- Adulte\n- Enfant\n\n| Âge | Prix |\n| --- | --- |\n| 6 ans | 2 € |",
  },
]

test("a Word document keeps its headings, lists, tables and links, and loses its pictures", async () => {
  const file = makeDocx(
    `<w:p><w:pPr><w:pStyle w:val="Titre1"/></w:pPr><w:bookmarkStart w:id="0" w:name="debut"/><w:r><w:t>Guide</w:t></w:r></w:p>
    <w:p><w:r><w:t>Ouvert le </w:t></w:r><w:del><w:r><w:delText>mardi</w:delText></w:r></w:del><w:r><w:t>lundi.</w:t></w:r></w:p>
    <w:p><w:pPr><w:pStyle w:val="Titre2"/></w:pPr><w:r><w:t>Tarifs</w:t></w:r></w:p>
    <w:p><w:r><w:t xml:space="preserve">Voir </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:t>la grille</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>
    <w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Adulte</w:t></w:r></w:p>
    <w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Enfant</w:t></w:r></w:p>
    <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Âge</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Prix</w:t></w:r></w:p></w:tc></w:tr>
    <w:tr><w:tc><w:p><w:r><w:t>6 ans</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2 €</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`,
  )
  expect(await localParser.file(file, place)).toEqual({ ...place, title: "Guide", sections, format: "docx" })
})

test("a document of OpenDocument is read the same way", async () => {
  const file = makeOdt(
    `<text:p text:style-name="P1">Guide</text:p>
    <text:tracked-changes><text:p>mardi</text:p></text:tracked-changes>
    <text:p>Ouvert<text:s/>le <text:span>lundi</text:span>.<office:annotation><text:p>à vérifier</text:p></office:annotation></text:p>
    <text:h text:outline-level="2">Tarifs</text:h>
    <text:p>Voir <text:a xlink:href="https://mairie.exemple.fr/grille">la grille</text:a>.</text:p>
    <text:list><text:list-item><text:p>Adulte</text:p></text:list-item><text:list-item><text:p>Enfant</text:p></text:list-item></text:list>
    <table:table><table:table-row><table:table-cell><text:p>Âge</text:p></table:table-cell><table:table-cell><text:p>Prix</text:p></table:table-cell></table:table-row>
    <table:table-row><table:table-cell><text:p>6 ans</text:p></table:table-cell><table:table-cell><text:p>2 €</text:p></table:table-cell></table:table-row></table:table>`,
  )
  const leftOut = [{ reason: "aside" as const, text: "à vérifier" }]
  const html = { leftOut, doubtful: [], otherTitle: null }
  expect(await localParser.file(file, place)).toEqual({
    ...place,
    title: "Guide",
    sections,
    format: "odt",
    html,
  })
})

test("a document with a password, one of before 2007 and another archive are named as what they are", async () => {
  const ole = (text: string) =>
    Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), Buffer.from(text, "utf16le")])
  const read = (bytes: Uint8Array) => localParser.file(bytes, place)
  expect(await read(ole("EncryptedPackage"))).toEqual({ leftOut: "encrypted" })
  expect(await read(ole("WordDocument"))).toMatchObject({ detail: { code: "reading.oldOffice" } })
  const locked = {
    "content.xml": strToU8("x"),
    "META-INF/manifest.xml": strToU8("<manifest:encryption-data/>"),
  }
  expect(await read(zipSync(locked))).toEqual({ leftOut: "encrypted" })
  expect(await read(zipSync({ "a.txt": strToU8("a") }))).toMatchObject({
    detail: { code: "reading.otherArchive" },
  })
  const sheet =
    "<office:document-content><office:body><office:spreadsheet/></office:body></office:document-content>"
  expect(await read(zipSync({ "content.xml": strToU8(sheet) }))).toMatchObject({
    detail: { code: "reading.otherArchive" },
  })
  expect(await read(strToU8("PK\u0003\u0004 abîmé"))).toMatchObject({ leftOut: "unreadable" })
})

test("an archive is judged by its directory before anything of it is unpacked", async () => {
  const read = (files: Record<string, Uint8Array>) => localParser.file(zipSync(files), place)
  const many = Array.from({ length: 5001 }, (_, at) => [`word/${at}.xml`, new Uint8Array()])
  expect(await read(Object.fromEntries(many))).toMatchObject({ leftOut: "too_large" })
  const bomb = { "content.xml": new Uint8Array(20_000_000) }
  expect(await read(bomb)).toMatchObject({ leftOut: "unreadable", detail: { code: "reading.brokenFile" } })
  const nested = `${"<text:section>".repeat(100_000)}`
  expect(await localParser.file(makeOdt(nested), place)).toMatchObject({ leftOut: "unreadable" })
  const wide = '<table:table-cell table:number-columns-repeated="16384"/>'
  const sheet = makeOdt(
    `<table:table><table:table-row>${wide}</table:table-row></table:table><text:p>Fin</text:p>`,
  )
  expect(await localParser.file(sheet, place)).toMatchObject({ sections: [{ markdown: "Fin" }] })
})
