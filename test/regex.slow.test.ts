import { expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expressionsIn } from "./support/regex/expressions.ts"
import { faultsOf } from "./support/regex/faults.ts"

// That every expression of the program is linear is told by regex.deep.test.ts, which takes a minute and more.

const source = resolve(import.meta.dir, "../src")

/**
 * Put together while the program runs, so that nobody judges them but whoever reads them: why they are
 * linear.
 */
const computed = [
  {
    file: "accounts/projects/record.ts",
    text: "articles",
    why: "`articles` are constants of the file without `*` and `+`, at the beginning of the text alone",
  },
  {
    file: "answering/retrieval/asked-fact.ts",
    text: "street",
    why: "`street` are constants of the file: each try reads a number, a word and a name at most",
  },
  {
    file: "answering/retrieval/asked-fact.ts",
    text: "role",
    why: "`role` and `organisation` are constants of the file without `*` and `+`: each try reads a role and three marks",
  },
  {
    file: "answering/retrieval/asked-fact.ts",
    text: "noOrganisation",
    why: "`noOrganisation` looks back at most three names of thirty letters, and each try reads two names at most",
  },
  {
    file: "answering/retrieval/question.ts",
    text: "alternatives",
    why: "`alternatives` are constants of the file without `*` and `+`: each try reads the longest of them at most",
  },
  {
    file: "api/reference/example-values.ts",
    text: "parameter",
    why: "an address of a route of our own, with the name of its parameter",
  },
]

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

/** A pattern that a schema puts together, and nobody runs. */
function isToldOnly(text: string): boolean {
  return text.startsWith("pattern:")
}
