import { afterAll, beforeAll, expect, test } from "bun:test"
import { minuteMs } from "../../../src/base/clock.ts"
import { detail } from "../../../src/base/errors.ts"
import { recordReadings } from "../../../src/indexing/generation.ts"
import { lastRun, recordFailure } from "../../../src/indexing/indexing-run.ts"
import { listFeeds, saveFeed } from "../../../src/reading/feed.ts"
import { noRepeatedText } from "../../../src/reading/formats/repeated.ts"
import { pagesRead } from "../../support/documentation-site.ts"
import type { FirstStart } from "../../support/first-start.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

let first: FirstStart
let client: ConsoleClient
let path: string
let id: string

beforeAll(async () => {
  first = await aService().withOwner().started()
  client = await signedIn(first.service)
  const made = await client.post("/console/projects", { name: "Docs", site: first.site.url })
  id = made.location?.split("/")[3] as string
  path = `/console/projects/${id}/indexing`
})
afterAll(() => first[Symbol.asyncDispose]())

/** Waits until no reading is in progress, and returns the page. */
async function settled(): Promise<string> {
  for (;;) {
    const { text } = await client.get(path)
    if (!text.includes("data-refresh")) return text
    await Bun.sleep(50)
  }
}

const feeds = () => listFeeds(first.service.app.db, id)

test("what the page says was done is one of its own words, whatever a link says", async () => {
  expect((await client.get(`${path}?done=created`)).text).toContain("Le projet est créé.")
  const { text } = await client.get(path)
  for (const word of ["notIndexed", "periods", "constructor"])
    expect((await client.get(`${path}?done=${word}`)).text.match(/role="status"/g)).toEqual(
      text.match(/role="status"/g),
    )
})

test("a feed on the site begins with the site’s address, and files sent are said to come next", async () => {
  const form = async (kind: string) => (await client.get(`${path}?kind=${kind}`)).text
  for (const kind of ["site", "pages", "crawl", "sitemap", "llms"])
    expect(await form(kind)).toContain(`value="${first.site.url}/"`)
  expect(await form("git")).not.toContain(`value="${first.site.url}/"`)
  expect(await form("upload")).toContain("Ajouter, puis envoyer les fichiers")
  expect(await form("pages")).toContain("Ajouter et lire")
})

test("a feed begins with the kinds, and has the fields of the one that is chosen", async () => {
  const names = (text: string) => {
    const form = text.slice(text.indexOf(`action="${path}/feeds"`)).split("</form>")[0] ?? ""
    return [...form.matchAll(/ name="([^"]+)"/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !name.startsWith("guichet_"))
  }
  const cards = (await client.get(`${path}?kind=other`)).text
  const kinds = [...cards.matchAll(/\?kind=(\w+)#new"/g)].map(([, kind]) => kind)
  expect(kinds).toEqual(["site", "pages", "upload", "crawl", "sitemap", "llms", "git"])
  const crawl = ["crawl.depth", "crawl.pages", "crawl.parameters"]
  const pages = ["include", "exclude", "documents", "headers"]
  for (const [kind, ...own] of [
    ["site", "address", ...pages],
    ["crawl", "address", ...crawl, ...pages],
    ["pages", "address", "pages", ...pages],
    ["git", "address", "base_url", "token", "include", "exclude"],
    ["upload", "address", "include", "exclude"],
  ])
    expect(names((await client.get(`${path}?kind=${kind}`)).text)).toEqual(["kind", ...own])
  // The first feed is most often the site itself.
  expect(names((await client.get(path)).text)).toEqual(names((await client.get(`${path}?kind=site`)).text))
  const refused = await client.post(`${path}/feeds`, { kind: "git", address: "dépôt" })
  expect([refused.status, names(refused.text)]).toEqual([
    400,
    names((await client.get(`${path}?kind=git`)).text),
  ])
})

test("a source stands under a declared address of the project; what was typed is shown again with what is wrong", async () => {
  const wrong: [address: string, sentence: string][] = [
    ["sitemap.xml", "Indiquez une URL complète"],
    ["ftp://docs.exemple.fr/sitemap.xml", "Indiquez une URL complète"],
    ["https://ailleurs.exemple.fr/sitemap.xml", "n’est pas sur un site déclaré"],
    ["http://127.0.0.1:1/sitemap.xml", "n’est pas sur un site déclaré"],
  ]
  for (const [address, sentence] of wrong) {
    const reply = await client.post(`${path}/feeds`, { kind: "sitemap", address })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(sentence)
    expect(reply.text).toContain(`value="${address}"`)
  }
  const folder = await client.post(`${path}/feeds`, { kind: "dir", address: "/etc" })
  expect(folder.status).toBe(400)
  expect(await feeds()).toEqual([])
})

test("a source that cannot be read says so, with the particulars, and can be removed", async () => {
  await client.post(`${path}/feeds`, { kind: "sitemap", address: `${first.site.url}/absent.xml` })
  const text = await settled()
  expect(text).toContain("La dernière lecture a échoué.")
  expect(text).toContain("Cette source ne peut pas être lue pour le moment.")
  expect(text).toContain("absent.xml")
  expect(text).toContain("Rien n’a encore pu être lu")
  expect(text).toMatch(/<details id="new" class="more" open>/)
  const [feed] = await feeds()
  expect((await client.post(`${path}/feeds/${feed?.id}/removal`)).status).toBe(303)
  await settled()
  expect(await feeds()).toEqual([])
  expect((await client.post(`${path}/feeds/${feed?.id}/removal`)).status).toBe(404)
})

test("a source is read in a process of its own, and what became of each page is listed", async () => {
  const address = `${first.site.url}/sitemap.xml`
  expect((await client.post(`${path}/feeds`, { kind: "sitemap", address })).status).toBe(303)
  expect((await client.get(path)).text).toContain("Indexation en cours")
  const text = await settled()
  expect(text).toContain(`${pagesRead}\u00a0pages indexées, dont ${pagesRead}\u00a0nouvelles ou modifiées`)
  expect(text).toContain(`${first.site.url}/webhooks`)
  expect(text).toMatch(/Lu le \d{1,2}(er)? \S+ \d{4} à\u00a0\d\d:\d\d/)
  const leftOut = (await client.get(`${path}?show=left_out`)).text
  expect(leftOut).toContain("Elle demande elle-même à ne pas être indexée (noindex).")
  expect(leftOut).toContain("Elle n’existe plus à cette URL.")
  const found = (await client.get(`${path}?search=WEBHOOKS`)).text
  expect(found).toContain(`${first.site.url}/webhooks`)
  expect(found).not.toContain(`${first.site.url}/limites`)
  const titled = (await client.get(`${path}?search=${encodeURIComponent("PROTEGER LES DONNÉES")}`)).text
  expect(titled).toContain("Protéger les données personnelles")
  expect(titled).not.toContain(`${first.site.url}/webhooks`)
  expect((await client.get(`${path}?show=left_out&search=%25`)).text).toContain("Aucune page ici.")
  expect(
    (await client.get(`${path}?show=left_out&search=${encodeURIComponent("BROUÏLLON")}`)).text,
  ).toContain("/brouillon")
})

test("a reading that would lose more than half says so, and can be forced", async () => {
  const { db } = first.service.app
  const [feed] = await feeds()
  const short = `${first.site.url}/court.xml`
  await db
    .updateTable("feed")
    .set({ address: short })
    .where("id", "=", feed?.id as string)
    .execute()
  first.site.answer("/court.xml", "/webhooks")
  await client.post(`${path}/readings`)
  const text = await settled()
  expect(text).toContain("Cette lecture retirerait plus de la moitié des pages")
  expect(text).toContain("Lire et accepter ce retrait")
  await client.post(`${path}/readings`, { force: "yes" })
  expect(await settled()).toContain("1\u00a0page indexée")
})

test("the schedule is one of hours, or none", async () => {
  const every = async () =>
    (await first.service.app.db.selectFrom("project").select("every_ms").executeTakeFirstOrThrow()).every_ms
  for (const [hours, kept] of [
    ["24", 24 * 60 * minuteMs],
    ["0", null],
    ["-3", null],
    ["abc", null],
    ["24.00000001", 24 * 60 * minuteMs],
    // The command line can set this interval, so the page offers it as the current choice.
    ["0.5", 30 * minuteMs],
    ["8761", null],
  ] as const) {
    expect((await client.post(`${path}/schedule`, { every_hours: hours })).status).toBe(303)
    const { text } = await client.get(path)
    expect(text.includes("La documentation est relue d’elle-même")).toBe(kept !== null)
    expect(await every()).toBe(kept)
  }
})

test("a run whose process has died is shown as interrupted", async () => {
  const { db, clock } = first.service.app
  await db
    .updateTable("indexing_run")
    .set({ ended_at: null, outcome: null, beat_at: clock.now() - minuteMs })
    .where("project_id", "=", id)
    .execute()
  expect((await lastRun(db, id, clock.now()))?.state).toBe("interrupted")
  expect((await client.get(path)).text).toContain("La dernière lecture a été interrompue.")
})

test("a folder, which the command line alone can add, is listed", async () => {
  const { db, clock } = first.service.app
  const folder = { kind: "dir", address: "/srv/docs", baseUrl: first.site.url, urlStyle: "clean" } as const
  const { feed } = await saveFeed(db, id, folder, clock.now())
  expect((await client.get(path)).text).toContain("Dossier du serveur")
  await recordReadings(
    db,
    [{ feed, generator: "gitbook", skipped: [], repeated: noRepeatedText }],
    clock.now(),
  )
  expect((await client.get(path)).text).toContain("lu comme un site GitBook")
})

test("a reading that was ended from outside says why", async () => {
  const { db, clock } = first.service.app
  const trouble = {
    told: detail("assistant.indexingTooLarge"),
    reason: detail("reading.indexingMemory", { megabytes: 1024 }),
  }
  await recordFailure(db, id, trouble, clock.now())
  const { text } = await client.get(path)
  expect(text).toContain("La dernière lecture a échoué.")
  expect(text).toContain("elle demandait trop de mémoire")
  expect(text).toContain("plus de 1\u202f024\u00a0Mo de mémoire")
})

test("a reading that has given way to others says so, and how far it is", async () => {
  const { db, clock, reindexing } = first.service.app
  await recordFailure(db, id, { told: "", reason: "" }, clock.now())
  await db
    .updateTable("indexing_run")
    .set({ ended_at: null, outcome: null, beat_at: 0, phase: "reading", done: 1200 })
    .where("project_id", "=", id)
    .execute()
  const { isBusy } = reindexing
  reindexing.isBusy = async () => true
  try {
    expect((await client.get(path)).text).toContain("1\u202f200 pages sont déjà lues")
  } finally {
    reindexing.isBusy = isBusy
  }
})
