import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { temporaryFolder } from "../support/service.ts"

const folderOfBinary = temporaryFolder()
const binary = join(folderOfBinary.path, "guichet")

beforeAll(async () => {
  const project = join(import.meta.dir, "../..")
  const build = Bun.spawn([process.execPath, "src/build.ts", "--outfile", binary], {
    cwd: project,
    stderr: "inherit",
  })
  expect(await build.exited).toBe(0)
}, 120_000)

afterAll(() => folderOfBinary[Symbol.dispose]())

test("the built file starts in an empty folder, serves and stops", async () => {
  using folder = temporaryFolder()
  const child = Bun.spawn([binary, "serve"], {
    cwd: folder.path,
    env: {
      GUICHET_DATA_DIR: join(folder.path, "data"),
      GUICHET_PORT: "0",
      HOME: folder.path,
      BUN_TMPDIR: folder.path,
    },
    stderr: "pipe",
  })
  const url = await urlInLog(child.stderr)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  child.kill("SIGTERM")
  expect(await child.exited).toBe(0)
})

async function urlInLog(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of stderr) {
    text += decoder.decode(bytes)
    const url = /"url":"([^"]+)"/.exec(text)?.[1]
    if (url) return url
  }
  throw new Error(`the binary ended without serving: ${text}`)
}
