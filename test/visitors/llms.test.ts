import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { readings } from "../../src/answering/ask/program-limits.ts"
import { idsOf } from "../../src/base/ids.ts"
import { mostReplies } from "../../src/visitors/llms.ts"
import { type Api, apiOf } from "../support/api.ts"
import { demo, indexFolder, type Site } from "../support/ask.ts"
import { aService } from "../support/service-builder.ts"

// GET /llms/:project/llms.txt and llms-full.txt: the indexed pages for programs, where the owner publishes them.

let site: Site
let api: Api
beforeAll(async () => {
  site = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" })
    .withIndexedProject({ llms_enabled: true })
    .started()
  api = await apiOf(site.service)
})
afterAll(() => site[Symbol.asyncDispose]())

const get = (file: string, headers: Record<string, string> = {}, method = "GET") =>
  site.send({ method, headers }, `/llms/${site.project.id}/${file}`)

const change = (changes: object) => api.patch(`/api/v1/projects/${site.project.id}`, changes)

test("llms.txt names every indexed page once, by its title and address", async () => {
  const { status, headers, body } = await get("llms.txt")
  expect(status).toBe(200)
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8")
  expect(headers.get("x-robots-tag")).toBe("noindex")
  expect(body).toStartWith("# Guide\n\n> ")
  expect(body).toContain(`https://guichet.exemple.fr/llms/${site.project.id}/llms-full.txt`)
  const pages = [...body.matchAll(/^- \[(.+)\]\((https:\/\/docs\.exemple\.fr\/\S*)\)$/gm)].map(
    ([, , url]) => url,
  )
  const files = [...new Bun.Glob("*.md").scanSync(demo)]
  expect(new Set(pages).size).toBe(files.length)
  expect(pages).toHaveLength(files.length)
})

test("llms-full.txt has each page with its address and its text", async () => {
  const { status, body } = await get("llms-full.txt")
  expect(status).toBe(200)
  expect(body.match(/^---\n\nhttps:\/\/docs\.exemple\.fr\//gm)).toHaveLength(
    [...new Bun.Glob("*.md").scanSync(demo)].length,
  )
  expect(body).toContain("\nhttps://docs.exemple.fr/console\n\n# ")
  expect(body).toContain("\n## Séparer plusieurs clients\n\nUn espace de travail a ses propres projets")
})

test("a copy is known by its tag until something is read anew or the project is renamed", async () => {
  const etag = (await get("llms.txt")).headers.get("etag") as string
  expect(etag).toMatch(/^"[\w-]{16}"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`])
    expect(await get("llms.txt", { "if-none-match": known })).toMatchObject({ status: 304, body: "" })
  const head = await get("llms.txt", {}, "HEAD")
  expect([head.status, head.headers.get("etag"), head.body]).toEqual([200, etag, ""])
  await change({ name: "Manuel" })
  const renamed = await get("llms.txt", { "if-none-match": etag })
  expect(renamed.status).toBe(200)
  expect(renamed.body).toStartWith("# Manuel\n")
  const next = renamed.headers.get("etag") as string
  await Bun.write(
    `${site.service.app.config.dataDir}/more/crochets.md`,
    "# Un [titre] (entre\n\nDu texte à lire.\n",
  )
  await indexFolder(site.service.app, site.project, `${site.service.app.config.dataDir}/more`)
  const read = await get("llms.txt", { "if-none-match": next })
  expect(read.status).toBe(200)
  expect(read.body).toContain("- [Un \\[titre\\] (entre](https://docs.exemple.fr/crochets)\n")
})

test("nothing is published before the owner wants it and a documentation is read", async () => {
  const other = (await api.post("/api/v1/projects", { name: "Autre", site: "https://autre.exemple.fr" })).body
  const of = (file: string) => site.send({ method: "GET" }, `/llms/${other.id}/${file}`)
  expect((await of("llms.txt")).status).toBe(404)
  await api.patch(`/api/v1/projects/${other.id}`, { llms_enabled: true })
  expect((await of("llms-full.txt")).status).toBe(409)
  expect((await site.send({ method: "GET" }, "/llms/unknownproject/llms.txt")).status).toBe(404)
  expect((await get("robots.txt")).status).toBe(404)
  await change({ llms_enabled: false })
  expect((await get("llms.txt")).status).toBe(404)
  await change({ llms_enabled: true })
})

test("a long documentation is read as far as its readers read; the idlest of too many ends", async () => {
  const { db } = site.service.app
  const sentence =
    "Le service de l’état civil ouvre à neuf heures et ferme à dix-sept heures, sauf le 1er mai.\n\n"
  const sections = [1, 2, 3, 4].map((part) => ({
    headings: [`Partie ${part}`],
    anchor: null,
    markdown: sentence.repeat(6000),
  }))
  const pages = await db
    .selectFrom("document")
    .select("id")
    .where("project_id", "=", site.project.id)
    .limit(8)
    .execute()
  const large = { sections: JSON.stringify(sections), html: JSON.stringify({ doubtful: [] }) }
  await db.updateTable("document").set(large).where("id", "in", idsOf(pages)).execute()
  const repeated = JSON.stringify({ blocks: ["0123456789abcdef"], titles: [] })
  await db.updateTable("feed").set({ repeated }).where("project_id", "=", site.project.id).execute()

  const { host, hostname, port } = new URL(site.service.url)
  const last = "0\r\n\r\n"
  const open = (number: number) => {
    const socket = connect(Number(port), hostname).pause()
    const forwarded = `x-forwarded-for: 198.51.100.${number}`
    socket.write(
      `GET /llms/${site.project.id}/llms-full.txt HTTP/1.1\r\nHost: ${host}\r\n${forwarded}\r\n\r\n`,
    )
    return socket
  }
  const isWhole = async (socket: Socket) => {
    let end = ""
    try {
      for await (const bytes of socket as AsyncIterable<Buffer>) {
        end = (end + bytes.toString("latin1")).slice(-last.length)
        if (end === last) return true
      }
    } catch {}
    return false
  }
  const idlest = open(0)
  await once(idlest, "readable")
  // They take turns: once this one is whole, the idlest was filled as far as it can be without a reader.
  expect(await isWhole(open(1))).toBe(true)
  const others = Array.from({ length: mostReplies }, (_, index) => open(index + 2))
  for (const socket of others) await once(socket, "readable")
  expect([await isWhole(others[1] as Socket), await isWhole(idlest)]).toEqual([true, false])
  for (const socket of others) socket.destroy()
})

test("readings have a limit of their own, which copies that are known do not touch", async () => {
  const from = { "x-forwarded-for": "203.0.113.9" }
  const { headers } = await get("llms.txt", from)
  const known = { ...from, "if-none-match": headers.get("etag") as string }
  for (let at = 0; at < readings.points - 1; at++) expect((await get("llms.txt", from)).status).toBe(200)
  const refused = await get("llms.txt", from)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await get("llms.txt", known)).status).toBe(304)
  expect((await get("llms-full.txt", { "x-forwarded-for": "203.0.113.10" })).status).toBe(200)
})
