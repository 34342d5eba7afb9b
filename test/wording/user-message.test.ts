import { expect, test } from "bun:test"
import { join, resolve } from "node:path"
import { detail } from "../../src/base/errors.ts"
import { userMessage } from "../../src/wording/user-message.ts"

const source = resolve(import.meta.dir, "../../src")

/** `detail("forms.tooLong", { max })`: the code, and the names of its params. */
const told = /detail\(\s*"([\w.]+)"(?:,\s*(\{[^{}]*\}))?/g

test("every code that the program tells has its message, with every param that the message shows", async () => {
  const codes = new Map<string, string[]>()
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(source)) {
    const text = await Bun.file(join(source, file)).text()
    for (const [, code, params = "{}"] of text.matchAll(told)) codes.set(code as string, namesIn(params))
  }
  expect(codes.size).toBeGreaterThan(100)
  const sentences = [...codes].map(([code, names]) => userMessage(detail(code, invented(names))))
  expect(sentences.filter((sentence) => /undefined|NaN|Invalid/.test(sentence))).toEqual([])
})

test("a code without a message is a defect", () => {
  expect(() => userMessage(detail("forms.noSuchMessage"))).toThrow("no message for forms.noSuchMessage")
})

test("words are shown as they are", () => {
  expect(userMessage("Cette page n’existe pas.")).toBe("Cette page n’existe pas.")
})

function namesIn(params: string): string[] {
  return [...params.matchAll(/(\w+)\s*(?=[,:}])/g)].map(([, name]) => name as string)
}

/** A value of a kind that every message takes for a param of that name. */
function invented(names: string[]): Record<string, string | number | readonly string[]> {
  const lists = ["roles", "choices", "known", "allowed"]
  const value = (name: string) => (lists.includes(name) ? ["a", "b"] : name === "timezone" ? "UTC" : 7)
  return Object.fromEntries(names.map((name) => [name, value(name)]))
}
