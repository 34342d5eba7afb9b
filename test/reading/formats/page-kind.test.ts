import { expect, test } from "bun:test"
import { tellPageKind } from "../../../src/reading/formats/page-kind.ts"
import { timesPlainWork } from "../../support/processor.ts"

// Release notes, news and legal pages are told by their shape, since each site names and files them otherwise.

const page = (headings: string[], { title = "Page", path = "page", text = "Un texte.", level = 0 } = {}) => ({
  path,
  url: `https://site.example/${path}`,
  title,
  sections: [
    { headings: [], anchor: null, markdown: text },
    ...headings.map((heading) => ({
      headings: [...Array.from({ length: level }, () => "Tout"), heading],
      anchor: null,
      markdown: "Un texte sous ce titre.",
    })),
  ],
})

test.each([
  ["versions", ["2.1.0", "2.0.1 (2025-03-02)", "[1.9.0] - 2024-11-30", "v1.8"]],
  ["versions by name", ["Version 3.2", "Version 3.1", "Version 3.0"]],
  ["French dates", ["3 mars 2026 – Portes ouvertes", "Le 12 janvier 2026", "1er décembre 2025"]],
  ["days and months", ["Mercredi 4 mars 2026", "Février 2026", "Janvier 2026"]],
  ["English dates", ["March 3, 2026", "January 12th, 2026", "Dec 1, 2025"]],
  ["numeric dates", ["03/03/2026", "12.01.2026", "01/12/2025"]],
])("headings that are %s, newest first, are news", (_, headings) => {
  expect(tellPageKind(page(headings))).toBe("news")
  expect(tellPageKind(page(headings, { level: 1 }))).toBe("news")
  expect(tellPageKind(page(headings.toReversed()))).toBeUndefined()
})

test("a list of dated teasers is news, a page with a few of them is not", () => {
  const teasers = "- 3 mars 2026 : portes ouvertes\n- 12 janvier 2026 : vœux\n- 1er décembre 2025 : marché"
  expect(tellPageKind(page([], { text: teasers }))).toBe("news")
  const home = `Bienvenue.\n\nNous jouons du théâtre.\n\nRejoignez-nous.\n\n${teasers}`
  expect(tellPageKind(page([], { text: home }))).toBeUndefined()
})

test("a programme, a timetable and numbered chapters are not news", () => {
  expect(tellPageKind(page(["Jeudi 9 juillet", "Mercredi 8 juillet", "Mardi 7 juillet"]))).toBeUndefined()
  expect(tellPageKind(page(["9 h 30", "9 h", "8 h 30"]))).toBeUndefined()
  expect(tellPageKind(page(["1.1 Installer", "1.2 Régler", "1.3 Lancer"]))).toBeUndefined()
})

test("legal pages are told by their customary titles or by their articles", () => {
  for (const title of [
    "Mentions légales",
    "CGU",
    "Nos mentions légales",
    "Notre politique de confidentialité",
    "Conditions générales de vente",
    "Privacy policy",
  ])
    expect(tellPageKind(page([], { title })), title).toBe("legal")
  expect(tellPageKind(page([], { path: "infos/mentions-legales" }))).toBe("legal")
  expect(tellPageKind(page(["Article 1 – Objet", "Article 2 – Siège", "Article 3 – Membres"]))).toBe("legal")
  for (const title of ["Les mentions légales sont-elles obligatoires ?", "Cookies au chocolat", "Contact"])
    expect(tellPageKind(page([], { title })), title).toBeUndefined()
})

test("pages of a programmer's interface and READMEs are reference, whatever folder they stand in", () => {
  for (const names of [
    ["createAccount()", "getAccounts", "closeAccount", "Notes"],
    ["GET /accounts", "POST /accounts", "DELETE /accounts/:id"],
    ["app.mount()", "app.config.errorHandler", "`nextTick()`"],
    ["--port", "--base-url", "$refs"],
  ])
    expect(tellPageKind(page(names)), names[0]).toBe("reference")
  expect(tellPageKind(page([], { path: "README.html" }))).toBe("reference")
  expect(tellPageKind(page(["App.js", "styles.css", "index.js"], { path: "api/tutoriel" }))).toBeUndefined()
  expect(tellPageKind(page(["Installer", "createAccount()", "Régler", "Lancer"]))).toBeUndefined()
})

test("a page of any length and shape is looked at in no time", async () => {
  for (const text of ["1.".repeat(500_000), `${"a ".repeat(20)}\n`.repeat(50_000), "9".repeat(1_000_000)]) {
    const names = Array.from({ length: 5000 }, () => text.slice(0, 200))
    expect(await timesPlainWork(() => tellPageKind(page(names, { text })), 20)).toBeLessThan(20)
  }
})
