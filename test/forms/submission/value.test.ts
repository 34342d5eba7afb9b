import { expect, test } from "bun:test"
import type { Field, FieldType } from "../../../src/forms/definition/field.ts"
import { parseValue } from "../../../src/forms/submission/value.ts"

const field = (type: FieldType, required = false): Field => ({
  name: "a",
  label: "A",
  type,
  required,
  options: [{ value: "a", label: "A" }],
})

const cases: [type: FieldType, right: string[], wrong: string[]][] = [
  [
    "email",
    ["a@b.fr", "prenom.nom+tri@sous.domaine.exemple.fr", "o'neil@exemple.fr", "a@münchen.de", " a@b.fr "],
    [
      "a",
      "a@b",
      "@b.fr",
      "a@",
      "a@@b.fr",
      "a b@c.fr",
      "a@b..fr",
      ".a@b.fr",
      "a.@b.fr",
      "a..b@c.fr",
      "a@b.fr,c@d.fr",
      "<a@b.fr>",
      "a@-b.fr",
      "a@127.0.0.1",
      "a@[127.0.0.1]",
      `${"a".repeat(65)}@b.fr`,
      `a@${"b".repeat(64)}.fr`,
    ],
  ],
  [
    "url",
    ["https://exemple.fr", "http://www.exemple.fr/a?b=c#d", "https://exemple.fr:8443/"],
    [
      "exemple.fr",
      "javascript:alert(1)",
      "ftp://exemple.fr",
      "https://",
      "https://a b.fr",
      "//exemple.fr",
      "https:exemple.fr",
    ],
  ],
  [
    "tel",
    ["01 23 45 67 89", "+33 1 23 45 67 89", "(0)1.23-45/67", "3939", "112"],
    ["12", "zéro", "+", "1".repeat(16), "01 23 a"],
  ],
  [
    "number",
    ["0", "-12.5", "1e3", ".5", "007"],
    ["12,5", "1e999", "NaN", "Infinity", "0x10", "1 000", "--1", "1."],
  ],
  [
    "date",
    ["2026-11-20", "2024-02-29"],
    ["2026-02-29", "2026-13-01", "20/11/2026", "2026-11-20T10:00", "0000-01-01", "2026-1-1"],
  ],
  ["select", ["a"], ["b", " a", "A"]],
  ["radio", ["a"], ["b"]],
]

for (const [type, right, wrong] of cases) {
  test(`${type}: what is one is taken, what is none is refused`, () => {
    expect(right.filter((text) => parseValue(field(type), text).problem)).toEqual([])
    expect(wrong.filter((text) => !parseValue(field(type), text).problem)).toEqual([])
  })
}

test("checkboxes: the chosen values in the form's order, however they were sent; one at least where required", () => {
  const boxes = (required: boolean): Field => ({
    ...field("checkboxes", required),
    options: ["lundi", "mardi matin", "jeudi"].map((value) => ({ value, label: value })),
  })
  const parsed = (posted: string | string[] | undefined) => parseValue(boxes(false), posted)
  for (const posted of [["jeudi", "lundi"], ["jeudi, lundi"], "jeudi,lundi", ["", "jeudi", "lundi", "jeudi"]])
    expect(parsed(posted)).toEqual({ value: "lundi, jeudi" })
  expect(parsed("mardi matin")).toEqual({ value: "mardi matin" })
  for (const posted of [undefined, "", [], [" ", ""]]) expect(parsed(posted)).toEqual({ value: "" })
  expect(parsed(["lundi", "dimanche"])).toMatchObject({
    value: "lundi",
    problem: { code: "forms.notAnOption" },
  })
  expect(parseValue(boxes(true), []).problem).toMatchObject({ code: "forms.chooseAtLeastOne" })
  expect(parseValue(boxes(true), "jeudi").problem).toBeUndefined()
  // Far more text than all choices together is none of them, and is not taken apart.
  for (const posted of ["jeudi,".repeat(5000), ",".repeat(20_000), Array(5000).fill("jeudi")])
    expect(parsed(posted)).toMatchObject({ value: "", problem: { code: "forms.notAnOption" } })
})

test("what was typed is kept, whichever way its line ends were sent", () => {
  expect(parseValue(field("textarea"), "  a\r\nb\rc\n").value).toBe("  a\nb\nc\n")
  expect(parseValue(field("text"), "a\r\nb").value).toBe("a b")
  expect(parseValue(field("text"), "a\u0000b\u001b[31m").value).toBe("ab[31m")
  expect(parseValue(field("text"), "\ud800").value).toBe("\ufffd")
})

test("nothing is an empty string, and a fault only where something is required", () => {
  for (const type of ["text", "email", "select", "date", "hidden"] as const) {
    expect(parseValue(field(type), undefined)).toEqual({ value: "" })
    expect(parseValue(field(type), "  ")).toEqual({ value: "" })
    expect(parseValue(field(type, true), " ").problem).toMatchObject({
      code: expect.stringMatching(/^forms\./),
    })
  }
})

test("a box is checked by whatever a browser sends for it, never by a clear no", () => {
  for (const sent of ["on", "oui", "true", "1", "x"])
    expect(parseValue(field("checkbox"), sent).value).toBe("oui")
  for (const sent of [undefined, "", "false", "0", "off", "non", " No "])
    expect(parseValue(field("checkbox"), sent).value).toBe("")
  expect(parseValue(field("checkbox", true), undefined).problem).toMatchObject({
    code: expect.stringMatching(/^forms\./),
  })
})
