import { expect, test } from "bun:test"
import { readPage } from "../../../support/html-page.ts"

test.each([
  [
    "the site's name as first h1",
    "<title>Horaires | Mairie</title><body><h1>Mairie</h1><main><h2>Horaires</h2><p>Texte.</p></main>",
    "Horaires",
  ],
  [
    "the site's name as first h1 of the text",
    "<title>Horaires - Mairie</title><body><h1><a href='/'>Mairie</a></h1><h1>Horaires d’été</h1><p>Texte.</p>",
    "Horaires d’été",
  ],
  [
    "the site's name told by og:site_name",
    '<meta property="og:site_name" content="Mairie"><title>Mairie</title><h1>Mairie</h1><h1>Horaires</h1><p>Texte.</p>',
    "Horaires",
  ],
  [
    "an h1 that introduces something",
    "<title>Horaires | Mairie</title><h1>Dans cette page :</h1><p>Texte.</p>",
    "Horaires",
  ],
  ["only an h1 that introduces something", "<h1>Dans cette page :</h1><p>Texte.</p>", "Dans cette page"],
  [
    "several h1 before the text",
    "<title>Page | Mairie</title><h1>Bienvenue</h1><h1>Horaires</h1><p>Texte.</p>",
    "Horaires",
  ],
  [
    "several h1 with text of their own",
    "<title>Démarches | Mairie</title><h1>Passeport</h1><p>Un.</p><h1>Carte</h1><p>Deux.</p>",
    "Démarches",
  ],
  [
    "several h1, one of them the title",
    "<title>Carte | Mairie</title><h1>Infos</h1><p>Un.</p><h1>Carte</h1><p>Deux.</p>",
    "Carte",
  ],
  ["Sphinx's placeholder", "<title>&lt;no title&gt; — Mairie</title><main><p>Texte.</p></main>", "guide"],
  [
    "a date above the h1",
    "<title>Horaires | Mairie</title><main><p>3 mars 2026</p><h1>Horaires</h1><p>Texte.</p></main>",
    "Horaires",
  ],
])("the title of a page with %s", (_, html, title) => {
  expect(readPage(html).title).toBe(title)
})

test("a first-level heading after text is a section, and the title is the page's own", () => {
  const text = "Le guichet répond du lundi au vendredi, de neuf heures à midi, sans rendez-vous."
  const { title, sections } = readPage(
    `<title>Horaires | Mairie</title><main><p>${text}</p><h1>En été</h1><p>Fermé.</p></main>`,
  )
  expect(title).toBe("Horaires")
  expect(sections.map(({ headings }) => headings)).toEqual([[], ["En été"]])
})
