import { expect, test } from "bun:test"
import { truncateSync } from "node:fs"
import { join } from "node:path"
import { openVocabulary, writeVocabulary } from "../../../src/index/lance/vocabulary.ts"
import { temporaryFolder } from "../../support/service.ts"

const header = { recipe: "one", language: "fr", passages: 9 } as const

test("every term is found, and nothing else", async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, "words")
  const terms = new Map(
    Array.from({ length: 500 }, (_, n) => [`${n.toString(36)}é${"x".repeat(n % 7)}`, n + 1]),
  )
  await writeVocabulary(file, header, terms)
  const vocabulary = await openVocabulary(file, "one")
  for (const [term, frequency] of terms) expect(vocabulary?.frequency(term), term).toBe(frequency)
  for (const term of ["", "zzzz", "0", "0é0", "é", "!", "\u{10ffff}"])
    expect(vocabulary?.frequency(term), term).toBe(0)
})

test("a vocabulary of another index format, cut off or missing is not opened", async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, "words")
  expect(await openVocabulary(file, "one")).toBeUndefined()
  await writeVocabulary(file, header, new Map([["a", 1]]))
  expect(await openVocabulary(file, "two")).toBeUndefined()
  truncateSync(file, 30)
  expect(await openVocabulary(file, "one")).toBeUndefined()
})
