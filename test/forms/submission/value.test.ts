import { expect, test } from "bun:test"
import type { Detail } from "../../../src/base/errors.ts"
import type { Field } from "../../../src/forms/definition/field.ts"
import { type FieldType, fieldRules, fieldTypes } from "../../../src/forms/definition/field-types.ts"
import { parseValue } from "../../../src/forms/submission/value.ts"
import { userMessage } from "../../../src/wording/user-message.ts"

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
    ["https://exemple.fr", "http://www.exemple.fr/a?b=c#d", "https://exemple.fr:8443/", "exemple.fr"],
    [
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
    ["01 23 45 67 89", "+33 1 23 45 67 89", "(0)1.23-45/67", "3939", "112", "020 7946 0018 ext. 12"],
    ["12", "zéro", "+", "1".repeat(16), "01 23 a", "poste 12", "12 poste 1234", "01 23 45 67 89 poste"],
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
  ["select", ["a", " a", "a\u200b"], ["b", "A", "a a"]],
  ["radio", ["a"], ["b"]],
]

for (const [type, right, wrong] of cases) {
  test(`${type}: what is one is taken, what is none is refused`, () => {
    expect(right.filter((text) => parseValue(field(type), text, "en").problem)).toEqual([])
    expect(wrong.filter((text) => !parseValue(field(type), text, "en").problem)).toEqual([])
  })
}

test("a text that is nothing of its type is refused with a sentence of that type", () => {
  const typed = fieldTypes.filter((type) => fieldRules[type].value === "typed")
  const sentences = typed.map((type) => userMessage(parseValue(field(type), "§", "fr").problem as Detail))
  expect(sentences.map((sentence) => /^Indiquez .+\.$/.test(sentence))).toEqual(typed.map(() => true))
  expect(new Set(sentences).size).toBe(typed.length)
})

const typed: [type: FieldType, sent: string, stored: string][] = [
  ["number", "12,5", "12.5"],
  ["number", "-0,5", "-0.5"],
  ["number", ",5", "0.5"],
  ["number", "+3", "3"],
  ["number", "1 200", "1200"],
  ["number", "1\u202f234\u00a0567,89", "1234567.89"],
  ["number", "\u221212", "-12"],
  ["number", "1.2", "1.2"],
  ["date", "26/11/2026", "2026-11-26"],
  ["date", "1/2/2026", "2026-02-01"],
  ["date", "26.11.2026", "2026-11-26"],
  ["date", "26-11-2026", "2026-11-26"],
  ["date", "26 / 11 / 2026", "2026-11-26"],
  ["date", "\u200e26/11/2026\u200e", "2026-11-26"],
  ["date", "2026-11-26", "2026-11-26"],
  ["date", "1er mars 2026", "2026-03-01"],
  ["date", "Jeudi 26 novembre 2026", "2026-11-26"],
  ["date", "le 14 févr. 2026", "2026-02-14"],
  ["date", "3 AOÛT 2026", "2026-08-03"],
  ["date", "２６／１１／２０２６", "2026-11-26"],
  ["number", "－１２，５", "-12.5"],
  ["url", "www.exemple.fr", "https://www.exemple.fr"],
  ["url", "exemple.fr/aide?a=b", "https://exemple.fr/aide?a=b"],
  ["url", "\u202ahttps://exemple.fr/\u202c", "https://exemple.fr/"],
  ["tel", "\u202a+33\u00a06\u00a012\u00a034\u00a056\u00a078\u202c", "+33 6 12 34 56 78"],
  ["tel", "06\u201112\u201134\u201156\u201178", "06-12-34-56-78"],
  ["tel", " 06\u200b12345678\ufeff", "0612345678"],
  ["tel", "(+33) 6 12 34 56 78", "+33 6 12 34 56 78"],
  ["tel", "(+33)612345678", "+33 612345678"],
  ["tel", "Tél. : 06 12 34 56 78", "06 12 34 56 78"],
  ["tel", "tel:+33612345678", "+33612345678"],
  ["tel", "０６ １２ ３４ ５６ ７８", "06 12 34 56 78"],
  ["tel", "＋３３ ６ １２ ３４ ５６ ７８", "+33 6 12 34 56 78"],
  ["tel", "٠٦ ١٢ ٣٤ ٥٦ ٧٨", "06 12 34 56 78"],
  ["tel", "01 23 45 67 89 poste 12", "01 23 45 67 89 poste 12"],
  ["tel", "01 23 45 67 89, Poste : 12", "01 23 45 67 89 poste 12"],
  ["tel", "0123456789 #12", "0123456789 poste 12"],
  ["tel", "01 23 45 67 89 (poste 12)", "01 23 45 67 89 poste 12"],
]

test.each(typed)("%s: %j, as French people type or paste it, is stored as %j", (type, sent, stored) => {
  expect(parseValue(field(type), sent, "fr")).toEqual({ value: stored })
})

test.each([
  ["number", "1.200,5"],
  ["number", "1 20"],
  ["number", "12 000 5"],
  ["number", "12,5,1"],
  ["number", "1,"],
  ["number", "12 €"],
  ["date", "31/02/2026"],
  ["date", "11/26/2026"],
  ["date", "26/11/26"],
  ["date", "31 avril 2026"],
  ["date", "3 jui 2026"],
  ["date", "vers 1er mars 2026"],
  ["url", "mailto:a@exemple.fr"],
  ["url", "localhost"],
] as [FieldType, string][])("%s: %j is refused, and kept as it was typed", (type, sent) => {
  expect(parseValue(field(type), sent, "fr")).toMatchObject({ value: sent, problem: {} })
})

test.each([
  ["tel", "01 23 45 67 89 / 06 12 34 56 78", "Indiquez un seul numéro de téléphone"],
  ["tel", "0123456789 ou 0612345678", "Indiquez un seul numéro de téléphone"],
  ["tel", "01 23 45 67 89, 06 12 34 56 78", "Indiquez un seul numéro de téléphone"],
  ["tel", "0123456789 0612345678", "Indiquez un seul numéro de téléphone"],
  ["tel", "27 12 34 ; 28 56 78", "Indiquez un seul numéro de téléphone"],
  ["tel", "12", "Indiquez un numéro de téléphone"],
  ["date", "1er mars", "avec son année en quatre chiffres, par exemple 20/11/2026."],
  ["date", "26/11", "avec son année en quatre chiffres"],
  ["date", "26/11/26", "avec son année en quatre chiffres"],
  ["date", "1er mars 2026 ou 2 mars", "Indiquez une date qui existe"],
] as [FieldType, string, string][])(
  "%s: %j is refused with the sentence that mends it",
  (type, sent, sentence) => {
    expect(userMessage(parseValue(field(type), sent, "fr").problem as Detail)).toContain(sentence)
  },
)

test("in an English project months have their English names, and an extension its English word", () => {
  for (const sent of ["1 March 2026", "March 1st, 2026", "Sunday, 1 March 2026", "the 1st of Mar. 2026"])
    expect(parseValue(field("date"), sent, "en")).toEqual({ value: "2026-03-01" })
  expect(parseValue(field("date"), "March 1", "en").problem).toMatchObject({ code: "forms.yearMissing" })
  const sent = "+44 20 7946 0018 x12"
  expect(parseValue(field("tel"), sent, "en")).toEqual({ value: "+44 20 7946 0018 ext. 12" })
})

test("in an English project a comma, a blank and a day that comes first are refused", () => {
  for (const [type, sent] of [
    ["number", "12,5"],
    ["number", "1 200"],
    ["date", "26/11/2026"],
  ] as const)
    expect(parseValue(field(type), sent, "en").problem).toBeDefined()
  expect(parseValue(field("number"), "12.5", "en")).toEqual({ value: "12.5" })
})

test("a choice is the option that reads the same, whichever way its blanks and accents are encoded", () => {
  const option = "Été\u00a0: a\u0300 midi"
  for (const sent of [
    "E\u0301te\u0301 : à midi",
    " Été :  à midi ",
    "Été\u202f: à\u00admidi".replace("\u00ad", " "),
  ]) {
    const options = [{ value: option, label: "x" }]
    expect(parseValue({ ...field("radio"), options }, sent, "fr")).toEqual({ value: option })
    expect(parseValue({ ...field("checkboxes"), options }, [sent], "fr")).toEqual({ value: option })
  }
})

test("checkboxes: the chosen values in the form's order, however they were sent; one at least where required", () => {
  const boxes = (required: boolean): Field => ({
    ...field("checkboxes", required),
    options: ["lundi", "mardi matin", "jeudi"].map((value) => ({ value, label: value })),
  })
  const parsed = (posted: string | string[] | undefined) => parseValue(boxes(false), posted, "fr")
  for (const posted of [["jeudi", "lundi"], ["jeudi, lundi"], "jeudi,lundi", ["", "jeudi", "lundi", "jeudi"]])
    expect(parsed(posted)).toEqual({ value: "lundi, jeudi" })
  expect(parsed("mardi matin")).toEqual({ value: "mardi matin" })
  for (const posted of [undefined, "", [], [" ", ""]]) expect(parsed(posted)).toEqual({ value: "" })
  expect(parsed(["lundi", "dimanche"])).toMatchObject({
    value: "lundi",
    problem: { code: "forms.notAnOption" },
  })
  expect(parseValue(boxes(true), [], "fr").problem).toMatchObject({ code: "forms.chooseAtLeastOne" })
  expect(parseValue(boxes(true), "jeudi", "fr").problem).toBeUndefined()
  // Far more text than all choices together is none of them, and is not taken apart.
  for (const posted of ["jeudi,".repeat(5000), ",".repeat(20_000), Array(5000).fill("jeudi")])
    expect(parsed(posted)).toMatchObject({ value: "", problem: { code: "forms.notAnOption" } })
})

test("checkboxes: more choices than there are options are refused before any is compared, and each option is read once", () => {
  let reads = 0
  const options = Array.from({ length: 50 }, (_, at) => ({
    label: "x",
    get value() {
      reads++
      return `é${at}`
    },
  }))
  const boxes: Field = { ...field("checkboxes"), options }
  const readsFor = (posted: readonly string[]) => {
    reads = 0
    const { problem } = parseValue(boxes, posted, "fr")
    return { reads: Math.ceil(reads / options.length), problem: problem?.code }
  }
  const refused = "forms.notAnOption"
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at))
  expect(readsFor([",".repeat(500)])).toEqual({ reads: 1, problem: refused })
  expect(readsFor([numbers(51).join()])).toEqual({ reads: 1, problem: refused })
  expect(readsFor(numbers(51))).toEqual({ reads: 1, problem: refused })
  // Joined, compared, read and put in order.
  expect(readsFor(numbers(50))).toEqual({ reads: 4, problem: refused })
  const decomposed = numbers(50).map((number) => `e\u0301${number}`)
  expect(readsFor(decomposed)).toEqual({ reads: 4, problem: undefined })
  expect(readsFor([decomposed.join(), ",".repeat(50)])).toEqual({ reads: 4, problem: undefined })
})

test("what was typed is kept, whichever way its line ends were sent", () => {
  expect(parseValue(field("textarea"), "  a\r\nb\rc\n", "fr").value).toBe("  a\nb\nc\n")
  expect(parseValue(field("text"), "a\r\nb", "fr").value).toBe("a b")
  expect(parseValue(field("text"), "a\u0000b\u001b[31m", "fr").value).toBe("ab[31m")
  expect(parseValue(field("text"), "\ud800", "fr").value).toBe("\ufffd")
})

test("nothing is an empty string, and a fault only where something is required", () => {
  for (const type of ["text", "email", "select", "date", "hidden"] as const) {
    expect(parseValue(field(type), undefined, "fr")).toEqual({ value: "" })
    expect(parseValue(field(type), "  ", "fr")).toEqual({ value: "" })
    expect(parseValue(field(type, true), " ", "fr").problem).toMatchObject({
      code: expect.stringMatching(/^forms\./),
    })
  }
})

test("a box is checked by whatever a browser sends for it, never by a clear no", () => {
  for (const sent of ["on", "oui", "true", "1", "x"])
    expect(parseValue(field("checkbox"), sent, "fr").value).toBe("oui")
  for (const sent of [undefined, "", "false", "0", "off", "non", " No "])
    expect(parseValue(field("checkbox"), sent, "fr").value).toBe("")
  expect(parseValue(field("checkbox", true), undefined, "fr").problem).toMatchObject({
    code: expect.stringMatching(/^forms\./),
  })
})
