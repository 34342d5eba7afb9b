import { expect, test } from "bun:test"
import { analyse } from "../../../src/index/text/analyse.ts"

const french = (text: string) => analyse(text, "fr")
const english = (text: string) => analyse(text, "en")

test("an elided article does not hide a word", () => {
  for (const elided of ["l'index", "l’index", "d'index", "qu'index", "jusqu’index"])
    expect(french(elided)).toEqual(french("index"))
})

test("accents, capitals and ligatures do not hide a word", () => {
  expect(french("SÉCURITÉ œuvre")).toEqual(french("securite oeuvre"))
  expect(french("mise à jour recherchée")).toEqual(french("mise a jour recherchee"))
})

test("all inflections of a word share a term", () => {
  for (const form of ["utilisée", "utilisees", "utiliser", "utilisation"])
    expect(french(form)).toEqual(french("utilise"))
  expect(english("installing")).toEqual(english("installed"))
})

test("every spelling of an identifier shares its terms", () => {
  const terms = french("keepAlive")
  expect(terms).toHaveLength(3)
  for (const spelling of ["keep-alive", "KeepAlive", "keep_alive", "<keep-alive>"])
    expect(french(spelling)).toEqual(terms)
  expect(french("keepalive")).toEqual([terms[0] as string])
})

test("an option, a shorthand and a dotted name are terms as a whole and in parts", () => {
  expect(french("--base-url")).toEqual(["--base-url", "baseurl", "baser", "url"])
  expect(french("@click")).toContain("@click")
  expect(french("app.mount()")).toEqual(["appmount", "application", "mount"])
  expect(french("app.config.errorHandler")).toContain(french("errorHandler")[0] as string)
  expect(french("v-model.lazy")).toContain(french("v-model")[0] as string)
})

test("a verb and its pronoun are not a name", () => {
  expect(french("peut-on")).toEqual([])
  expect(french("contient-il")).toEqual(french("contient"))
})

test("numbers and versions are not stemmed", () => {
  expect(french("version 3.4, v3.4 et 10,5")).toEqual([...french("version"), "3.4", "3.4", "10.5"])
})

test("dimensions are found by the sign and by the letter", () => {
  expect(french("4×4")).toEqual(french("4x4"))
})

test("an acronym keeps its last letter, whoever types it", () => {
  for (const analysed of [french, english]) {
    expect(analysed("SMS")).toEqual(["sms"])
    expect(analysed("sms")).toEqual(["sms"])
    expect(analysed("pdfs")).toEqual(analysed("pdf"))
    expect(analysed("smTp")).not.toContain(analysed("SMS")[0] as string)
  }
})

test("question words and polite phrases are stop words", () => {
  expect(french("Comment est-ce que je peux faire ça, s'il vous plaît ?")).toEqual(french("faire plaît"))
  expect(english("How do I do this, please?")).toEqual([])
})

test("a word of thousands of letters is ignored", () => {
  expect(french("a".repeat(10_000))).toEqual([])
})
