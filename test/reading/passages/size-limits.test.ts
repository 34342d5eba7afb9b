import { expect, test } from "bun:test"
import type { Document, Section } from "../../../src/reading/formats/document.ts"
import { maxPassageCharacters, maxPieceCharacters } from "../../../src/reading/passages/size-limits.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"
import { hostileTexts } from "../../support/hostile-text.ts"

const url = "https://docs.exemple.fr/page"

function document(sections: Partial<Section>[], title = "Page"): Document {
  const whole = sections.map((section) => ({ headings: [], anchor: null, markdown: "a", ...section }))
  return { path: "page", url, title, sections: whole }
}
const split = (markdown: string) => splitDocument(document([{ markdown }])).map(({ markdown }) => markdown)
const written = (text: string) => text.replace(/\s/g, "")

test.each([...hostileTexts])("no passage of %s is larger than it may be", (_, text) => {
  for (const markdown of split(`Zorglub.\n\n${text(60_000)}`))
    expect(markdown.length).toBeLessThanOrEqual(maxPassageCharacters)
})

test("a paragraph without a full stop is cut between words, and nothing of it is lost", () => {
  const paragraph = "le zorglub se règle avec sa molette ".repeat(3000).trim()
  const parts = split(paragraph)
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(maxPieceCharacters)
  expect(parts.join(" ")).toBe(paragraph)
})

test("a list item is cut between its lines", () => {
  const item = `- ${"une ligne de la liste qui est longue\n  ".repeat(1000)}fin`
  const parts = split(item)
  expect(written(parts.join(""))).toBe(written(item))
  for (const part of parts.slice(0, -1)) expect(part).toEndWith("qui est longue")
})

test("a text without lines and words is cut between characters", () => {
  for (const character of ["漢", "😀", "e\u0301"]) {
    const text = character.repeat(20_000)
    const parts = split(`Ainsi.\n\n${text}`)
    expect(written(parts.join("")).endsWith(text)).toBeTrue()
    for (const part of parts) expect(part.isWellFormed()).toBeTrue()
  }
})

test("words between commas stay whole", () => {
  const words = Array.from({ length: 5000 }, (_, at) => `motif${at}`)
  const found = split(words.join(",")).flatMap((part) => part.match(/\w+/g) ?? [])
  expect(found).toEqual(words)
})

test("each part of a long code block is a code block", () => {
  const lines = Array.from({ length: 2000 }, (_, at) => `zorglub(${at})`)
  const parts = split(`\`\`\`ts\n${lines.join("\n")}\n\`\`\``)
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) expect(part).toMatch(/^```ts\nzorglub.*\n```$/s)
  expect(parts.flatMap((part) => part.split("\n").slice(1, -1))).toEqual(lines)
})

test("a code block of a likely length is one piece", () => {
  const code = `\`\`\`ts\n${"zorglub(1)\n".repeat(800)}\`\`\``
  expect(code.length).toBeGreaterThan(maxPieceCharacters)
  expect(split(`Lancez.\n\n${code}`).filter((part) => part.includes(code))).toHaveLength(1)
})

test("a long title and long headings are cut, and all their words stay in the text", () => {
  const title = `Zorglub ${"long ".repeat(100_000)}fin du titre`
  const heading = `Régler ${"long ".repeat(100_000)}fin de l’intertitre`
  const sections = [
    {},
    { headings: ["Un", heading] },
    ...Array.from({ length: 100 }, () => ({ headings: [heading, "Deux"] })),
  ]
  const passages = splitDocument(document(sections, title))
  for (const { title, headings } of passages)
    for (const head of [title, ...headings]) expect(head.length).toBeLessThan(heading.length / 1000)
  expect(passages[0]?.title).toStartWith("Zorglub long")
  const all = passages.map(({ markdown }) => markdown).join("\n")
  expect(all).toContain("fin du titre")
  expect(all).toContain("fin de l’intertitre")
  expect(JSON.stringify(passages).length).toBeLessThan(3_000_000)
})

test("an anchor that makes the address too long is dropped", () => {
  const [passage] = splitDocument(
    document([{ headings: ["Un"], anchor: "é".repeat(1000), markdown: "Texte." }]),
  )
  expect(passage?.url).toBe(url)
})

test("tiny sections are not joined beyond the size of a passage", () => {
  const sections = Array.from({ length: 20 }, (_, at) => ({
    headings: [`Un ${at}`],
    anchor: `un-${at}`,
    markdown: "漢".repeat(3000),
  }))
  for (const { markdown } of splitDocument(document(sections)))
    expect(markdown.length).toBeLessThanOrEqual(maxPassageCharacters)
})
