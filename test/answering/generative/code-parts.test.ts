import { expect, test } from "bun:test"
import { codeParts } from "../../../src/answering/generative/code-parts.ts"
import { timesPlainWork } from "../../support/processor.ts"

const codeIn = (markdown: string) =>
  codeParts(markdown)?.flatMap(({ text, isCode }) => (isCode ? [text] : []))

test.each([
  ["un `a` et `b`", ["`a`", "`b`"]],
  ["un `a et b", []],
  ["un `a\nb`", []],
  ["un ``a`b`` et ``c``", ["``a`b``", "``c``"]],
  ["un ``a``` et `b`", ["``a```", "`b`"]],
  ["un ``a et `b`", ["`b`"]],
  ["un `a`` et ``b", ["`` et ``"]],
  ["cinq ````` et quatre ````", ["`````"]],
  ["a\n```ts\nb\n```\nc", ["```ts\nb\n```"]],
  ["```\n```\nb\n``` \nc `d`", ["```\n```\nb\n```", "`d`"]],
  ["```\na\n```x\n```", ["```\na\n```x\n```"]],
])("the code of %j", (markdown, code) => {
  expect(codeIn(markdown)).toEqual(code)
})

test("the parts add up to the whole text", () => {
  const markdown = "a `b`\n```\nc\n```\n``d`` e"
  expect(
    codeParts(markdown)
      ?.map(({ text }) => text)
      .join(""),
  ).toBe(markdown)
})

test.each(["```", "a\n~~~\nb", "a\n ```\nb", "`a`\n```x\nb"])("%j leaves a fence open", (markdown) => {
  expect(codeParts(markdown)).toBeUndefined()
})

test.each(["\n```x", "``a ", "``a``` ", "`a``", "```\n", "\n"])(
  "a long text of %j is read once",
  async (part) => {
    const text = part.repeat(100_000)
    expect(await timesPlainWork(() => codeParts(text), 100)).toBeLessThan(100)
  },
)
