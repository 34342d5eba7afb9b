import { expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { type PackLimits, PackTooLarge, readPack } from "../../src/reading/kinds/git/pack.ts"
import { isPlainName } from "../../src/reading/kinds/git/repository-url.ts"
import { TreeTooLarge, writeTree } from "../../src/reading/kinds/git/tree.ts"
import { unpackRepository } from "../../src/reading/kinds/git/unpack.ts"
import { apiOf } from "../support/api.ts"
import { openAuthority } from "../support/authority.ts"
import { indexFeeds } from "../support/documentation.ts"
import {
  blobOf,
  commitOf,
  nameOf,
  packEntry,
  packOf,
  startFalseGitServer,
  treeOf,
  type Written,
} from "../support/git-server.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

/* Whoever runs a Git server chooses every byte of what it sends: nothing of it grows, leads elsewhere or stays. */

const limits: PackLimits = { objects: 100, objectBytes: 1_000_000, totalBytes: 3_000_000 }
const page = blobOf("# Page\n\nTexte de la page.\n")

/** What is written of such a tree, whose objects are all in the pack. */
function writtenOf(tree: Written, ...others: (Written | Buffer)[]) {
  const folder = temporaryFolder()
  const commit = commitOf(tree)
  const reply = replyOf(packOf([commit, tree, ...others]))
  const into = join(folder.path, "into")
  const outcome = unpackRepository(reply, { hash: "sha1", tip: nameOf(commit), folder: "", into })
  const names = existsSync(into) ? readdirSync(into, { recursive: true }).map(String).sort() : []
  const beside = readdirSync(folder.path)
  folder[Symbol.dispose]()
  return { outcome, names, beside }
}

function replyOf(pack: Buffer): Buffer {
  const line = (bytes: Buffer) =>
    Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes])
  const pieces: Buffer[] = []
  for (let at = 0; at < pack.length; at += 60_000)
    pieces.push(line(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])))
  return Buffer.concat([line(Buffer.from("packfile\n")), ...pieces, Buffer.from("0000")])
}

test("a name that leads out of the folder, or into what Git keeps, is written nowhere", () => {
  const evil = [
    "..",
    ".",
    ".git",
    ".GIT",
    ".git.",
    "a/b",
    "a\\b",
    "../../page.md",
    "\u202eevil.md",
    ".g\u200cit",
  ]
  const tree = treeOf([
    ...evil.map((name): [string, string, Written] => ["100644", name, page]),
    ["100644", "x".repeat(300), page],
    ["120000", "lien.md", blobOf("/etc/passwd")],
    ["160000", "module", page],
    ["100644", "page.md", page],
  ])
  expect(writtenOf(tree, page)).toEqual({ outcome: {}, names: ["page.md"], beside: ["into"] })
  for (const name of evil) expect([name, isPlainName(name)]).toEqual([name, false])
})

test("a file and a folder of one name, and a folder that is no tree, are broken repositories", () => {
  const inner = treeOf([["100644", "b.md", page]])
  const both = treeOf([
    ["100644", "a", page],
    ["40000", "a", inner],
  ])
  expect(writtenOf(both, inner, page).outcome).toHaveProperty("wrong.code", "reading.gitBroken")
  const noTree = treeOf([["40000", "a", page]])
  expect(writtenOf(noTree, page).outcome).toHaveProperty("wrong.code", "reading.gitBroken")
})

test("a folder that holds itself ten times, fifteen deep, is not unfolded", () => {
  const trees = [treeOf([["100644", "a.md", page]])]
  for (let deep = 0; deep < 15; deep++) {
    const inner = trees.at(-1) as Written
    trees.push(treeOf([..."0123456789"].map((name): [string, string, Written] => ["40000", name, inner])))
  }
  const top = trees.at(-1) as Written
  const commit = commitOf(top)
  const objects = readPack(packOf([commit, page, ...trees]), "sha1", limits)
  using folder = temporaryFolder()
  const place = { into: folder.path, folder: "" }
  const most = { names: 300, files: 300, fileBytes: 1000, totalBytes: 100_000, depth: 32 }
  for (const [name, less] of Object.entries({ names: 50, files: 20, totalBytes: 200, depth: 10 }))
    expect(() => writeTree(objects, nameOf(commit), place, { ...most, [name]: less })).toThrow(TreeTooLarge)
})

test("an object that unpacks to more than it says, or to more than is allowed, is not unpacked", () => {
  const zeros = Buffer.alloc(900_000)
  expect(() => readPack(packOf([packEntry(3, zeros, { size: 10 })]), "sha1", limits)).toThrow()
  expect(() => readPack(packOf([packEntry(3, Buffer.from("a"), { size: 100 })]), "sha1", limits)).toThrow()
  const huge = packEntry(3, Buffer.alloc(10), { size: 2 ** 40 })
  expect(() => readPack(packOf([huge]), "sha1", limits)).toThrow(PackTooLarge)
  const many = packOf(Array.from({ length: 4 }, () => packEntry(3, zeros)))
  expect(() => readPack(many, "sha1", limits)).toThrow(PackTooLarge)
  const crowd = packOf(Array.from({ length: 101 }, (_, n) => blobOf(String(n))))
  expect(() => readPack(crowd, "sha1", limits)).toThrow(PackTooLarge)
})

/** Changes that make `size` bytes of a base of `from` by copying its first bytes again and again. */
function copies(from: number, size: number): Buffer {
  const number = (value: number) => {
    const bytes = []
    for (let rest = value; ; rest = Math.floor(rest / 128)) {
      bytes.push(rest > 127 ? (rest % 128) | 128 : rest)
      if (rest <= 127) return bytes
    }
  }
  const orders: number[] = []
  for (let left = size; left > 0; left -= Math.min(left, from)) {
    const length = Math.min(left, from)
    orders.push(0x80 | 0x10 | 0x20, length & 255, length >> 8)
  }
  return Buffer.from([...number(from), ...number(size), ...orders])
}

test("changes of a short object that make a long one are counted, and wrong ones are refused", () => {
  const base: Written = { type: "blob", content: Buffer.alloc(60_000) }
  const named = Buffer.from(nameOf(base), "hex")
  const deltaOf = (changes: Buffer) => packEntry(7, changes, { base: named })
  const fine = readPack(packOf([base, deltaOf(copies(60_000, 120_000))]), "sha1", limits)
  expect([...fine.values()].map((object) => object.content().length)).toEqual([60_000, 120_000])
  // A base that comes later is waited for.
  expect(readPack(packOf([deltaOf(copies(60_000, 120_000)), base]), "sha1", limits).size).toBe(2)
  for (const changes of [
    copies(60_000, 5_000_000),
    copies(59_999, 10),
    Buffer.from([...copies(60_000, 10), 0]),
    copies(60_000, 10).subarray(0, -1),
  ])
    expect(() => readPack(packOf([base, deltaOf(changes)]), "sha1", limits)).toThrow()
  const flood = Array.from({ length: 40 }, (_, n) => deltaOf(copies(60_000, 100_000 + n)))
  expect(() => readPack(packOf([base, ...flood]), "sha1", limits)).toThrow(PackTooLarge)
})

test("changes of nothing are left out, and what is cut off or no pack is refused", () => {
  const nothing = packEntry(7, copies(10, 10), { base: Buffer.alloc(20) })
  expect(readPack(packOf([page, nothing]), "sha1", limits).size).toBe(1)
  const whole = packOf([page, treeOf([["100644", "a.md", page]])])
  for (const length of [0, 4, 11, 13, 20, 40]) {
    const cut = whole.subarray(0, length)
    expect(() => readPack(cut, "sha1", limits)).toThrow()
  }
  expect(() => readPack(packOf([packEntry(5, Buffer.from("a"))]), "sha1", limits)).toThrow()
})

test("a server that sends without end, a bomb or nonsense is said to be one, and leaves nothing", async () => {
  using authority = openAuthority()
  let sent: { tip: string; pack: Buffer | (() => Response) } = { tip: "", pack: Buffer.alloc(0) }
  await using server = startFalseGitServer(authority.certify(["127.0.0.1"]), () => sent)
  await using service = await aService()
    .withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true", NODE_EXTRA_CA_CERTS: authority.caFile })
    .started()
  const api = await apiOf(service)
  const { body: project } = await api.post("/api/v1/projects", {
    name: "Dépôt",
    site: "https://docs.acme.fr",
  })
  const feed = { kind: "git", address: `${server.url}/docs.git` }
  const { body } = await api.post(`/api/v1/projects/${project.id}/feeds`, feed)
  const run = async () => {
    const { app } = service
    const found = (await findProject(app.db, project.id)) as Project
    const refusal = await indexFeeds(app, found, await listFeeds(app.db, project.id)).catch((error) => error)
    return JSON.stringify(refusal.reason)
  }
  const tip = nameOf(commitOf(treeOf([])))
  let pieces = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          pieces += 1
          controller.enqueue(Buffer.alloc(1_000_000, 48))
        },
      }),
    )
  sent = { tip, pack: endless }
  expect(await run()).toContain("reading.gitTooLarge")
  expect(pieces).toBeLessThan(130)
  sent = { tip, pack: packOf([packEntry(3, Buffer.alloc(150_000_000))]) }
  expect(await run()).toContain("reading.gitTooLarge")
  sent = { tip, pack: Buffer.from("hello") }
  expect(await run()).toContain("reading.gitBroken")
  const root = join(service.app.config.dataDir, "repositories", body.id)
  expect(existsSync(root) ? readdirSync(root) : []).toEqual([])
})
