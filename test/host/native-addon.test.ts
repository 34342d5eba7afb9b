import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { claimAddonFolder, removeOldAddons } from "../../src/host/native-addon.ts"
import { unpackedFolder } from "../../src/host/unpack.ts"
import { mayMount, mountMemory } from "../support/mount.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

// test/binary/starts.slow.test.ts tries the compiled program.

let folder: TemporaryFolder
let environment: Record<string, string>
/** Keeps references: a mapping without one is garbage-collected. */
let loaded: Uint8Array | undefined
beforeEach(() => {
  folder = temporaryFolder()
  environment = { BUN_TMPDIR: folder.path }
  for (const name of ["older", "running", "own"]) writeFileSync(unpacked(name), "library")
  writeFileSync(join(folder.path, "another.node"), "")
})
afterEach(() => folder[Symbol.dispose]())

const unpacked = (name: string) => join(folder.path, `.bun-0-${name}.node`)
const left = () => readdirSync(folder.path).sort()

describe.skipIf(process.platform !== "linux")("what other versions unpacked", () => {
  test("is removed; what is loaded by this or another process stays", async () => {
    loaded = Bun.mmap(unpacked("own"))
    await using _older = await processThatLoads(unpacked("running"))
    expect(removeOldAddons(environment)).toEqual([".bun-0-older.node"])
    expect(left()).toEqual([".bun-0-own.node", ".bun-0-running.node", "another.node"])
    expect(loaded.length).toBe(7)
  })

  test("is removed once the process that had it loaded is gone", async () => {
    loaded = Bun.mmap(unpacked("own"))
    {
      await using _older = await processThatLoads(unpacked("running"))
    }
    removeOldAddons(environment)
    expect(left()).toEqual([".bun-0-own.node", "another.node"])
  })

  test("stays while another process is about to load, and not for one that died before", async () => {
    loaded = Bun.mmap(unpacked("own"))
    writeFileSync(join(folder.path, ".guichet-loading-999999999"), "")
    const other = Bun.spawn(["sleep", "60"])
    writeFileSync(join(folder.path, `.guichet-loading-${other.pid}`), "")
    expect(removeOldAddons(environment)).toEqual([])
    other.kill("SIGKILL")
    await other.exited
    expect(removeOldAddons(environment)).toHaveLength(2)
  })

  test("is removed with all that was unpacked beside it; a folder of which something is loaded stays", async () => {
    loaded = Bun.mmap(unpacked("own"))
    const folders = ["older", "running"].map((name) => unpackedFolder(name))
    for (const name of folders) {
      mkdirSync(join(folder.path, name))
      writeFileSync(join(folder.path, name, "binding.node"), "addon")
      writeFileSync(join(folder.path, name, "lib.so.1"), "library")
    }
    const [older, running] = folders as [string, string]
    await using _running = await processThatLoads(join(folder.path, running, "lib.so.1"))
    expect(removeOldAddons(environment).sort()).toEqual(
      [".bun-0-older.node", ".bun-0-running.node", older].sort(),
    )
    expect(left()).toEqual([".bun-0-own.node", running, "another.node"].sort())
  })

  test.skipIf(process.getuid?.() !== 0)(
    "of another account is left alone (needs the right to give a file away)",
    () => {
      loaded = Bun.mmap(unpacked("own"))
      const theirs = join(folder.path, unpackedFolder("theirs"))
      mkdirSync(theirs)
      for (const path of [unpacked("older"), theirs]) lchownSync(path, 12_345, 12_345)
      expect(removeOldAddons(environment)).toEqual([".bun-0-running.node"])
      expect(left()).toEqual([
        ".bun-0-older.node",
        ".bun-0-own.node",
        unpackedFolder("theirs"),
        "another.node",
      ])
    },
  )

  test("stays in a folder that is not this program's", () => {
    expect(removeOldAddons(environment)).toEqual([])
    loaded = Bun.mmap(unpacked("own"))
    expect(removeOldAddons({})).toEqual([])
    expect(left()).toHaveLength(4)
  })
})

test("a process that enters the folder says so until the library is loaded", async () => {
  const entered = await claimAddonFolder(environment, [])
  expect(entered.problem).toBeUndefined()
  const sign = join(folder.path, `.guichet-loading-${process.pid}`)
  expect(existsSync(sign)).toBe(true)
  entered.loaded()
  expect(existsSync(sign)).toBe(false)
  const absent = await claimAddonFolder({ BUN_TMPDIR: join(folder.path, "none") }, [])
  expect(absent.problem).toContain("ENOENT")
})

test("a link that somebody put where the sign goes is not followed", async () => {
  const target = join(folder.path, "somebody’s")
  const sign = join(folder.path, `.guichet-loading-${process.pid}`)
  writeFileSync(target, "kept")
  symlinkSync(target, sign)
  const entered = await claimAddonFolder(environment, [])
  expect([entered.problem, readFileSync(target, "utf8")]).toEqual([undefined, "kept"])
  entered.loaded()
})

test.skipIf(process.getuid?.() !== 0)(
  "a library that another account put under this one's name is not loaded (needs the right to give a file away)",
  async () => {
    const theirs = join(folder.path, unpackedFolder())
    mkdirSync(theirs)
    lchownSync(theirs, 12_345, 12_345)
    const { problem } = await claimAddonFolder(environment, [])
    expect(problem).toStartWith(`${theirs} is not a folder of this account's own: set BUN_TMPDIR`)
    expect(existsSync(theirs)).toBe(true)
  },
)

test("a folder in which nothing can be cleaned up is named all the same", async () => {
  const file = join(folder.path, "another.node")
  const { problem } = await claimAddonFolder({ BUN_TMPDIR: file }, [])
  expect(problem).toStartWith(`${file} cannot be written to (ENOTDIR)`)
})

test("a file that stands where the library's folder goes is told as a problem", async () => {
  writeFileSync(join(folder.path, unpackedFolder()), "")
  const engine = [{ name: "addon.node", path: join(folder.path, "addon.zst"), bytes: 1 }]
  const { problem } = await claimAddonFolder(environment, engine)
  expect(problem).toStartWith(`${folder.path} cannot be written to (EEXIST)`)
})

test.skipIf(!mayMount)(
  "a disk without the room is named before anything is unpacked (needs the right to mount one)",
  async () => {
    using _mounted = mountMemory(folder.path, "size=1m")
    const engine = [{ name: "addon.node", path: join(folder.path, "addon.zst"), bytes: 2 * 1024 * 1024 }]
    const { problem } = await claimAddonFolder(environment, engine)
    expect(problem).toStartWith(`${folder.path} has less than 2 MB free`)
    expect(readdirSync(folder.path)).toEqual([])
  },
)

async function processThatLoads(file: string) {
  const script = `const mapped = Bun.mmap(${JSON.stringify(file)}); console.log(mapped.length); setInterval(() => mapped.length, 1000)`
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" })
  for await (const _ of child.stdout) break
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await child.exited
    },
  }
}
