import { afterAll, beforeAll, expect, test } from "bun:test"
import { invite, maxInvitations } from "../../../src/accounts/invitation.ts"
import { insertProject, listProjects, maxProjects } from "../../../src/accounts/project.ts"
import { maxTokens } from "../../../src/accounts/tokens/operations.ts"
import { storeAnswer } from "../../../src/answering/ask/store-answer.ts"
import { newId } from "../../../src/base/ids.ts"
import { type Form, insertForm, maxForms } from "../../../src/forms/definition/form.ts"
import { synonymLimits } from "../../../src/index/synonyms/synonym-group.ts"
import { roleScopes } from "../../../src/operations/scope.ts"
import { chosenLimits } from "../../../src/owners/chosen/chosen-answer.ts"
import { maxFeeds, saveFeed } from "../../../src/reading/feed.ts"
import { insertEndpoint, maxEndpoints } from "../../../src/webhooks/endpoints/endpoint.ts"
import { openRequestStore, requestsKept } from "../../../src/webhooks/endpoints/received-requests.ts"
import { fill } from "../../bench/console/fill.ts"
import { type Api, apiOf } from "../../support/api.ts"
import type { Site } from "../../support/ask.ts"
import { pagesOfList } from "../../support/console-lists.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// Pages stay under 100 kB of HTML before compression at 500 rows' worth of data, or at all that may be kept.

const maxBytes = 100_000
const rows = 500

let site: Site
let client: ConsoleClient
let api: Api
let questions: string

beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  client = await signedIn(site.service)
  api = await apiOf(site.service)
  questions = `/console/projects/${site.project.id}/questions`
})
afterAll(() => site[Symbol.asyncDispose]())

/** A word that no other number has, and that no other resembles. */
function wordOf(number: number): string {
  const syllables = ["ba", "cho", "di", "fu", "gra", "lo", "mi", "nu", "pra", "so"]
  const digits = [...String(number).padStart(3, "0")].map(Number)
  return `${digits.map((digit) => syllables[digit]).join("")}tel`
}

const questionOf = (number: number) =>
  `Comment installer un ${wordOf(number)} dans le bureau d’une petite association ?`

/** Every page of the list; each is light. */
async function pagesOf(path: string): Promise<string[]> {
  const pages = await pagesOfList(client, path)
  for (const text of pages)
    expect([path, Buffer.byteLength(text)]).toEqual([path, Math.min(Buffer.byteLength(text), maxBytes)])
  return pages
}

/** How often it stands on the pages altogether, for each of the numbers. */
function expectOnce(
  pages: string[],
  of: { from: number; to: number },
  shown: (word: string) => string,
): void {
  const all = pages.join("\n")
  const wrong: [number, number][] = []
  for (let number = of.from; number < of.to; number++) {
    const times = all.match(new RegExp(shown(wordOf(number)), "g"))?.length ?? 0
    if (times !== 1) wrong.push([number, times])
  }
  expect(wrong).toEqual([])
}

test("« Ce qui manque », near and far", async () => {
  const related = [1, 2, 3].map((number) => ({
    title: `Administrer les comptes de l’association, partie ${number}`,
    section: "Ajouter, déplacer ou retirer une personne",
    url: `https://docs.exemple.fr/administration/comptes-${number}#ajouter-deplacer-ou-retirer-une-personne`,
  }))
  const phrasings = (number: number) => [
    questionOf(number),
    `Je cherche à installer le ${wordOf(number)} : comment faire ?`,
    `installation ${wordOf(number)} bureau petite association`,
    `${wordOf(number)} : installer au bureau d’une petite association`,
  ]
  for (let number = 0; number < rows; number++)
    for (const question of phrasings(number)) {
      const kept = {
        projectId: site.project.id,
        question,
        page: undefined,
        generation: 0,
        cacheKey: null,
        result: {
          status: "no_answer" as const,
          answer: "La documentation ne répond pas.",
          sources: [],
          related: number % 2 === 0 ? related : [],
        },
      }
      await storeAnswer(site.service.app.db, kept, site.clock.now() - number * 1000)
    }
  for (const state of ["open", "treated"]) {
    const pages = await pagesOf(`${questions}/gaps?state=${state}`)
    expectOnce(pages, { from: 0, to: rows }, (word) => `<strong>[^<]*${word}`)
    await site.service.app.db.updateTable("answer").set({ gap: "treated" }).execute()
  }
})

test("« Évaluation »", async () => {
  const list = Array.from({ length: rows }, (_, number) =>
    JSON.stringify({
      question: questionOf(number),
      page: `/administration/comptes-${number}`,
      text: `Le ${wordOf(number)} s’installe en trois étapes`,
    }),
  )
  await client.get(`${questions}/evaluation`)
  expect((await client.post(`${questions}/evaluation/imports`, { rows: list.join("\n") })).status).toBe(303)
  const pages = await pagesOf(`${questions}/evaluation`)
  expectOnce(pages, { from: 0, to: rows }, (word) => `<strong>[^<]*${word}`)
})

test("« Vos réponses »", async () => {
  const answer = `Le matériel s’installe en trois étapes.[^1] ${"Préparez d’abord la pièce, puis la prise. ".repeat(40)}`
  const { items: documents } = (await api.get(`/api/v1/projects/${site.project.id}/documents`)).body
  const sources = documents.slice(0, 3).map(({ url }: { url: string }) => url)
  for (let number = 0; number < chosenLimits.answers; number++) {
    const phrasings = [1, 2, 3].map((other) => `${questionOf(number)} (${other})`)
    const made = await api.post(`/api/v1/projects/${site.project.id}/chosen-answers`, {
      questions: [questionOf(number), ...phrasings],
      answer,
      sources,
    })
    expect(made.status).toBe(201)
  }
  const pages = await pagesOf(`${questions}/chosen`)
  expectOnce(pages, { from: 0, to: chosenLimits.answers }, (word) => `>[^<]*${word}[^<]*</a>`)
})

test("« Jetons d’accès »", async () => {
  const name = (number: number) => `Programme de suivi des commandes, ${wordOf(number)}`
  const { items: made } = (await api.get("/api/v1/tokens")).body
  for (let number = made.length; number < maxTokens; number++)
    await api.post("/api/v1/tokens", {
      name: name(number),
      scopes: ["projects:read", "answers:read", "forms:read", "endpoints:read", "messages:read"],
    })
  const pages = await pagesOf("/console/settings/tokens")
  expectOnce(pages, { from: made.length, to: maxTokens }, (word) => `>[^<]*${word}</td>`)
})

/** The first has questions, chosen answers and pages, the second form responses and deliveries. */
let projects: string[]

/** The rest, which the tests above leave out: as much of each as may be kept, or 500. */
async function fillUp(): Promise<void> {
  const { db, clock, vault } = site.service.app
  const nowMs = clock.now()
  const { workspaceId } = api
  const filled = await fill(site.service, rows)
  const second = filled.projects[0]?.id ?? ""
  projects = [site.project.id, second]
  for (let number = (await listProjects(db, workspaceId)).length; number < maxProjects; number++)
    await insertProject(
      db,
      workspaceId,
      { name: `Client ${wordOf(number)}`, site: `https://client${number}.fr` },
      nowMs,
    )
  const [form] = filled.forms
  for (let number = filled.forms.length; number < maxForms; number++)
    await insertForm(db, second, { ...form, name: `Demande de ${wordOf(number)}` } as Form, nowMs)
  for (let number = filled.endpoints.length; number < maxEndpoints - 1; number++) {
    const added = { url: `https://client${number}.fr/guichet`, description: "", active: true }
    await insertEndpoint(db, vault, workspaceId, { ...added, projects: [], forms: [] }, nowMs)
  }
  await requests()
  for (let number = 0; number < synonymLimits.groups; number++)
    await api.post(`/api/v1/projects/${site.project.id}/synonyms`, {
      words: [wordOf(number), `${wordOf(number)}age`, `petit ${wordOf(number)}`],
    })
  await operators()
  await pages()
}

/** As many requests as the test receiver keeps. */
async function requests(): Promise<void> {
  const { db, clock } = site.service.app
  const made = await client.post("/console/webhooks/test-receiver")
  const endpointId = made.location?.split("/")[3] ?? ""
  const messages = await db.selectFrom("message").select("id").limit(requestsKept).execute()
  const keep = openRequestStore(db)
  for (const { id } of messages) {
    const headers = new Headers({ "content-type": "application/json", "webhook-id": id })
    await keep({ endpointId, headers, bodyBytes: 2000, signature: "right", nowMs: clock.now() })
  }
}

/** As many as can be are only invited. */
async function operators(): Promise<void> {
  const { db, clock } = site.service.app
  const { workspaceId } = api
  const people = Array.from({ length: rows }, (_, number) => `personne-${wordOf(number)}@exemple.fr`)
  const at = { created_at: clock.now() }
  const members = people.slice(maxInvitations).map((email) => ({ id: newId("opr", at.created_at), email }))
  await db
    .insertInto("operator")
    .values(members.map((member) => ({ ...member, ...at, password_hash: "" })))
    .execute()
  await db
    .insertInto("member")
    .values(members.map(({ id }) => ({ ...at, workspace_id: workspaceId, operator_id: id, role: "editor" })))
    .execute()
  for (const email of people.slice(0, maxInvitations))
    await invite(
      site.service.app,
      { workspaceId, email, role: "editor", held: roleScopes("owner"), inviter: undefined },
      clock.now(),
    )
}

/** Feeds, and what became of the last reading of each page. */
async function pages(): Promise<void> {
  const { db, clock } = site.service.app
  const documents = await db
    .selectFrom("document")
    .selectAll()
    .where("project_id", "=", site.project.id)
    .execute()
  const [document] = documents
  if (!document) throw new Error("nothing was read")
  for (let number = documents.length; number < rows; number++) {
    const page = `guide/installer-un-${wordOf(number)}`
    const url = `https://docs.exemple.fr/${page}`
    await db
      .insertInto("document")
      .values({
        ...document,
        id: newId("doc", clock.now()),
        page,
        path: page,
        url,
        title: questionOf(number),
      })
      .execute()
    await db
      .insertInto("left_out_page")
      .values({
        feed_id: document.feed_id,
        page: `${url}/brouillon`,
        reason: "noindex",
        detail: null,
        detail_code: null,
        detail_params: null,
      })
      .execute()
  }
  for (let number = 1; number < maxFeeds; number++) {
    const source = { kind: "sitemap" as const, address: `${site.project.site}/${wordOf(number)}/sitemap.xml` }
    await saveFeed(db, site.project.id, source, clock.now())
  }
}

test("projects, forms, people and groups of synonyms", async () => {
  await fillUp()
  const [first, second] = projects
  const [endpoint] = (await api.get("/api/v1/endpoints")).body.items
  const lists: [path: string, from: number, to: number, shown: (word: string) => string][] = [
    ["/console/projects", 6, rows, (word) => `>Client ${word}</a><p`],
    [`/console/projects/${second}/forms`, 3, maxForms, (word) => `<h2><a [^>]*>Demande de ${word}<`],
    ["/console/settings/operators", 0, rows, (word) => `<strong>personne-${word}@`],
    [`/console/projects/${first}/synonyms`, 0, synonymLimits.groups, (word) => `<div>${word},`],
    ["/console/settings", 6, rows, (word) => `>Client ${word}</td>`],
    [`/console/webhooks/${endpoint.id}`, 3, maxForms, (word) => `<span>Demande de ${word}`],
  ]
  for (const [path, from, to, shown] of lists) expectOnce(await pagesOf(path), { from, to }, shown)
  // A destination that is not yet made would forget, on another page, what was typed on the first.
  const made = (await client.get("/console/webhooks")).text
  expect(made).toContain("Les autres pourront être choisis une fois la destination ajoutée.")
  expect(made).not.toContain("/console/webhooks?cursor=")
})

/** Ids and cursors differ from row to row: of the pages that differ by these alone, one is looked at. */
function kindOf(address: string): string {
  return address
    .replace(/[a-z]+_[0-9a-f]{32}|(?<=\/)[a-z0-9]{16}(?=[/?]|$)/g, ":id")
    .replace(/(?<=[?&](?:after|cursor|page|q|question|mark)=)[^&]*/g, "…")
}

/** One page of each kind that links lead to from there, each with its size. */
async function weighed(start: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const waiting = [start]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(kindOf(path))) continue
    const { status, headers, text } = await client.get(path)
    if (!headers.get("content-type")?.startsWith("text/html")) continue
    expect([path, status]).toEqual([path, 200])
    found.set(kindOf(path), Buffer.byteLength(text))
    for (const [, href = ""] of text.matchAll(/<a [^>]*?href="([^"#]+)[^"]*"(?! download)/g))
      if (href.startsWith("/console")) waiting.push(href.replaceAll("&amp;", "&"))
  }
  return found
}

test("the boxes of an endpoint that stand on another page stay ticked", async () => {
  const { items: endpoints } = (await api.get("/api/v1/endpoints")).body
  const { items: forms } = (await api.get("/api/v1/forms")).body
  const address = `/console/webhooks/${endpoints[0].id}`
  await api.patch(`/api/v1/endpoints/${endpoints[0].id}`, {
    projects: [projects[0]],
    forms: [forms.at(-1).id],
  })
  const pages = await pagesOf(address)
  for (const id of [projects[0], forms.at(-1).id]) {
    const shown = new RegExp(`<input type="(checkbox|hidden)" name="\\w+" value="${id}"(?: checked)?/>`, "g")
    const inputs = pages.map((text) => [...text.matchAll(shown)])
    expect(inputs.map((found) => found.length)).toEqual(pages.map(() => 1))
    const boxes = inputs.flat().filter(([, type]) => type === "checkbox")
    expect(boxes.map(([input]) => input.includes("checked"))).toEqual([true])
  }
})

/** Pages that the walk must reach, or it proves nothing. */
const known = [
  "/console",
  "/console/projects",
  "/console/deliveries",
  "/console/journal",
  "/console/settings/operators",
  "/console/webhooks/:id",
  "/console/webhooks/:id/deliveries",
  "/console/webhooks/:id/requests",
  ...[
    "",
    "/questions",
    "/questions/:id",
    "/questions/chosen/:id",
    "/appearance",
    "/messages",
    "/forms/:id",
  ].map((rest) => `/console/projects/:id${rest}`),
  "/console/projects/:id/indexing?show=left_out",
]

test("every page that a link leads to, in a workspace that has as much as it may", async () => {
  const sizes = new Map<string, number>()
  for (const id of projects)
    for (const [kind, bytes] of await weighed(`/console/projects/${id}`))
      sizes.set(kind, Math.max(bytes, sizes.get(kind) ?? 0))
  expect([...sizes].filter(([, bytes]) => bytes > maxBytes)).toEqual([])
  expect(known.filter((kind) => !sizes.has(kind))).toEqual([])
})
