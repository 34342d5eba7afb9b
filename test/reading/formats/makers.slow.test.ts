import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Document } from "../../../src/reading/formats/document.ts"
import { localParser } from "../../../src/reading/parser.ts"
import { hasLibreOffice } from "../../support/libreoffice.ts"
import { isMissing } from "../../support/missing.ts"
import { temporaryFolder } from "../../support/service.ts"

// One guide as LibreOffice and Chromium write it, with running heads, a list, a table and two columns.

const isMissingMaker = isMissing(
  hasLibreOffice("writer") && Bun.which("chromium") !== null,
  "no LibreOffice Writer or Chromium: their documents are not read (Debian: libreoffice-writer-nogui, chromium)",
)

const left =
  "L’accueil du matin ouvre à 7 h 30 dans toutes les écoles de la commune, et l’accueil du soir se termine à 18 h 45. Toute heure commencée est due."
const right =
  "Le remboursement d’un trimestre est accordé en cas de déménagement ou de maladie de plus de quinze jours, sur présentation d’un certificat médical."

const guide = `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Guide des inscriptions</title><style>
@page { size: A4; margin: 25mm 20mm; @top-center { content: "Mairie de Saint-Aubin" } @bottom-center { content: "Page " counter(page) } }
h1 { font-size: 22pt } h2 { font-size: 16pt; page-break-before: always } td { padding: 3px 9px } p, li, td { font-size: 11pt; text-align: justify }
.two { column-count: 2 }</style></head><body>
<h1>Guide des inscriptions</h1><p>Ce guide explique comment inscrire un enfant à l’école et à la cantine de la commune.</p>
<ul><li>Le livret de famille</li><li>Un justificatif de domicile</li></ul>
<h2>Tarifs de la cantine</h2><p>Le prix dépend du quotient familial :</p>
<table><tr><td>Quotient familial</td><td>Prix du repas</td></tr><tr><td>Moins de 500 €</td><td>1,20 €</td></tr><tr><td>Plus de 500 €</td><td>2,80 €</td></tr></table>
<h2>Accueil</h2><div class="two"><p>${left}</p><p>${right}</p></div></body></html>`

const folder = temporaryFolder()

beforeAll(async () => {
  if (isMissingMaker) return
  writeFileSync(join(folder.path, "guide.html"), guide)
  await convert("odt:writer8", "guide.html", "--infilter=HTML (StarWriter)")
  for (const format of ["docx", "pdf:writer_pdf_Export"]) await convert(format, "guide.odt")
  const page = `file://${folder.path}/guide.html`
  const quiet = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
  await run(["chromium", "--headless", ...quiet, `--print-to-pdf=${folder.path}/chromium.pdf`, page])
}, 60_000)
afterAll(() => folder[Symbol.dispose]())

function convert(format: string, file: string, ...options: string[]): Promise<void> {
  const to = ["--convert-to", format, "--outdir", folder.path, join(folder.path, file)]
  return run(["soffice", "--headless", ...options, ...to])
}

async function run(command: string[]): Promise<void> {
  const env = { ...process.env, HOME: folder.path }
  expect(await Bun.spawn(command, { env, stdout: "ignore", stderr: "ignore" }).exited).toBe(0)
}

async function read(file: string): Promise<Document> {
  const url = `https://mairie.exemple.fr/${file}`
  const found = await localParser.file(readFileSync(join(folder.path, file)), { path: file, url })
  if ("leftOut" in found) throw new Error(JSON.stringify(found))
  return found
}

describe.skipIf(isMissingMaker)("a guide", () => {
  test.each(["guide.pdf", "chromium.pdf", "guide.docx", "guide.odt"])(
    "is read whole from %s",
    async (file) => {
      const { title, sections } = await read(file)
      expect(title).toBe("Guide des inscriptions")
      expect(sections.map(({ headings }) => headings)).toEqual([[], ["Tarifs de la cantine"], ["Accueil"]])
      const [opening, prices, welcome] = sections.map(({ markdown }) => markdown)
      expect(opening).toMatch(
        /commune\.\n\n(?:- )?Le livret de famille\n\n?(?:- )?Un justificatif de domicile$/,
      )
      expect(prices?.split("\n\n").at(-1)).toBe(
        "| Quotient familial | Prix du repas |\n| --- | --- |\n| Moins de 500 € | 1,20 € |\n| Plus de 500 € | 2,80 € |",
      )
      expect(welcome).toBe(`${left}\n\n${right}`)
      const isPdf = file.endsWith(".pdf")
      expect(sections.map(({ anchor }) => anchor)).toEqual(
        [1, 2, 3].map((page) => (isPdf ? `page=${page}` : null)),
      )
    },
  )
})
