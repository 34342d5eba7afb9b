import { expect, test } from "bun:test"
import type { Section } from "../../../src/reading/formats/document.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"

test("a passage carries the page's title, its heading path and its absolute url with the anchor", () => {
  expect(passages([section(["Installer", "Sous Linux"], "linux", words(100))])).toEqual([
    {
      key: "guide#1 https://docs.example/guide",
      document: "guide",
      url: "https://docs.example/guide#linux",
      title: "Guide",
      headings: ["Installer", "Sous Linux"],
      markdown: words(100),
    },
  ])
})

test("pages of one path in two feeds give passages with different keys", () => {
  const [one, other] = ["a", "b"].flatMap((site) =>
    splitDocument({
      path: "index",
      url: `https://${site}.example/`,
      title: "Accueil",
      sections: [{ headings: [], anchor: null, markdown: "Un mot." }],
    }),
  )
  expect(one?.key).not.toBe(other?.key)
})

test("a long section is split at paragraphs, into parts of about the same size", () => {
  const paragraph = 60
  const text = Array.from({ length: 12 }, () => words(paragraph)).join("\n\n")
  const parts = passages([section(["A"], "a", text)])
  const lengths = parts.map(({ markdown }) => markdown.split(/\s+/).length)
  expect(lengths.length).toBeGreaterThan(1)
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(paragraph)
  expect(parts.map(({ markdown }) => markdown).join("\n\n")).toBe(text)
})

test("a code fence is never split, however long", () => {
  const code = `\`\`\`ts\n${Array.from({ length: 300 }, (_, n) => `ligne(${n})\n`).join("\n")}\n\`\`\``
  const parts = passages([section(["A"], "a", `${words(200)}\n\n${code}\n\n${words(200)}`)])
  expect(parts.filter(({ markdown }) => markdown.includes(code))).toHaveLength(1)
})

test("a long list is split at its items and a long table at its rows, under its head each time", () => {
  const list = Array.from({ length: 40 }, (_, n) => `- ${n} ${words(14)}`).join("\n")
  for (const { markdown } of passages([section(["A"], "a", list)])) expect(markdown).toStartWith("- ")
  const table = `| a | b |\n| --- | --- |\n${Array.from({ length: 40 }, () => `| ${words(7)} | ${words(7)} |`).join("\n")}`
  const parts = passages([section(["A"], "a", table)])
  expect(parts.length).toBeGreaterThan(1)
  for (const { markdown } of parts) expect(markdown).toStartWith("| a | b |\n| --- | --- |\n| mot")
})

test("a lead-in joins the first subsection, under its heading", () => {
  const [passage, ...others] = passages([
    section(["A"], "a", "Deux façons :"),
    section(["A", "B"], "b", words(50)),
  ])
  expect(others).toEqual([])
  expect(passage).toMatchObject({
    headings: ["A", "B"],
    url: "https://docs.example/guide#a",
    sections: [
      { from: 0, heading: "A", url: "https://docs.example/guide#a" },
      { from: "Deux façons :\n\n".length, heading: "B", url: "https://docs.example/guide#b" },
    ],
  })
})

test("tiny sections under one parent are joined, each under its own heading", () => {
  const [passage, ...others] = passages([
    section(["A", "B"], "b", "Un."),
    section(["A", "C"], "c", "Deux."),
    section(["A", "D"], "d", "Trois."),
  ])
  expect(others).toEqual([])
  expect(passage).toMatchObject({
    headings: ["A"],
    url: "https://docs.example/guide#b",
    markdown: "**B**\n\nUn.\n\n**C**\n\nDeux.\n\n**D**\n\nTrois.",
  })
  expect(passage?.sections?.map(({ from, url }) => [passage.markdown.slice(from, from + 5), url])).toEqual([
    ["**B**", "https://docs.example/guide#b"],
    ["**C**", "https://docs.example/guide#c"],
    ["**D**", "https://docs.example/guide#d"],
  ])
})

test("a lead-in stands above the headings of tiny sections, and each keeps its own address", () => {
  const [passage, ...others] = passages([
    section([], "", "Nos réponses."),
    section(["B"], "b", "Un."),
    section(["C"], "c", "Deux."),
  ])
  expect(others).toEqual([])
  expect(passage?.markdown).toBe("Nos réponses.\n\n**B**\n\nUn.\n\n**C**\n\nDeux.")
  expect(passage?.sections?.map(({ heading, url }) => [heading, url.split("#")[1]])).toEqual([
    [null, ""],
    ["B", "b"],
    ["C", "c"],
  ])
})

test("headings without text that follow one another are one passage, each with its own address", () => {
  const [passage, ...others] = passages([
    section(["Le club", "Téléphone : 01 02 03 04 05"], "tel", ""),
    section(["Le club", "Présidente : Ada Martin"], "ada", ""),
    section(["Le club", "Histoire"], "histoire", words(100)),
  ])
  expect(others).toHaveLength(1)
  expect(passage?.markdown).toBe("**Téléphone : 01 02 03 04 05**\n\n**Présidente : Ada Martin**")
  expect(passage?.headings).toEqual(["Le club"])
  expect(passage?.sections?.map(({ url }) => url.split("#")[1])).toEqual(["tel", "ada"])
})

test("a heading without text joins the next section of its parent, or the text that it ends", () => {
  const [hours, tea] = passages([
    section(["Horaires"], "horaires", ""),
    section(["Horaires", "Lundi de 9 h à 12 h"], "lundi", ""),
    section(["Horaires", "Jeudi de 14 h à 18 h"], "jeudi", words(60)),
    section(["Goûter"], "gouter", words(60)),
    section(["Goûter", "Réservez au 01 02 03 04 05."], "reserver", ""),
  ])
  expect(hours).toMatchObject({
    headings: ["Horaires", "Jeudi de 14 h à 18 h"],
    url: "https://docs.example/guide#lundi",
    markdown: `**Lundi de 9 h à 12 h**\n\n**Jeudi de 14 h à 18 h**\n\n${words(60)}`,
  })
  expect(tea?.markdown).toBe(`${words(60)}\n\n**Réservez au 01 02 03 04 05.**`)
  expect(tea?.headings).toEqual(["Goûter"])
})

test("a heading that states something is the first line of its text, one that names it is not", () => {
  const [loan, history] = passages([
    section(["Le prêt dure trois semaines."], "pret", words(60)),
    section(["Histoire du lieu"], "histoire", words(60)),
  ])
  expect(loan?.markdown).toBe(`**Le prêt dure trois semaines.**\n\n${words(60)}`)
  expect(history?.markdown).toBe(words(60))
})

test("a heading that states something above further headings is read with the first of them", () => {
  const [price, ...others] = passages([
    section(["Entrée : 7 €"], "entree", ""),
    section(["Entrée : 7 €", "Réductions"], "reductions", words(60)),
    section(["Accès"], "acces", ""),
    section(["Accès", "En train"], "train", words(60)),
  ])
  expect(price?.markdown).toBe(`**Entrée : 7 €**\n\n**Réductions**\n\n${words(60)}`)
  expect(others.map(({ markdown }) => markdown)).toEqual([words(60)])
})

test("an anchor with accents is escaped in the url", () => {
  expect(passages([section(["Été"], "été", words(40))])[0]?.url).toBe(
    "https://docs.example/guide#%C3%A9t%C3%A9",
  )
})

function passages(sections: Section[]) {
  return splitDocument({ path: "guide", url: "https://docs.example/guide", title: "Guide", sections })
}

function section(headings: string[], anchor: string, markdown: string): Section {
  return { headings, anchor, markdown }
}

function words(count: number): string {
  return Array.from({ length: count }, () => "mot").join(" ")
}
