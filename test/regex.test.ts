import { afterAll, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type Expression, expressionsIn } from "./support/regex/expressions.ts"

const source = resolve(import.meta.dir, "../src")

/**
 * Whatever meets a text from outside takes a time that grows with its length and not with a square of it. At
 * most five expressions are excepted, each with the bound of its input, which stands in the code before the
 * expression is run.
 */
const exceptions: { file: string; source: string; bound: string }[] = []

/**
 * Put together while the program runs, so that nobody judges them but whoever reads them: why they are
 * linear.
 */
const computed = [
  {
    file: "assistant/retrieval/question.ts",
    text: "alternatives",
    why: "`alternatives` are constants of the file without `*` and `+`: each try reads the longest of them at most",
  },
]

const judges = [1, 2].map(() => new Worker(new URL("./support/regex/judge.ts", import.meta.url)))
afterAll(() => {
  for (const judge of judges) judge.terminate()
})

test("every regular expression is linear", async () => {
  const { constant } = await expressionsIn(source)
  expect(constant.length).toBeGreaterThan(400)
  const faults = await faultsOf(constant.filter((expression) => !isExcepted(expression)))
  expect(faults).toEqual([])
})

test("at most five are excepted, and each of them needs it", async () => {
  const { constant } = await expressionsIn(source)
  const excepted = constant.filter(isExcepted)
  expect(exceptions.length).toBeLessThanOrEqual(5)
  expect(excepted).toHaveLength(exceptions.length)
  expect(await faultsOf(excepted)).toHaveLength(exceptions.length)
})

test("those that are put together while the program runs are known", async () => {
  const found = (await expressionsIn(source)).computed.filter(({ text }) => !isToldOnly(text))
  expect(found).toEqual(
    computed.map(({ file, text }) => ({ file, text: expect.stringContaining(text) as string })),
  )
})

test("the program runs no pattern of a schema: openapi.json tells them, and code of our own judges", async () => {
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(source))
    expect(await Bun.file(join(source, file)).text(), file).not.toMatch(
      /"@sinclair\/typebox\/(?:value|compiler)"/,
    )
})

test("what is not linear is found, wherever it stands", async () => {
  const folder = await mkdtemp(join(tmpdir(), "guichet-regex-"))
  try {
    await Bun.write(join(folder, "tsconfig.json"), "{}")
    await Bun.write(join(folder, "sample.ts"), sample)
    const { constant, computed } = await expressionsIn(folder)
    expect(computed).toEqual([{ file: "sample.ts", text: 'new RegExp(name + "+")' }])
    const faults = (await faultsOf(constant)).map(({ place }) => Number(place.split(":")[1]))
    const lines = sample.split("\n")
    expect(faults.map((line) => lines[line - 1])).toEqual(
      lines.filter((line) => line.endsWith("// not linear")),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

const sample = String.raw`declare const name: string, Type: { String(options: object): unknown }
void /(a+)+$/; // not linear
void /(?<!b)(a+)+$/; // not linear
void /\s+$/; // not linear
void /(?<!\s)\s+$/;
void /<(?=[a-z])(?![^\n]*>)/g; // not linear
void /(x+)y\1/; // not linear
void /!\[[^\]]*\](?:\([^)]*\))?/g; // not linear
void /a(?:[^b]*b)?/g; // not linear
void /[a-z]+@[a-z]+/; // not linear
void /^[a-z]+@[a-z]+$/;
new RegExp("-+" + "$", "g"); // not linear
RegExp("a+b"); // not linear
"".match(".*x$"); // not linear
Type.String({ pattern: "a+$" }); // not linear
Type.String({ pattern: "^a+$" });
new RegExp(name + "+");
export {}`

function isExcepted({ place, source }: Expression): boolean {
  return exceptions.some((one) => place.startsWith(`${one.file}:`) && one.source === source)
}

interface Fault {
  place: string
  expression: string
  why: string
}

/** Each is judged once, by whichever judge is free. */
async function faultsOf(expressions: readonly Expression[]): Promise<Fault[]> {
  const waiting = [...Map.groupBy(expressions, ({ source, flags }) => `/${source}/${flags}`)]
  const faults: Fault[] = []
  await Promise.all(
    judges.map(async (judge) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [expression, [first, ...more]] = next as [string, [Expression, ...Expression[]]]
        const why = await judged(judge, first)
        if (why !== undefined)
          faults.push(...[first, ...more].map(({ place }) => ({ place, expression, why })))
      }
    }),
  )
  return faults.sort((one, other) => one.place.localeCompare(other.place, "en", { numeric: true }))
}

function judged(judge: Worker, expression: Expression): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  judge.onmessage = ({ data }) => resolve(data)
  judge.onerror = ({ message }) => reject(new Error(message))
  judge.postMessage(expression)
  return promise
}

/** A pattern that a schema puts together, and nobody runs. */
function isToldOnly(text: string): boolean {
  return text.startsWith("pattern:")
}
