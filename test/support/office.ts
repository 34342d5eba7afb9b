import { strToU8, zipSync } from "fflate"

const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaged = "http://schemas.openxmlformats.org/package/2006"

/** A document of Word with the styles `Titre1` and `Titre2`, the list 1 and a link `rId1`. */
export function makeDocx(body: string): Uint8Array<ArrayBuffer> {
  return packed({
    "[Content_Types].xml": `<Types xmlns="${packaged}/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/hyperlink" Target="https://mairie.exemple.fr/grille" TargetMode="External"/></Relationships>`,
    "word/styles.xml": `<w:styles xmlns:w="${word}">${[1, 2]
      .map(
        (level) =>
          `<w:style w:type="paragraph" w:styleId="Titre${level}"><w:name w:val="heading ${level}"/></w:style>`,
      )
      .join("")}</w:styles>`,
    "word/numbering.xml": `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    "word/document.xml": `<w:document xmlns:w="${word}" xmlns:r="${relationships}"><w:body>${body}</w:body></w:document>`,
  })
}

/** A document of OpenDocument, whose style `P1` is made of « Title ». */
export function makeOdt(body: string): Uint8Array<ArrayBuffer> {
  return packed({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content><office:automatic-styles><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/></office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  })
}

function packed(files: Record<string, string>): Uint8Array<ArrayBuffer> {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}
