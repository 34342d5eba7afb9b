import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import type { Document } from "../../../src/reading/formats/document.ts"
import { localParser } from "../../../src/reading/parser.ts"
import { type DocxParts, makeDocx, makeOdt } from "../../support/office.ts"

// Every construct that decides what a reader of an office document sees, as the programs write it.

async function read(file: Uint8Array<ArrayBuffer>): Promise<Document> {
  const found = await localParser.file(file, { path: "guide", url: "https://mairie.exemple.fr/guide" })
  if ("leftOut" in found) throw new Error(JSON.stringify(found))
  return found
}

/** The text with its headings, as `# Heading`. */
function textOf({ sections }: Document): string {
  return sections
    .map(({ headings, markdown }) => {
      const heading = headings.length === 0 ? "" : `${"#".repeat(headings.length)} ${headings.at(-1)}`
      return [heading, markdown].filter(Boolean).join("\n")
    })
    .join("\n")
}

const docx = async (body: string, parts?: DocxParts) => textOf(await read(makeDocx(body, parts)))
const odt = async (body: string, parts?: { automatic?: string; styles?: string }) =>
  textOf(await read(makeOdt(body, parts)))

const p = (text: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const styled = (style: string) => `<w:pStyle w:val="${style}"/>`
const lost = ({ html }: Document) => html?.leftOut.map(({ reason, text }) => `${reason}: ${text}`)

const noteMark = (kind: string) => `<w:r><w:${kind}Reference w:id="2"/></w:r>`
const noted = `<w:p>${run("Gratuit avant trois ans")}${noteMark("footnote")}${run(". Le bonnet est obligatoire")}${noteMark("endnote")}${run(".")}</w:p>`
const footnotes = `<w:footnote w:id="0" w:type="separator"><w:p/></w:footnote><w:footnote w:id="2">${p("Sur justificatif.")}</w:footnote>`
const endnotes = `<w:endnote w:id="2">${p("Sauf bébés.")}</w:endnote>`
const withNotes = "Gratuit avant trois ans. (Sur justificatif.) Le bonnet est obligatoire. (Sauf bébés.)"

test("a foot- or endnote of Word is read in brackets after its sentence", async () => {
  expect(await docx(noted, { footnotes, endnotes })).toBe(withNotes)
})

test("the main part of Word may have another name and folder, and parts others than usual", async () => {
  expect(await docx(noted, { footnotes, endnotes, main: "contenu/texte.xml" })).toBe(withNotes)
})

test("a broken part costs that part alone, and the owner is told", async () => {
  const broken = {
    as: { "word/footnotes-1.xml": "<w:x>".repeat(400), "docProps/core.xml": "<a>".repeat(400) },
  }
  const document = await read(makeDocx(noted, { footnotes, endnotes, ...broken }))
  expect(textOf(document)).toBe("Gratuit avant trois ans. Le bonnet est obligatoire. (Sauf bébés.)")
  expect(lost(document)).toContain("unreadable: word/footnotes-1.xml")
})

test("a document without any other part is read, by the names of its styles", async () => {
  const none = { "word/styles-1.xml": "", "word/numbering-1.xml": "" }
  expect(await docx(p("Horaires", styled("Heading2")) + p("Ouvert."), { as: none })).toBe(
    "# Horaires\nOuvert.",
  )
})

test("comments, headers and footers of Word are none of the text, and the owner is told", async () => {
  const comments = `<w:comment w:id="1">${p("à vérifier")}</w:comment>`
  const document = await read(makeDocx(p("Ouvert le lundi."), { comments, header: p("Mairie fictive") }))
  expect(textOf(document)).toBe("Ouvert le lundi.")
  expect(lost(document)).toEqual(["navigation: Mairie fictive", "aside: à vérifier"])
})

const hiddenStyles = `<w:style w:type="character" w:styleId="Interne"><w:name w:val="Interne"/><w:rPr><w:vanish/></w:rPr></w:style>
  <w:style w:type="character" w:styleId="Interne2"><w:name w:val="Interne 2"/><w:basedOn w:val="Interne"/></w:style>
  <w:style w:type="paragraph" w:styleId="Caché"><w:name w:val="Caché"/><w:rPr><w:vanish/></w:rPr></w:style>`

test.each([
  ["by itself", `<w:p>${run("Code 4521", "<w:vanish/>")}</w:p>`],
  ["by its style", `<w:p>${run("Code 4521", '<w:rStyle w:val="Interne"/>')}</w:p>`],
  ["by a style based on one", `<w:p>${run("Code 4521", '<w:rStyle w:val="Interne2"/>')}</w:p>`],
  ["by its paragraph's style", p("Code 4521", styled("Caché"))],
  ["as white letters on paper", `<w:p>${run("Code 4521", '<w:color w:val="FFFFFF"/>')}</w:p>`],
  ["as deleted", `<w:p><w:del><w:r><w:delText>Code 4521</w:delText></w:r></w:del></w:p>`],
  ["as moved away", `<w:p><w:moveFrom>${run("Code 4521")}</w:moveFrom></w:p>`],
])("words of Word that are hidden %s are not read", async (_, hidden) => {
  expect(await docx(p("Ouvert.") + hidden, { styles: hiddenStyles })).toBe("Ouvert.")
})

test.each([
  ["are shown after all", `<w:p>${run("Visible", '<w:rStyle w:val="Interne"/><w:vanish w:val="0"/>')}</w:p>`],
  [
    "are white on a colour",
    `<w:p>${run("Visible", '<w:color w:val="FFFFFF"/><w:shd w:fill="1F3864"/>')}</w:p>`,
  ],
  [
    "are white in a table, which may be coloured",
    `<w:tbl><w:tr><w:tc><w:p>${run("Visible", '<w:color w:val="FFFFFF"/>')}</w:p></w:tc></w:tr></w:tbl>`,
  ],
])("words of Word that %s are read", async (_, shown) => {
  expect(await docx(p("Ouvert.") + shown, { styles: hiddenStyles })).toContain("Visible")
})

test("hidden words of Word are told to the owner", async () => {
  const document = await read(
    makeDocx(`${p("Ouvert.")}<w:p>${run("Code ", "<w:vanish/>")}${run("4521", "<w:vanish/>")}</w:p>`),
  )
  expect(lost(document)).toEqual(["hidden: Code 4521"])
})

const headingStyles = `<w:style w:type="paragraph" w:styleId="Chapitre"><w:name w:val="Chapitre Mairie"/><w:basedOn w:val="Titre1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Sous"><w:name w:val="Sous-chapitre"/><w:basedOn w:val="Rubrique"/></w:style>
  <w:style w:type="paragraph" w:styleId="Rubrique"><w:name w:val="Rubrique"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="T2"><w:name w:val="Titre 2"/></w:style>
  <w:style w:type="paragraph" w:styleId="Rond"><w:name w:val="Rond"/><w:basedOn w:val="Rond2"/></w:style>
  <w:style w:type="paragraph" w:styleId="Rond2"><w:name w:val="Rond 2"/><w:basedOn w:val="Rond"/></w:style>`

test.each([
  ["based on a heading's", styled("Chapitre"), 1],
  ["with an outline level", styled("Rubrique"), 2],
  ["based on one with an outline level", styled("Sous"), 2],
  ["that is only called « Titre 2 »", styled("T2"), 2],
  ["of no heading, with an outline level of its own", '<w:outlineLvl w:val="1"/>', 2],
])("a paragraph in a style %s is a heading", async (_, properties, level) => {
  const text = `${p("Guide", styled("Titre1"))}${p("Texte.")}${p("Tarifs", properties)}${p("Un euro.")}`
  expect(await docx(text, { styles: headingStyles })).toBe(
    `Texte.\n${"#".repeat(level > 1 ? level - 1 : 1)} Tarifs\nUn euro.`,
  )
})

test("styles that are based on each other end", async () => {
  expect(await docx(p("Texte.", styled("Rond")), { styles: headingStyles })).toBe("Texte.")
})

test("a line of bold letters alone is a heading, below those by style; a bold sentence or list item is none", async () => {
  const bold = (text: string, list = "") => `<w:p><w:pPr>${list}</w:pPr>${run(text, "<w:b/>")}</w:p>`
  const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
  expect(
    await docx(
      p("Payer", styled("Titre1")) +
        bold("Changer d’adresse") +
        p("Écrivez à la mairie avec un justificatif.") +
        bold("Attention, c’est long.") +
        bold("Carte", item) +
        p("Signé à la mairie par une personne.") +
        bold("Le Maire"),
    ),
  ).toBe(
    "# Changer d’adresse\nÉcrivez à la mairie avec un justificatif.\n\n**Attention, c’est long.**\n\n- **Carte**\n\nSigné à la mairie par une personne.\n\n**Le Maire**",
  )
})

const articles = `<w:abstractNum w:abstractNumId="5"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Article"/><w:lvlText w:val="Article %1 –"/></w:lvl>
    <w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl><w:lvl w:ilvl="2"><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%3)"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="6"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>
  <w:num w:numId="5"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="6"/></w:num>
  <w:num w:numId="7"><w:abstractNumId w:val="6"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`
const articleStyle = `<w:style w:type="paragraph" w:styleId="Article"><w:name w:val="Article"/><w:basedOn w:val="Titre2"/><w:pPr><w:numPr><w:numId w:val="5"/></w:numPr></w:pPr></w:style>`
const at = (list: number, depth = 0) =>
  `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`

test("automatic numbers of Word are part of the heading, and count on below it", async () => {
  const text = [
    p("Règlement", styled("Titre1")),
    p("Objet", styled("Article")),
    p("Le marché a lieu le mardi.", at(5, 1)),
    p("Tarifs", styled("Article")),
    p("Un euro le mètre.", at(5, 1)),
    p("Deux euros l’étal.", at(5, 1)),
    p("couvert", at(5, 2)),
  ]
  expect(await docx(text.join(""), { styles: articleStyle, numbering: articles })).toBe(
    "# Article 1 – Objet\n- 1.1 Le marché a lieu le mardi.\n# Article 2 – Tarifs\n- 2.1 Un euro le mètre.\n- 2.2 Deux euros l’étal.\n\n  - i) couvert",
  )
})

test("a numbered list of Word goes on behind a paragraph, and begins anew where it is told to", async () => {
  const text = [
    p("un", at(6)),
    p("deux", at(6)),
    p("Ensuite :"),
    p("trois", at(6)),
    p("Ailleurs :"),
    p("un", at(7)),
  ]
  expect(await docx(text.join(""), { numbering: articles })).toBe(
    "1. un\n2. deux\n\nEnsuite :\n\n3. trois\n\nAilleurs :\n\n1. un",
  )
})

test("a list of contents of Word is none of the text, whatever makes it one", async () => {
  const styles = `<w:style w:type="paragraph" w:styleId="TM1"><w:name w:val="toc 1"/></w:style>`
  const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const instruction = '<w:r><w:instrText> TOC \\o "1-3" </w:instrText></w:r>'
  const control = `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${p("Sommaire")}${p("Payer 2")}</w:sdtContent></w:sdt>`
  const byField = `<w:p>${field("begin")}${instruction}${field("separate")}${run("Payer 2")}</w:p>${p("Tarifs 3")}<w:p>${field("end")}</w:p>`
  for (const contents of [p("Payer 2", styled("TM1")), control, byField])
    expect(await docx(p("Sommaire", styled("Titre1")) + contents + p("Bienvenue."), { styles })).toBe(
      "Bienvenue.",
    )
})

test("Word's text boxes, links by field, formulas and merged cells are read where they stand", async () => {
  const box = (text: string) => `<w:drawing><w:txbxContent>${p(text)}</w:txbxContent></w:drawing>`
  const choice = `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box("Avant le 15 juin.")}</mc:Choice><mc:Fallback>${box("Avant le 15 juin.")}</mc:Fallback></mc:AlternateContent></w:r>`
  const link = `<w:fldSimple w:instr=' HYPERLINK "https://mairie.exemple.fr/payer" '>${run("payer en ligne")}</w:fldSimple>`
  const formula =
    "<m:oMath><m:r><m:t>P=</m:t></m:r><m:f><m:num><m:r><m:t>R+1</m:t></m:r></m:num><m:den><m:r><m:t>12</m:t></m:r></m:den></m:f></m:oMath>"
  const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`
  const table = `<w:tbl><w:tr>${cell("Service", '<w:vMerge w:val="restart"/>')}${cell("Prix", '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell("", "<w:vMerge/>")}${cell("2 €")}${cell("3 €")}</w:tr></w:tbl>`
  expect(
    await docx(
      `<w:p>${run("Inscription.")}${choice}</w:p><w:p>${run("Il faut ")}${link}${run(" : ")}${formula}</w:p>${table}`,
    ),
  ).toBe(
    "Inscription.\n\nAvant le 15 juin.\n\nIl faut [payer en ligne](https://mairie.exemple.fr/payer) : P=(R+1)/12\n\n| Service | Prix |  |\n| --- | --- | --- |\n| Service | 2 € | 3 € |",
  )
})

test("a text box in a text box is read once, however many hold one another", async () => {
  const nest = (inner: string) =>
    `<w:r><w:drawing><w:txbxContent><w:p>${run("x")}${inner}</w:p></w:txbxContent></w:drawing></w:r>`
  const boxes = Array.from({ length: 30 }).reduce<string>(nest, "")
  expect((await docx(`<w:p>${run("x")}${boxes}</w:p>`)).match(/x/g)).toHaveLength(31)
})

test("a heading in a cell of a table of data is plain words; the boxes of a page keep theirs", async () => {
  const cell = (...paragraphs: string[]) => `<w:tc>${paragraphs.join("")}</w:tc>`
  const head = (text: string) => cell(p(text, styled("Titre2")))
  const data = `<w:tbl><w:tr>${head("Salle")}${head("Prix")}</w:tr><w:tr>${cell(p("Grande"))}${cell(p("9 €"))}</w:tr></w:tbl>`
  expect(await docx(data)).toBe("| Salle | Prix |\n| --- | --- |\n| Grande | 9 € |")
  const box = `<w:tbl><w:tr>${cell(p("Horaires", styled("Titre2")), p("Le lundi."))}${cell(p("Tarifs", styled("Titre2")), p("Un euro."))}</w:tr></w:tbl>`
  expect(await docx(box)).toBe("# Horaires\nLe lundi.\n# Tarifs\nUn euro.")
})

test("namespaces may have any prefix, and the strict form of the standard is read", async () => {
  const main = `<ns0:document xmlns:ns0="http://purl.oclc.org/ooxml/wordprocessingml/main"><ns0:body><ns0:p><ns0:r><ns0:t>Ouvert.</ns0:t></ns0:r></ns0:p></ns0:body></ns0:document>`
  expect(await docx("", { as: { "word/document.xml": main } })).toBe("Ouvert.")
})

const span = (style: string, text: string) => `<text:span text:style-name="${style}">${text}</text:span>`
const textStyle = (name: string, properties: string, parent = "") =>
  `<style:style style:name="${name}" style:family="text"${parent && ` style:parent-style-name="${parent}"`}><style:text-properties ${properties}/></style:style>`

test.each([
  ["a span", `<text:p>Ouvert.</text:p><text:p>${span("T1", "Code 4521")}</text:p>`],
  ["a style based on one", `<text:p>Ouvert.</text:p><text:p>${span("T2", "Code 4521")}</text:p>`],
  ["white letters", `<text:p>Ouvert.</text:p><text:p>${span("T3", "Code 4521")}</text:p>`],
  [
    "a section",
    '<text:p>Ouvert.</text:p><text:section text:display="none"><text:p>Code 4521</text:p></text:section>',
  ],
  [
    "a hidden paragraph",
    '<text:p>Ouvert.</text:p><text:p><text:hidden-paragraph text:is-hidden="true"/>Code 4521</text:p>',
  ],
])("words of OpenDocument that are hidden by %s are not read, and the owner is told", async (_, body) => {
  const automatic = `${textStyle("T1", 'text:display="none"')}${textStyle("T2", 'fo:color="#123456"', "T1")}${textStyle("T3", 'fo:color="#ffffff"')}`
  const document = await read(makeOdt(body, { automatic }))
  expect(textOf(document)).toBe("Ouvert.")
  expect(lost(document)).toEqual(["hidden: Code 4521"])
})

test("notes, headings, numbers and lists of contents of OpenDocument are read as its readers see them", async () => {
  const styles = `<text:outline-style><text:outline-level-style text:level="1"/><text:outline-level-style text:level="2" style:num-format="1" style:num-prefix="Article " style:num-suffix=" –"/></text:outline-style>
    <style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"/>
    <text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-bullet text:level="2" text:bullet-char="•"/></text:list-style>`
  const automatic =
    '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Heading_20_1"/>'
  const note =
    '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Sur justificatif.</text:p></text:note-body></text:note>'
  const item = (text: string) => `<text:list-item>${text}</text:list-item>`
  const body = `<text:p text:style-name="P2">Règlement</text:p>
    <text:table-of-content><text:index-body><text:p>Objet 2</text:p></text:index-body></text:table-of-content>
    <text:h text:outline-level="2">Objet</text:h><text:p>Gratuit avant trois ans${note}. Le bonnet est obligatoire.</text:p>
    <text:h text:outline-level="2">Pièces</text:h>
    <text:list xml:id="l1" text:style-name="L1">${item("<text:p>carte</text:p><text:p>en cours de validité</text:p>")}${item("<text:p>photo</text:p><text:list><text:list-item><text:p>récente</text:p></text:list-item></text:list>")}</text:list>
    <text:p>Ensuite :</text:p><text:list text:continue-list="l1" text:style-name="L1">${item("<text:p>attendre</text:p>")}</text:list>`
  const document = await read(makeOdt(body, { automatic, styles }))
  expect(document.title).toBe("Règlement")
  expect(textOf(document)).toBe(
    "# Article 1 – Objet\nGratuit avant trois ans. (Sur justificatif.) Le bonnet est obligatoire.\n# Article 2 – Pièces\n1. carte\n\n   en cours de validité\n2. photo\n\n   - récente\n\nEnsuite :\n\n3. attendre",
  )
  expect(lost(document)).toEqual(["navigation: Objet 2"])
})

test("lists within lists of any depth are read, at most eight deep", async () => {
  const list = Array.from({ length: 30 }).reduce<string>(
    (inner, _, at) =>
      `<text:list><text:list-item><text:p>rang ${30 - at}</text:p>${inner}</text:list-item></text:list>`,
    "",
  )
  expect(await odt(list)).toContain("rang 30")
})

test("a break of pages within a paragraph parts words", async () => {
  expect(await docx(`<w:p>${run("Avant")}<w:r><w:br w:type="page"/></w:r>${run("Après")}</w:p>`)).toBe(
    "Avant Après",
  )
})

test("a long note that many marks refer to is read once", async () => {
  const long = `<w:footnote w:id="2">${p("Sur justificatif. ".repeat(20))}</w:footnote>`
  const text = await docx(`<w:p>${`${run("Gratuit")}${noteMark("footnote")}${run(". ")}`.repeat(3)}</w:p>`, {
    footnotes: long,
  })
  expect(text.match(/Sur justificatif/g)).toHaveLength(20)
  expect(text.match(/Gratuit/g)).toHaveLength(3)
})

test("a level of OpenDocument that no program writes numbers nothing", async () => {
  const level = 100_000_000
  const styles = `<text:outline-style><text:outline-level-style text:level="${level}" style:num-format="1"/></text:outline-style>`
  const heading = `<text:h text:outline-level="${level}">Titre</text:h><text:p>Texte</text:p>`
  expect(await odt(heading, { styles })).toContain("Texte")
})

test("a numbering of Word that names many levels is read in time", async () => {
  const count = 20_000
  const levels = Array.from({ length: count }, (_, at) => `<w:lvl w:ilvl="${at}"/>`).join("")
  const numbering = `<w:abstractNum w:abstractNumId="8">${levels}</w:abstractNum><w:num w:numId="9"><w:abstractNumId w:val="8"/></w:num>`
  const items = Array.from({ length: 500 }, (_, at) =>
    p(`Point ${at}`, '<w:numPr><w:numId w:val="9"/></w:numPr>'),
  )
  expect(await docx(items.join(""), { numbering })).toContain("Point 499")
})

test("a part of OpenDocument that many objects show is unpacked once", async () => {
  const formula = `<math:math><math:mi>x</math:mi>${"<math:mspace/>".repeat(50_000)}</math:math>`
  const content = `<office:document-content><office:body><office:text><text:p>${'<draw:object xlink:href="./Objet"/>'.repeat(500)}</text:p></office:text></office:body></office:document-content>`
  const file = zipSync({
    mimetype: strToU8("application/vnd.oasis.opendocument.text"),
    "content.xml": strToU8(content),
    "Objet/content.xml": strToU8(`${formula}<!--${noise(10_000)}-->`),
  })
  expect(textOf(await read(file))).toBe("x".repeat(500))
}, 20_000)

/** What no archive packs: its parts may grow two hundred times at most. */
function noise(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex")
}
