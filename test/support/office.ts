import { strToU8, zipSync } from "fflate"

const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaged = "http://schemas.openxmlformats.org/package/2006"

/** Further parts of a Word document, by type: what stands in each root element, and under which name. */
export interface DocxParts {
  styles?: string
  numbering?: string
  footnotes?: string
  endnotes?: string
  comments?: string
  header?: string
  /** The name of the main part. */
  main?: string
  /** Parts as they are, by name. */
  as?: Record<string, string>
}

const roots: Record<string, string> = { header: "hdr" }

/** A document of Word with the styles `Titre1` and `Titre2`, the list 1 and a link `rId1`. */
export function makeDocx(body: string, parts: DocxParts = {}): Uint8Array<ArrayBuffer> {
  const { main = "word/document.xml", as = {}, ...given } = parts
  const styles = [1, 2].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Titre${level}"><w:name w:val="heading ${level}"/></w:style>`,
  )
  const bullets = `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>`
  const numbers = `<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
  const related = {
    ...given,
    styles: styles.join("") + (given.styles ?? ""),
    numbering: bullets + (given.numbering ?? "") + numbers,
  }
  const [folder = "", name = ""] = main.split(/\/(?=[^/]*$)/)
  const links = Object.keys(related).map(
    (type) => `<Relationship Id="${type}" Type="${relationships}/${type}" Target="${type}-1.xml"/>`,
  )
  return packed({
    "[Content_Types].xml": `<Types xmlns="${packaged}/content-types"><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="${main}"/></Relationships>`,
    [`${folder}/_rels/${name}.rels`]: `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/hyperlink" Target="https://mairie.exemple.fr/grille" TargetMode="External"/>${links.join("")}</Relationships>`,
    [main]: `<w:document xmlns:w="${word}" xmlns:r="${relationships}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}</w:body></w:document>`,
    ...Object.fromEntries(
      Object.entries(related).map(([type, content]) => {
        const root = roots[type] ?? type
        return [`${folder}/${type}-1.xml`, `<w:${root} xmlns:w="${word}">${content}</w:${root}>`]
      }),
    ),
    ...as,
  })
}

/** A document of OpenDocument, whose style `P1` is made of « Title ». */
export function makeOdt(
  body: string,
  { automatic = "", styles = "" }: { automatic?: string; styles?: string } = {},
): Uint8Array<ArrayBuffer> {
  return packed({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content><office:automatic-styles><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>${automatic}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...(styles && {
      "styles.xml": `<office:document-styles><office:styles>${styles}</office:styles></office:document-styles>`,
    }),
  })
}

function packed(files: Record<string, string>): Uint8Array<ArrayBuffer> {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}
