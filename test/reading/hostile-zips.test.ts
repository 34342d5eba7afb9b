import { afterAll, beforeAll, expect, test } from "bun:test"
import { deflateRawSync } from "node:zlib"
import { type Api, apiOf } from "../support/api.ts"
import { type RawEntry, rawZip } from "../support/raw-zip.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

/* ZIPs that no owner of a documentation makes: each is refused whole, and little of it is unpacked. */

const megabyte = 1024 * 1024
let service: Service
let api: Api
let path: string

beforeAll(async () => {
  service = await aService().withSettings({ GUICHET_FILES_PER_WORKSPACE: "1 GB" }).started()
  api = await apiOf(service)
  const { body: project } = await api.post("/api/v1/projects", {
    name: "Guide",
    site: "https://docs.exemple.fr",
  })
  const { body: feed } = await api.post(`/api/v1/projects/${project.id}/feeds`, { kind: "upload" })
  path = `/api/v1/projects/${project.id}/feeds/${feed.id}/uploads`
})
afterAll(() => service[Symbol.asyncDispose]())

const send = (zip: Uint8Array) =>
  api.post(path, { files: [{ name: "a.zip", content: Buffer.from(zip).toString("base64") }] })

const good: RawEntry = { name: "bon.md", content: "# Bon\n\nDu texte." }
/** A thousand bytes for each packed one. */
const zeros = deflateRawSync(Buffer.alloc(28 * megabyte))
const bomb = (name: string): RawEntry => ({ name, packed: zeros, bytes: 28 * megabyte })

const hostile: Record<string, [RawEntry[], expected: string, count?: number]> = {
  "a bomb that says what it is": [[good, bomb("a.md")], "contient trop"],
  "one whose files share their data": [
    [bomb("a.md"), ...Array.from({ length: 50 }, (_, at) => ({ ...bomb(`${at}.md`), dataOf: 0 }))],
    "contient trop",
  ],
  "one whose directory lies": [[good, { ...bomb("a.md"), bytes: 1000 }], "ce qu’annonce le sommaire"],
  "one that tells more than it holds": [[{ ...good, bytes: 5000 }], "ce qu’annonce le sommaire"],
  "a file that is too large by itself": [[{ ...good, bytes: 40 * megabyte }], "trop volumineux"],
  "content with another checksum": [[{ ...good, crc: 1 }], "ce qu’annonce le sommaire"],
  "data that is no deflate": [[{ ...good, packed: Buffer.alloc(40, 0xff) }], "abîmé"],
  "more files than are taken": [
    Array.from({ length: 1001 }, (_, at) => ({ name: `${at}.md`, content: "a" })),
    "contient trop",
  ],
  "a count that is not true": [[good], "abîmé", 900],
  "as many entries as it can tell": [[good], "contient trop", 65_535],
  "a name that leads out": [[good, { name: "../../etc/a.md" }], "ne convient pas"],
  "one that leads out by backslashes": [[good, { name: "..\\a.md" }], "ne convient pas"],
  "an absolute name": [[good, { name: "/etc/passwd" }], "ne convient pas"],
  "that of a drive": [[good, { name: "C:/a.md" }], "ne convient pas"],
  "a name that is too deep": [[good, { name: `${"a/".repeat(12)}a.md` }], "ne convient pas"],
  "a folder that leads out": [[good, { name: "a/../../b/" }], "ne convient pas"],
  "a link": [[good, { name: "lien.md", content: "/etc/passwd", mode: 0o120777 }], "est un lien"],
  "a name that comes twice": [[good, good], "donné deux fois"],
  "one that is the same where case does not count": [[good, { ...good, name: "BON.md" }], "donné deux fois"],
  "what needs a password": [[{ ...good, flags: 0x801 }], "mot de passe"],
  "a method that few know": [[{ ...good, method: 93 }], "peu courante"],
  "nothing but another ZIP": [[{ name: "b.zip", content: rawZip([good]) }], "aucun document"],
}

test.each(Object.entries(hostile))("%s", async (_, [entries, expected, count]) => {
  const { status, body } = await send(rawZip(entries, count === undefined ? {} : { count }))
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(expected)])
  expect((await api.get(path)).body.items).toEqual([])
  expect(await service.app.db.selectFrom("stored_file").select("id").execute()).toEqual([])
})

test("a ZIP that is cut anywhere is refused", async () => {
  const whole = rawZip([good, { ...good, name: "autre.md" }])
  for (let length = 0; length < whole.length; length += 7)
    expect((await send(whole.subarray(0, length))).status).toBe(400)
})

test("a directory that lies has no more unpacked than it tells, however much there is", async () => {
  const gigabyte = deflateRawSync(Buffer.alloc(256 * megabyte))
  const before = process.memoryUsage().rss
  const { status } = await send(rawZip([{ name: "a.md", packed: gigabyte, bytes: 1000 }]))
  expect(status).toBe(400)
  expect(process.memoryUsage().rss - before).toBeLessThan(128 * megabyte)
})

test("names are read as packers wrote them, whichever", async () => {
  const entries: RawEntry[] = [
    { name: "été.md", content: "# Un\n\nTexte." },
    { name: Buffer.from("pr\x82sent\x82.md", "latin1"), flags: 0, content: "# Deux\n\nTexte." },
    { name: "dossier\\trois.md", content: "# Trois\n\nTexte." },
    { name: "quatre.md", method: 0, content: "# Quatre\n\nTexte." },
  ]
  const { status, body } = await send(rawZip(entries))
  expect([status, body.items.map(({ name }: { name: string }) => name).sort()]).toEqual([
    201,
    ["dossier/trois.md", "présenté.md", "quatre.md", "été.md"].sort(),
  ])
})
