import { expect, test } from "bun:test"
import { dayMs } from "../../src/base/clock.ts"
import { originOf } from "../../src/base/origin.ts"
import { parseTime } from "../../src/base/time.ts"
import { cursorPattern, listPage } from "../../src/http/list.ts"
import { dayOrTimePattern, filledLine, filledText, httpAddress, line } from "../../src/http/record/schemas.ts"

// Compares the patterns of texts in openapi.json with the code that reads the texts. The other schemas are
// checked
// by `bun test/faults/schemathesis.ts`.

const patternOf = (schema: { pattern?: string }) => new RegExp(schema.pattern as string, "u")

test("a day or a time that the pattern lets in is one, and every real one is let in", () => {
  const pattern = new RegExp(dayOrTimePattern, "u")
  for (const year of ["1999", "2000", "2023", "2024", "2100"])
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
        expect([text, pattern.test(text)]).toEqual([text, parseTime(text, "Europe/Paris") !== undefined])
      }
  for (let day = Date.parse("1896-01-01"); day < Date.parse("1908-01-01"); day += dayMs) {
    const text = new Date(day).toISOString()
    expect([text, pattern.test(text), pattern.test(text.slice(0, 10))]).toEqual([text, true, true])
  }
  for (const clock of ["T00:00", "T23:59:59.123456789", "T10:00Z", "T10:00:00+02:00", "T10:00-0330"])
    expect([
      clock,
      pattern.test(`2026-11-20${clock}`),
      parseTime(`2026-11-20${clock}`, "Europe/Paris"),
    ]).toEqual([clock, true, expect.any(Number)])
  for (const wrong of ["T24:01", "T10", "T10:60", "T10:00:60", "t10:00", " ", "T10:00+25:00"])
    expect([wrong, pattern.test(`2026-11-20${wrong}`)]).toEqual([wrong, false])
})

test("an address that the pattern lets in is one", () => {
  const right = [
    "http://localhost",
    "https://docs.exemple.fr",
    "https://a-b.c_d.Exemple.fr:8443/guide/é".replace("é", "%C3%A9"),
    "http://127.0.0.1:3000/",
    "http://[2001:db8:0:0:0:0:0:1]:80/x",
    "https://a.fr:65535",
    "https://a.fr/?q=1#x",
  ]
  const wrong = [
    "https://",
    "HTTP://",
    "https://a.fr:65536",
    "https://1.2.3.400",
    "https://a.1",
    "https://0x7f.1",
    "https://xn--zzzz99999.fr",
    "https://u:p@a.fr",
    "https://a.fr /",
    "https://a.fr\\x",
    "ftp://a.fr",
    "https://*.fr",
    "//a.fr",
  ]
  const pattern = patternOf(httpAddress())
  for (const text of right)
    expect([text, pattern.test(text), originOf(text) !== undefined]).toEqual([text, true, true])
  for (const text of wrong) expect([text, pattern.test(text)]).toEqual([text, false])
  expect(patternOf(httpAddress({ query: false })).test("https://a.fr/?q=1")).toBe(false)
})

test("white space is what `trim` takes away, in every pattern", () => {
  const blanks = "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
  expect(blanks.trim()).toBe("")
  for (const blank of blanks) {
    expect(patternOf(filledText()).test(blank)).toBe(false)
    expect(patternOf(filledText()).test(`${blank}x`)).toBe(true)
    expect(patternOf(filledText({}, 2)).test(`${blank}x${blank}`)).toBe(false)
    expect(patternOf(filledText({}, 2)).test(`x${blank}y`)).toBe(true)
    expect(patternOf(filledLine()).test(blank)).toBe(false)
    expect(patternOf(line()).test(`${blank}x${blank}`)).toBe(true)
  }
  for (const other of "\u0085\u001c\u180e\u200b") expect([other, other.trim()]).toEqual([other, other])
  expect(patternOf(filledText()).test("\u0085")).toBe(true)
  expect(patternOf(filledLine()).test("a\u0085")).toBe(false)
  expect(patternOf(line()).test("a\nb")).toBe(false)
  expect(patternOf(filledText()).test("a\0")).toBe(false)
})

test("every key makes a cursor of the pattern, and every text of the pattern is a cursor", async () => {
  const key = "resp_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-"
  const rows = [{ id: key }, { id: "resp_0" }]
  const { items, next_cursor: cursor } = await listPage({ limit: "1" }, async () => rows)
  expect(items).toEqual([{ id: key }])
  expect(cursor).toMatch(cursorPattern)
  const next = await listPage({ cursor: cursor as string }, async ({ after }) => [{ id: after as string }])
  expect(next).toEqual({ items: [{ id: key }], next_cursor: null })
  for (let byte = 0; byte < 256; byte++) {
    const hex = Buffer.from([byte]).toString("hex")
    const isKey = /^[\w.-]$/.test(String.fromCharCode(byte))
    expect([byte, cursorPattern.test(hex)]).toEqual([byte, isKey])
    await expect(listPage({ cursor: `${hex}x` }, async () => [])).rejects.toThrow()
  }
})
