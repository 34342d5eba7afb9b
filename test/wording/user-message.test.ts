import { expect, test } from "bun:test"
import { join, resolve } from "node:path"
import { detail, Refusal } from "../../src/base/errors.ts"
import { words as checks } from "../../src/wording/english/checks.en.ts"
import { words as reading } from "../../src/wording/english/reading.en.ts"
import { englishReason, inEnglish } from "../../src/wording/english.ts"
import { userMessage } from "../../src/wording/user-message.ts"

const source = resolve(import.meta.dir, "../../src")

/** `detail("forms.tooLong", { max })`: the code, and the names of its params. */
const told = /detail\(\s*"([\w.]+)"(?:,\s*(\{[^{}]*\}))?/g
/** `told(filledLine(), "forms.formName", { max })`: the refusal beside a schema. */
const toldOfRule = /,\s*"(\w+\.\w+)"(?:,\s*(\{[^{}]*\}))?,?\s*\)/g
/** `requireRoom(count, maxForms, "forms.tooManyForms")` */
const toldOfRoom = /requireRoom\([^"{]*"([\w.]+)"/g

test("every code that the program tells has its message, with every param that the message shows", async () => {
  const codes = await codesTold()
  expect(codes.size).toBeGreaterThan(150)
  const sentences = [...codes].map(([code, names]) => userMessage(detail(code, invented(names))))
  expect(sentences.filter((sentence) => /undefined|NaN|Invalid/.test(sentence))).toEqual([])
})

test("every code is also said in English, with its params, and no word of readings and checks is left over", async () => {
  const codes = await codesTold()
  const sentences = [...codes].map(([code, names]) => inEnglish(detail(code, invented(names))))
  expect(sentences.filter((sentence) => /undefined|NaN|Invalid/.test(sentence))).toEqual([])
  const messages = [...keysOf("reading", reading), ...keysOf("checks", checks)]
  const told = [...codes.keys()].filter((code) => /^(?:reading|checks)\./.test(code))
  expect(told.sort()).toEqual(messages.sort())
})

test("one page that could not be read is told in the singular, and its version is its own", () => {
  const unread = (failed: number) => detail("assistant.pagesUnread", { failed, pages: 300 })
  expect(userMessage(unread(1))).toBe(
    "1\u00a0page sur 300 non lue\u00a0: relisez la documentation. D’ici là, sa dernière version connue répond.",
  )
  expect(userMessage(unread(2))).toContain("2\u00a0pages sur 300 non lues")
  expect(userMessage(unread(2))).toContain("leur dernière version")
  expect(inEnglish(unread(1))).toContain("its last version answers")
})

test("the command line and the log say what is wrong with each field, and which command helps", () => {
  const { id } = { id: "autre" }
  expect(englishReason(new Refusal("not_found", detail("accounts.unknownToken", { id })))).toBe(
    "no token autre: guichet token list shows those there are",
  )
  const fields = { name: detail("accounts.projectName"), site: detail("requests.required"), other: "" }
  expect(
    englishReason(new Refusal("invalid_request", detail("accounts.invalidProject"), { fields })),
  ).toMatch(/^the name is empty.*; site: this field is required; not a right value: other$/)
})

test("a param that is a detail is worded first", () => {
  const why = detail("reading.answered", { status: 404 })
  const told = detail("reading.at", { place: "https://docs.fr/sitemap.xml", why })
  expect(userMessage(told)).toBe("https://docs.fr/sitemap.xml\u00a0: Le site a répondu HTTP 404.")
  expect(inEnglish(told)).toBe("https://docs.fr/sitemap.xml: answered 404")
})

test("figures are written as each language writes them", () => {
  const most = 5_242_880
  expect(userMessage(detail("reading.tooManyBytes", { most }))).toBe("Plus de 5\u202f242\u202f880 octets.")
  expect(inEnglish(detail("reading.tooManyBytes", { most }))).toBe("more than 5,242,880 bytes")
  const heavy = detail("reading.fileTooLarge", { bytes: 6 * 1024 * 1024, most })
  expect(userMessage(heavy)).toBe("Elle pèse 6,0\u00a0Mo, 5\u00a0Mo au plus.")
  expect(inEnglish(heavy)).toBe("6.0 MB, at most 5 MB")
  expect(userMessage(detail("reading.stalled", { seconds: 0.06 }))).toContain("0,06\u00a0secondes")
  expect(userMessage(detail("checks.diskFree", { megabytes: 69_663 }))).toBe("68\u00a0Go libres.")
  expect(userMessage(detail("checks.clock", { now: "2026-11-20T15:20:25.853Z" }))).toBe(
    "Il est 2026-11-20 15:20:25 (UTC).",
  )
})

test("a code without a message is a defect", () => {
  expect(() => userMessage(detail("forms.noSuchMessage"))).toThrow("no sentence for forms.noSuchMessage")
})

test("words are shown as they are", () => {
  expect(userMessage("Cette page n’existe pas.")).toBe("Cette page n’existe pas.")
})

/** Every code in the source, with the names of its params. */
async function codesTold(): Promise<Map<string, string[]>> {
  const codes = new Map<string, string[]>()
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(source)) {
    const text = (await Bun.file(join(source, file)).text()).replace(/\.\w+Join\([^)]*\)/g, "")
    const ofRules = text.includes("told(") ? [...text.matchAll(toldOfRule)] : []
    for (const [, code = "", params = "{}"] of [...text.matchAll(told), ...ofRules])
      codes.set(code, [...new Set([...(codes.get(code) ?? []), ...namesIn(params)])])
    for (const [, code = ""] of text.matchAll(toldOfRoom)) codes.set(code, ["maximum"])
  }
  return codes
}

function keysOf(area: string, messages: object): string[] {
  return Object.keys(messages).map((name) => `${area}.${name}`)
}

function namesIn(params: string): string[] {
  return [...params.matchAll(/(\w+)\s*(?=[,:}])/g)].map(([, name]) => name as string)
}

const texts: Record<string, string> = {
  timezone: "UTC",
  type: "number",
  kinds: "pdf image",
  at: "2026-11-20T15:20:25.853Z",
  now: "2026-11-20T15:20:25.853Z",
}

/** A value of a kind that every message takes for a param of that name. */
function invented(names: string[]): Record<string, string | number | readonly string[]> {
  const lists = ["roles", "choices", "known", "allowed", "projects"]
  const value = (name: string) => (lists.includes(name) ? ["a", "b"] : (texts[name] ?? 7))
  return Object.fromEntries(names.map((name) => [name, value(name)]))
}
