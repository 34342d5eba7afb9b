import { fileExtension, kindOfFile } from "../../formats/file-kind.ts"

const office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

/** By extension, of every file that can be read. */
const types: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  docx: office,
  odt: "application/vnd.oasis.opendocument.text",
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  md: "text/markdown",
  mdx: "text/markdown",
  markdown: "text/markdown",
  txt: "text/plain",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
}

export const readableExtensions = Object.keys(types)

export function isReadable(name: string): boolean {
  return fileExtension(name) in types
}

/** The type of a file by its extension, where its content is of that kind; undefined for one that no reader reads. */
export function documentType(name: string, content: Uint8Array): string | undefined {
  const type = types[fileExtension(name)]
  const kind = kindOfFile(content, { name })
  switch (type) {
    case "application/pdf":
      return kind === "pdf" ? type : undefined
    case office:
    case types["odt"]:
      // With a password, a document of Word is one of another kind: its reading says so.
      return ["zip", "ole"].includes(kind) ? type : undefined
    default:
      return kind === "html" || kind === "markdown" || kind === "data" ? type : undefined
  }
}
