import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { localParser } from "../../../src/reading/parser.ts"
import { hasLibreOffice } from "../../support/libreoffice.ts"
import { isMissing } from "../../support/missing.ts"
import { temporaryFolder } from "../../support/service.ts"

// One set of rules as Pandoc writes it, and as LibreOffice does from that: notes, lists that go on, numbered headings.

const isMissingMaker = isMissing(
  hasLibreOffice("writer") && Bun.which("pandoc") !== null,
  "no LibreOffice Writer or Pandoc: their documents are not read (Debian: libreoffice-writer-nogui, pandoc)",
)

const rules = `---
title: Règlement de la médiathèque
---

# Inscription

L’inscription est gratuite pour les habitants[^1] et coûte 12 € pour les autres. Elle dure un an.

1. Remplir le formulaire.
2. Apporter un justificatif.

Puis, une fois la carte reçue :

3. Activer le compte.

# Prêts

## Durées

| Document | Durée       | Prix[^2] |
|:---------|:------------|---------:|
| Livre    | 4 semaines  |      0 € |
| DVD      | 1 semaine   |      1 € |

- Livres
    - Romans

[^1]: Un justificatif de domicile est demandé.
[^2]: Par semaine.
`

const folder = temporaryFolder()
const makerMs = 120_000

beforeAll(async () => {
  if (isMissingMaker) return
  writeFileSync(join(folder.path, "rules.md"), rules)
  for (const format of ["docx", "odt"])
    await run(["pandoc", "--number-sections", "--toc", "rules.md", "-o", `pandoc.${format}`])
  for (const [from, to] of [
    ["docx", "odt"],
    ["odt", "docx"],
  ] as const) {
    await run(["soffice", "--headless", "--convert-to", to, "--outdir", "libreoffice", `pandoc.${from}`])
  }
}, makerMs)
afterAll(() => folder[Symbol.dispose]())

async function run(command: string[]): Promise<void> {
  const env = { ...process.env, HOME: folder.path }
  const options = { cwd: folder.path, env, stdout: "ignore", stderr: "ignore" } as const
  expect(await Bun.spawn(command, options).exited).toBe(0)
}

describe.skipIf(isMissingMaker)("rules", () => {
  test.each([
    ["pandoc.docx", true],
    ["pandoc.odt", false],
    ["libreoffice/pandoc.odt", true],
    ["libreoffice/pandoc.docx", false],
  ])("are read as people see them from %s", async (file, isNumbered) => {
    const url = `https://mairie.exemple.fr/${file}`
    const document = await localParser.file(readFileSync(join(folder.path, file)), { path: file, url })
    if ("leftOut" in document) throw new Error(JSON.stringify(document))
    expect(document.title).toBe("Règlement de la médiathèque")
    const [inscription, loans, durations] = isNumbered
      ? ["1 Inscription", "2 Prêts", "2.1 Durées"]
      : ["Inscription", "Prêts", "Durées"]
    expect(document.sections.map(({ headings }) => headings)).toEqual([
      [inscription],
      [loans],
      [loans, durations],
    ] as string[][])
    expect(document.sections.map(({ markdown }) => markdown)).toEqual([
      "L’inscription est gratuite pour les habitants et coûte 12 € pour les autres. (Un justificatif de domicile est demandé.) Elle dure un an.\n\n1. Remplir le formulaire.\n2. Apporter un justificatif.\n\nPuis, une fois la carte reçue :\n\n3. Activer le compte.",
      "",
      "| Document | Durée | Prix (Par semaine.) |\n| --- | --- | --- |\n| Livre | 4 semaines | 0 € |\n| DVD | 1 semaine | 1 € |\n\n- Livres\n\n  - Romans",
    ])
  })
})
