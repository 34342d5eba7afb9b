import { expect, test } from "bun:test"
import { readHtml } from "../../../../src/reading/formats/html/read-html.ts"

function read(main: string) {
  const read = readHtml(`<main>${main}</main>`, { path: "mairie", url: "https://mairie.example/" })
  return "leftOut" in read
    ? read
    : read.sections.map(({ headings, markdown }) => [headings.join(" > "), markdown])
}

test("a heading that says a time, a number or a sentence, with nothing below it, is text of the section above", () => {
  const hours = "<h2>Horaires</h2><h4>Lundi : 9 h à 12 h</h4><h4>Jeudi : 14 h à 18 h</h4>"
  const others = "<h2>Contact</h2><h5>Appelez l’accueil de la mairie, ou écrivez</h5><h2>Plan</h2>"
  expect(read(`<h1>Mairie</h1><p>Bienvenue.</p>${hours}${others}`)).toEqual([
    ["", "Bienvenue."],
    ["Horaires", "Lundi : 9 h à 12 h\n\nJeudi : 14 h à 18 h"],
    ["Contact", "Appelez l’accueil de la mairie, ou écrivez"],
    ["Plan", ""],
  ])
})

test("a page of headings alone is read; a question without its answer, and a lone title, say nothing", () => {
  expect(read("<h1>Nos services</h1><h2>État civil</h2><h2>Urbanisme</h2>")).toEqual([
    ["", "État civil\n\nUrbanisme"],
  ])
  expect(read("<h1>Nos services</h1>")).toMatchObject({ leftOut: "empty" })
  expect(read("<h1>Questions</h1><h2>Combien coûte un acte de naissance à la mairie ?</h2>")).toMatchObject({
    leftOut: "empty",
  })
})
