import { expect, test } from "bun:test"
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { unpackedFolder, unpackFiles } from "../../src/host/unpack.ts"
import { temporaryFolder } from "../support/service.ts"

// test/binary/starts.slow.test.ts tries the compiled program.

const content = Buffer.from("A library of an index engine. ".repeat(100_000))

/** A file as the built program carries it. */
function embedded(folder: string) {
  const path = join(folder, "library.so.zst")
  writeFileSync(path, Bun.zstdCompressSync(content))
  return { name: "library.so", path, bytes: content.length }
}

test("a file is unpacked once, for this account alone, and again when it was cut short", async () => {
  using folder = temporaryFolder()
  const file = embedded(folder.path)
  const target = await unpackFiles([file], folder.path)
  const unpacked = join(target, file.name)
  expect(readFileSync(unpacked).equals(content)).toBe(true)
  expect([statSync(target).mode & 0o777, statSync(unpacked).mode & 0o777]).toEqual([0o700, 0o700])
  const first = statSync(unpacked).ino
  await unpackFiles([file], folder.path)
  expect(statSync(unpacked).ino).toBe(first)
  truncateSync(unpacked, 1000)
  await unpackFiles([file], folder.path)
  expect(readFileSync(unpacked).equals(content)).toBe(true)
})

test("processes that start at the same time each find it whole, and nothing else stays", async () => {
  using folder = temporaryFolder()
  const file = embedded(folder.path)
  const script = `
    import { readFileSync } from "node:fs"
    import { unpackFiles } from ${JSON.stringify(join(import.meta.dir, "../../src/host/unpack.ts"))}
    const target = await unpackFiles([${JSON.stringify(file)}], ${JSON.stringify(folder.path)})
    console.log(String(Bun.hash(readFileSync(target + "/library.so"))))`
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" }),
  )
  const hashes = await Promise.all(children.map(({ stdout }) => new Response(stdout).text()))
  expect(hashes).toEqual(Array.from({ length: 4 }, () => `${Bun.hash(content)}\n`))
  expect(readdirSync(join(folder.path, unpackedFolder()))).toEqual(["library.so"])
})

test("processes of one id, in containers that share the folder, each find it whole", async () => {
  using folder = temporaryFolder()
  const file = embedded(folder.path)
  const targets = await Promise.all([file, file].map((each) => unpackFiles([each], folder.path)))
  for (const target of targets) {
    expect(readFileSync(join(target, file.name)).equals(content)).toBe(true)
    expect(readdirSync(target)).toEqual([file.name])
  }
})

test("what a process left that ended over it is removed; what another still writes stays", async () => {
  using folder = temporaryFolder()
  const target = join(folder.path, unpackedFolder())
  mkdirSync(target, { mode: 0o700 })
  const unfinished = (pid: number) => `library.so.${pid}.${crypto.randomUUID()}`
  const [ended, earlier, running] = [999_999_999, process.pid, 1].map(unfinished) as [string, string, string]
  for (const name of [ended, earlier, running]) writeFileSync(join(target, name), "half")
  await unpackFiles([embedded(folder.path)], folder.path)
  expect(readdirSync(target).sort()).toEqual(["library.so", running].sort())
})

test("a folder that others may write to is refused", async () => {
  using folder = temporaryFolder()
  const target = join(folder.path, unpackedFolder())
  mkdirSync(target)
  chmodSync(target, 0o777)
  const refused = await unpackFiles([embedded(folder.path)], folder.path).catch(
    (error: Error) => error.message,
  )
  expect(refused).toBe(`${target} is not a folder of this account's own`)
})
