import { expect, test } from "bun:test"
import { editionAt } from "../../src/accounts/projects/editions.ts"
import { newProject } from "../../src/accounts/projects/record.ts"
import type { Refusal } from "../../src/base/errors.ts"
import { fieldsOf } from "../../src/http/record/fields.ts"

// The rules that tell versions and languages of a documentation apart.

const named = (rule: string, at = 0) => ({ name: `e${at}`, label: "Version", rule })

function read(rules: readonly string[]): readonly string[] {
  const body = { name: "Guide", site: "https://docs.exemple.fr", editions: rules.map(named) }
  return (fieldsOf(body, newProject).editions ?? []).map(({ rule }) => rule)
}

function refusedAt(editions: unknown): string[] {
  try {
    fieldsOf({ name: "Guide", site: "https://docs.exemple.fr", editions }, newProject)
  } catch (error) {
    return Object.keys((error as Refusal).fields ?? {})
  }
  return []
}

test("a rule is kept as addresses begin", () => {
  const typed = [
    " /v2 ",
    "/guide/é/",
    "EN.Exemple.fr",
    "https://docs.exemple.fr:443/v1",
    "localhost:8080/x/../y",
  ]
  expect(read(typed)).toEqual([
    "/v2/",
    "/guide/%C3%A9/",
    "en.exemple.fr",
    "docs.exemple.fr/v1/",
    "localhost:8080/y/",
  ])
})

test("what is neither the beginning of a path nor a host is refused", () => {
  const wrong = [
    "",
    " ",
    "/v*/",
    "^/v[0-9]",
    "/a?b",
    "/a#b",
    "//evil.fr/",
    "javascript:alert(1)",
    "a@b.fr",
    "/a b/",
    "\\v2",
  ]
  for (const rule of [...wrong, `/${"a".repeat(200)}/`, `/${"é".repeat(40)}/`, 2, null])
    expect({ rule, at: refusedAt([{ name: "e", label: "E", rule }]) }).toEqual({
      rule,
      at: ["editions.0.rule"],
    })
})

test("names and rules differ, and there are 20 at most", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => named(`/v${at}/`, at))
  expect(refusedAt(rows(20))).toEqual([])
  expect(refusedAt(rows(21))).toEqual(["editions"])
  expect(refusedAt([named("/a/", 1), named("/a", 2)])).toEqual(["editions"])
  expect(refusedAt([named("/a/", 1), named("/b/", 1)])).toEqual(["editions"])
  for (const name of ["", "V 2", "-a", "é", "a".repeat(41)])
    expect(refusedAt([{ ...named("/a/"), name }])).toEqual(["editions.0.name"])
  expect(refusedAt([{ ...named("/a/"), label: "é".repeat(61) }])).toEqual(["editions.0.label"])
  expect(refusedAt([{ ...named("/a/"), regex: true }])).toEqual(["editions.0.regex"])
})

test("the longest rule that an address follows counts, by whole parts of its path", () => {
  const rules = ["/", "/docs/", "/docs/v1/", "en.exemple.fr", "en.exemple.fr/docs/v1/"].map(named)
  const ruleAt = (address: string) => editionAt(rules, address)?.rule
  expect(ruleAt("https://exemple.fr/docs")).toBe("/docs/")
  expect(ruleAt("https://exemple.fr/docs/v1#port")).toBe("/docs/v1/")
  expect(ruleAt("https://exemple.fr/docs/v10/a?x=/docs/v1/")).toBe("/docs/")
  expect(ruleAt("https://en.exemple.fr/docs/v1/a")).toBe("en.exemple.fr/docs/v1/")
  expect(ruleAt("https://en.exemple.fr/a")).toBe("en.exemple.fr")
  expect(ruleAt("https://exemple.fr/documents")).toBe("/")
  expect(editionAt(rules.slice(1), "https://exemple.fr/documents")).toBeUndefined()
  expect(ruleAt("no address")).toBeUndefined()
})
