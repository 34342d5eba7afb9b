import { afterAll, beforeAll, expect, test } from "bun:test"
import { deflateRawSync } from "node:zlib"
import { type Api, apiOf } from "../support/api.ts"
import { type RawEntry, rawZip } from "../support/raw-zip.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

/* ZIPs that no owner of a documentation makes: little of them is unpacked, and what cannot be kept is told. */

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

const refusedWhole: Record<string, [RawEntry[], expected: string, count?: number]> = {
  "a bomb that says what it is": [[good, bomb("a.md")], "trop volumineux"],
  "one whose files share their data": [
    [bomb("a.md"), ...Array.from({ length: 50 }, (_, at) => ({ ...bomb(`${at}.md`), dataOf: 0 }))],
    "trop volumineux",
  ],
  "bombs in ZIPs within it": [
    Array.from({ length: 8 }, (_, at) => ({ name: `${at}.zip`, content: rawZip([bomb("a.md")]) })),
    "trop volumineux",
  ],
  "more files than are taken": [
    Array.from({ length: 1001 }, (_, at) => ({ name: `${at}.md`, content: "a" })),
    "trop volumineux",
  ],
  "one file more than is taken, with those of a ZIP in it": [
    [
      {
        name: "b.zip",
        content: rawZip(Array.from({ length: 1000 }, (_, at) => ({ name: `${at}.md`, content: "a" }))),
      },
      good,
    ],
    "trop volumineux",
  ],
  "a count that is not true": [[good], "abîmé", 900],
  "as many entries as it can tell": [[good], "trop volumineux", 65_535],
  "nothing but a ZIP with a ZIP in it": [
    [{ name: "b.zip", content: rawZip([{ name: "c.zip", content: rawZip([good]) }]) }],
    "troisième niveau",
  ],
  "nothing but a file with a password": [[{ ...good, flags: 0x801 }], "mot de passe"],
  "nothing but pictures": [[{ name: "a.png", content: "x" }], "aucun document"],
}

test.each(Object.entries(refusedWhole))("%s is refused whole", async (_, [entries, expected, count]) => {
  const { status, body } = await send(rawZip(entries, count === undefined ? {} : { count }))
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(expected)])
  expect((await api.get(path)).body.items).toEqual([])
  expect(await service.app.db.selectFrom("stored_file").select("id").execute()).toEqual([])
})

const costsItself: Record<string, [RawEntry, expected: string]> = {
  "a file whose directory lies": [{ ...bomb("a.md"), bytes: 1000 }, "ce qu’annonce le sommaire"],
  "one that tells more than it holds": [{ ...good, name: "a.md", bytes: 5000 }, "ce qu’annonce le sommaire"],
  "a file that is too large by itself": [{ ...good, name: "a.md", bytes: 40 * megabyte }, "trop volumineux"],
  "content with another checksum": [{ ...good, name: "a.md", crc: 1 }, "ce qu’annonce le sommaire"],
  "data that is no deflate": [
    { ...good, name: "a.md", packed: Buffer.alloc(40, 0xff) },
    "ce qu’annonce le sommaire",
  ],
  "content of another kind than the name says": [{ name: "a.pdf", content: "# Texte" }, "annonce son nom"],
  "a name that leads out": [{ name: "../../etc/a.md" }, "ne convient pas"],
  "one that leads out by backslashes": [{ name: "..\\a.md" }, "ne convient pas"],
  "one that leads out within": [{ name: "a/../../b.md" }, "ne convient pas"],
  "an absolute name": [{ name: "/etc/passwd.txt" }, "ne convient pas"],
  "that of a drive": [{ name: "C:/a.md" }, "ne convient pas"],
  "a name that is too deep": [{ name: `${"a/".repeat(12)}a.md` }, "ne convient pas"],
  "a name that is too long": [{ name: `${"a".repeat(120)}/${"b".repeat(120)}.md` }, "ne convient pas"],
  "a colon and a question mark": [{ name: "FAQ : questions ?.md" }, "ne convient pas"],
  "a blank at an edge": [{ name: " espace .md" }, "ne convient pas"],
  "writing turned around": [{ name: "a\u202efdp.md" }, "ne convient pas"],
  "a link to a document": [{ name: "lien.md", content: "/etc/passwd", mode: 0o120777 }, "est un lien"],
  "a link to a picture": [{ name: "logo.svg", content: "a.svg", mode: 0o120777 }, "est un lien"],
  "a name that comes twice": [good, "donné deux fois"],
  "one that is the same where case does not count": [{ ...good, name: "BON.md" }, "donné deux fois"],
  "what needs a password": [{ ...good, name: "a.md", flags: 0x801 }, "mot de passe"],
  "a method that few know": [{ ...good, name: "a.md", method: 93 }, "peu courante"],
  "a ZIP that is none": [{ name: "b.zip", content: "texte" }, "abîmé"],
  "a picture": [{ name: "photo.png", content: "x" }, "n’est pas un document"],
}

test.each(Object.entries(costsItself))("%s costs itself alone, and is told", async (_, [entry, expected]) => {
  const { status, body } = await send(rawZip([good, entry]))
  expect([status, body.items.map(({ name }: { name: string }) => name)]).toEqual([201, ["bon.md"]])
  expect(body.left_out).toEqual([
    { name: expect.stringMatching(/^a\.zip\//), reason: expect.stringContaining(expected) },
  ])
  await api.delete(`${path}/${body.items[0].id}`)
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
    { name: "./cinq.md", content: "# Cinq\n\nTexte." },
  ]
  const { status, body } = await send(rawZip(entries))
  expect([status, body.items.map(({ name }: { name: string }) => name).sort()]).toEqual([
    201,
    ["cinq.md", "dossier/trois.md", "présenté.md", "quatre.md", "été.md"].sort(),
  ])
})

test("a ZIP64 is read, as some packers write it for small files too", async () => {
  const { status, body } = await send(rawZip([{ ...good, name: "grand.md" }], { isLarge: true }))
  expect([status, body.items.map(({ name }: { name: string }) => name)]).toEqual([201, ["grand.md"]])
})
