import { expect, test } from "bun:test"
import { decodeText } from "../../src/outbound/charset.ts"

const latin1 = (text: string) => Buffer.from(text, "latin1")

test.each<[string, Uint8Array, string]>([
  ["what the server declares", latin1("Été"), "text/html; charset=ISO-8859-1"],
  ["what the server declares, quoted", latin1("Été"), 'text/html; Charset="windows-1252"'],
  ["UTF-8, where nothing is declared", Buffer.from("Été"), "text/html"],
  ["windows-1252, where nothing is declared and it is no UTF-8", latin1("Été"), "text/html"],
  ["the byte order mark before the declaration", Buffer.from("\ufeffÉté"), "text/html; charset=iso-8859-1"],
  ["UTF-16 by its mark", Buffer.from("\ufeffÉté", "utf16le"), "text/html"],
  ["UTF-8, where an unknown charset is declared", Buffer.from("Été"), "text/html; charset=klingon"],
])("text is read as %s", (_, bytes, contentType) => {
  expect(decodeText(bytes, contentType)).toBe("Été")
})

test("a page's own declaration counts when the server makes none", () => {
  const declared = '<!doctype html><meta name="a" content="b"><meta charset="iso-8859-15"><p>'
  expect(decodeText(Buffer.concat([Buffer.from(declared), Buffer.from([0xa4])]), "text/html")).toEndWith("€")
  const old = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">'
  expect(decodeText(Buffer.concat([Buffer.from(old), Buffer.from([0xa4])]), "text/html")).toEndWith("€")
})

test.each([
  ["in a comment", '<!-- <meta charset="iso-8859-15"> -->'],
  ["in a description", '<meta name="description" content="charset=iso-8859-15">'],
  ["beyond the first 1,024 bytes", `${" ".repeat(1024)}<meta charset="iso-8859-15">`],
])("a declaration %s does not count", (_, start) => {
  expect(decodeText(Buffer.concat([Buffer.from(start), Buffer.from([0xa4])]), "text/html")).toEndWith("¤")
})

test("a page that is read as ASCII up to its declaration of UTF-16 is UTF-8, as in browsers", () => {
  expect(decodeText(Buffer.from('<meta charset="utf-16"><p>Été'), "text/html")).toEndWith("Été")
})

test("a page's own declaration counts when the server's is unknown", () => {
  const page = Buffer.concat([Buffer.from('<meta charset="iso-8859-15">'), Buffer.from([0xa4])])
  expect(decodeText(page, "text/html; charset=klingon")).toEndWith("€")
})

test("an encoding that browsers no longer decode counts as none", () => {
  expect(decodeText(Buffer.from("Été"), "text/html; charset=iso-2022-kr")).toBe("Été")
})

test("bytes that are wrong in the declared charset do not lose the rest", () => {
  expect(decodeText(Buffer.from([0x61, 0xff, 0x62]), "text/html; charset=utf-8")).toBe("a\ufffdb")
})
