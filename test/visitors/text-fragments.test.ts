import { afterAll, beforeAll, expect, test } from "bun:test"
import { withTextFragments } from "../../src/visitors/text-fragments.ts"
import { answerable, type Site } from "../support/ask.ts"
import { aService } from "../support/service-builder.ts"

// A source whose heading has no anchor opens at what is quoted, and marks it.

const at = (answer: string, url = "https://exemple.fr/page") =>
  withTextFragments({ answer, sources: [{ n: 1, title: "Page", section: null, url }] }).sources[0]?.url
const page = "https://exemple.fr/page#:~:text="

test("a short quotation stands in the address whole, a long one by its ends, with every sign encoded", () => {
  expect(at("Le rez-de-chaussée, l’étage & la cave. [^1]")).toBe(
    `${page}Le%20rez%2Dde%2Dchauss%C3%A9e%2C%20l%E2%80%99%C3%A9tage%20%26%20la%20cave`,
  )
  const words = Array.from({ length: 20 }, (_, n) => `mot${n}`).join(" ")
  const first = "mot0%20mot1%20mot2%20mot3%20mot4%20mot5%20mot6%20mot7"
  expect(at(`${words}. [^1]`)).toBe(
    `${page}${first},mot12%20mot13%20mot14%20mot15%20mot16%20mot17%20mot18%20mot19`,
  )
})

test("Markdown is read as its page shows it; a heading, a table, code and a link that leads on are passed over", () => {
  expect(at("**Ouvert** le [lundi](https://exemple.fr/lundi) et `demain`. [^1]")).toBe(
    `${page}Ouvert%20le%20lundi%20et%20demain`,
  )
  expect(at("Le lot coûte 3 \\* 4 €, ~~hier~~ \\`demain\\`. [^1]")).toBe(
    `${page}Le%20lot%20co%C3%BBte%203%20*%204%20%E2%82%AC%2C%20hier%20%60demain`,
  )
  expect(at("- Le premier\n- Le dernier [^1]")).toBe(`${page}Le%20premier,Le%20dernier`)
  expect(
    at("Avant.\n\n```sh\nls\n```\n\n| a |\n|---|\n\n[Lire la suite](https://exemple.fr/page)\n\n[^1]"),
  ).toBe(`${page}Avant`)
})

test("an address with an anchor, one that is no page, and a text without words stay as they are", () => {
  for (const url of ["https://exemple.fr/page#ici", "fichier:///a", "mailto:a@exemple.fr"])
    expect(at("Un texte. [^1]", url)).toBe(url)
  expect(at("… [^1]")).toBe("https://exemple.fr/page")
})

test("two markers behind one text mark it on both pages, and each text marks its own", () => {
  const sources = [1, 2, 3].map((n) => ({ n, title: "", section: null, url: `https://exemple.fr/${n}` }))
  const { sources: marked } = withTextFragments({ answer: "Un texte. [^1][^2] Un autre. [^3]", sources })
  expect(marked.map(({ url }) => url.split("text=")[1])).toEqual(["Un%20texte", "Un%20texte", "Un%20autre"])
})

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

test("the widget alone asks for it: other programs get the address of the page", async () => {
  const urlsFor = async (accept: string) => {
    const { body } = await site.ask({ question: answerable }, { accept })
    const text = typeof body === "string" ? (/event: answer\ndata: (.*)/.exec(body)?.[1] as string) : ""
    const { sources } = text ? JSON.parse(text) : body
    return sources.map(({ url }: { url: string }) => url) as string[]
  }
  const plain = await urlsFor("application/json")
  expect(plain.some((url) => !url.includes("#"))).toBe(true)
  expect(await urlsFor("text/event-stream, application/json")).toEqual(plain)
  const marked = await urlsFor("text/event-stream;marks=1, application/json")
  expect(marked.map((url) => url.split("#:~:")[0])).toEqual(plain)
  expect(marked.filter((url) => url.includes("#:~:text=")).length).toBeGreaterThan(0)
})
