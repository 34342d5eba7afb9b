import { expect, test } from "bun:test"
import { isLongerThan, maxUrlLength, parsedUrl, toUnicodeForm, withoutAccents } from "../../src/base/text.ts"
import { timesPlainWork } from "../support/processor.ts"

/** So long that an algorithm of quadratic time takes minutes. */
const long = 200_000
const generousTimes = 50

/** Marks of different classes, which have to be sorted, and the two letters that become such marks. */
const runs = [
  "\u0300\u0316",
  "\u064b\u0651",
  "\u0f71\u0f72",
  "\uff9e\u0316",
  "\u0344\u0316",
  "\u034f\u0316\u0300",
]

for (const run of runs)
  test(`a run of ${JSON.stringify(run)} is normalised in time that grows with its length alone`, async () => {
    const text = `a${run.repeat(long)}`
    const normalise = () => {
      toUnicodeForm(text, "NFC")
      toUnicodeForm(text, "NFKC")
      expect(withoutAccents(text)).toBe("a")
    }
    expect(await timesPlainWork(normalise, generousTimes)).toBeLessThan(generousTimes)
  })

test("eight marks in a row are as many as any language writes, and stay", () => {
  expect(toUnicodeForm("e\u0301", "NFC")).toBe("é")
  const eight = `q${"\u0300\u0316".repeat(4)}`
  expect(toUnicodeForm(`${eight}x`, "NFC")).toBe(`${eight}x`.normalize("NFC"))
  expect(toUnicodeForm(`q${"\u0300".repeat(9)}x`, "NFC")).toBe(`q${"\u0300".repeat(8)}x`)
  expect(toUnicodeForm("１", "NFKC")).toBe("1")
})

test("accents go, composed or not, of every character", () => {
  expect(withoutAccents("Élève nai\u0308f")).toBe("Eleve naif")
  for (let code = 0; code < 0x110000; code++) {
    const text = String.fromCodePoint(code).toWellFormed()
    if (withoutAccents(text) !== text.normalize("NFKD").replace(/\p{M}/gu, "")) expect(code).toBe(-1)
  }
})

test("a text is measured in code points", () => {
  expect(isLongerThan("abc", 3)).toBe(false)
  expect(isLongerThan("abcd", 3)).toBe(true)
  expect(isLongerThan("😀😀😀", 3)).toBe(false)
  expect(isLongerThan("😀😀😀a", 3)).toBe(true)
})

test("an address is parsed as it is elsewhere", () => {
  for (const text of [
    "https://www.exemple.fr/a?b#c",
    " HTTP://Exemple.fr:80",
    "ht\ntp:\\exemple.fr\\a",
    "https://élève.fr/",
    "/a",
    "",
    "mailto:a@b.fr",
    `https://exemple.fr/${"a".repeat(maxUrlLength - 19)}`,
  ])
    expect(parsedUrl(text)?.href).toBe(URL.parse(text)?.href as string)
})

test("a long address, and a long name before its path, are none", () => {
  expect(parsedUrl(`https://exemple.fr/${"a".repeat(maxUrlLength - 18)}`)).toBeNull()
  for (const start of ["https://", "\u0001 https://", "ht\ttps:\\\\", "https:", "https:////a:b@"])
    expect(parsedUrl(`${start}${"é".repeat(301)}/`)).toBeNull()
})
