import { afterEach, beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { guichet } from "../support/cli.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

// A developer's receiver says 401: who is wrong? The published messages, and the command that judges one.

interface Vector {
  name: string
  valid: boolean
  secret: string
  id: string
  timestamp: number
  body: string
  signature: string
}

const { vectors } = (await Bun.file(
  join(import.meta.dir, "../../data/operate/webhook-vectors.json"),
).json()) as {
  vectors: Vector[]
}
let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

async function verify({ secret, id, timestamp, body, signature }: Vector, ...more: string[]) {
  const file = join(folder.path, "body")
  await Bun.write(file, body)
  const headers = [`--id=${id}`, `--timestamp=${timestamp}`, `--signature=${signature}`]
  return guichet(["verify", file, ...headers, ...more], {}, `${secret}\n`)
}

for (const vector of vectors)
  test(`published message, ${vector.valid ? "right" : "wrong"}: ${vector.name}`, async () => {
    const { exitCode, stdout } = await verify(vector, "--any-time")
    expect([exitCode, stdout.includes("is right")]).toEqual([vector.valid ? 0 : 1, vector.valid])
  })

test("a message of long ago is told apart from a wrong one", async () => {
  const { exitCode, stdout } = await verify(vectors[0] as Vector, "--json")
  expect([exitCode, JSON.parse(stdout)]).toEqual([1, { verdict: "late", taken: false }])
})

test("what is no secret, no file or far too large is a wrong call", async () => {
  const right = vectors[0] as Vector
  expect((await verify({ ...right, secret: "abc" })).exitCode).toBe(2)
  expect((await verify({ ...right, body: "x".repeat(2_000_000) })).exitCode).toBe(2)
  const missing = join(folder.path, "missing")
  const headers = ["--id=a", "--timestamp=1", "--signature=b"]
  expect((await guichet(["verify", missing, ...headers], {}, `${right.secret}\n`)).exitCode).toBe(2)
})
