import { afterAll, beforeAll, expect, test } from "bun:test"
import { maxOrigins } from "../../src/accounts/projects/record.ts"
import { type Api, apiOf, strangerOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const clock = movableClock()
let service: Service
let api: Api

beforeAll(async () => {
  service = await aService().withClock(clock).started()
  api = await apiOf(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const site = { name: "Docs", site: "https://docs.acme.fr" }

test("a project is made, shown, changed and removed", async () => {
  const made = await api.post("/api/v1/projects", {
    ...site,
    origins: ["HTTPS://Preview.Acme.fr:443/", "http://localhost:4000"],
  })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^[a-z0-9]{8,64}$/),
    name: "Docs",
    site: "https://docs.acme.fr",
    origins: ["https://docs.acme.fr", "http://localhost:4000", "https://preview.acme.fr"],
    language: "fr",
    assistant_enabled: true,
    answers: "written",
    answer_threshold: "prudent",
    kind_word: "documentation",
    no_answer_more: null,
    team_page_listed: false,
    mcp_enabled: false,
    llms_enabled: false,
    editions: [],
    edition_fallback: false,
    per_minute: null,
    per_visitor_day: null,
    per_day: null,
    every_hours: null,
    indexed_at: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  const path = `/api/v1/projects/${made.body.id}`
  expect((await api.get(path)).body).toEqual(made.body)

  const change = { assistant_enabled: false, answers: "extractive", per_day: 100, every_hours: 24 }
  const changed = await api.patch(path, change)
  expect(changed.status).toBe(200)
  expect(changed.body).toEqual({ ...made.body, ...change })
  expect((await api.patch(path, { per_day: null })).body.per_day).toBe(null)
  expect((await api.patch(path)).body.per_day).toBe(null)

  const whole = await api.post("/api/v1/projects", { ...site, ...change })
  expect(whole.body).toMatchObject(change)

  const removed = await api.delete(path)
  expect([removed.status, removed.body]).toEqual([204, ""])
  expect((await api.get(path)).status).toBe(404)
})

test.each([
  ["documentation", "documentation"],
  ["Ce site", "site"],
  ["la  documentation", "documentation"],
  [" Le guide du locataire ", "le guide du locataire"],
  ["L'aide en ligne", "l’aide en ligne"],
  ["our help pages", "our help pages"],
])("the site is called %j", async (typed, kept) => {
  const { body } = await api.post("/api/v1/projects", { ...site, kind_word: typed })
  expect(body.kind_word).toBe(kept)
})

test("a word without its article, or a sentence that is too long, is refused at its field", async () => {
  const { body: project } = await api.post("/api/v1/projects", site)
  for (const wrong of ["", "guide du locataire", "le", "le a\nb", `le ${"x".repeat(58)}`]) {
    const { status, body } = await api.patch(`/api/v1/projects/${project.id}`, { kind_word: wrong })
    expect([wrong, status, Object.keys(body.error.fields)]).toEqual([wrong, 400, ["kind_word"]])
  }
  const more = (text: string) => api.patch(`/api/v1/projects/${project.id}`, { no_answer_more: text })
  expect((await more("é".repeat(300))).status).toBe(200)
  expect(Object.keys((await more("é".repeat(301))).body.error.fields)).toEqual(["no_answer_more"])
  expect((await more(" ")).body.no_answer_more).toBeNull()
})

test("a rhythm that no year holds is refused at its field", async () => {
  const { body: project } = await api.post("/api/v1/projects", site)
  const path = `/api/v1/projects/${project.id}`
  expect((await api.patch(path, { every_hours: 8760 })).body.every_hours).toBe(8760)
  for (const hours of [8761, Number.MAX_SAFE_INTEGER, 1.5, 0]) {
    const { status, body } = await api.patch(path, { every_hours: hours })
    expect([status, body.error.fields]).toEqual([
      400,
      { every_hours: "Indiquez un nombre entier de 1 à 8\u202f760, ou null." },
    ])
  }
})

test("a name has 200 characters, however many bytes each takes", async () => {
  expect((await api.post("/api/v1/projects", { ...site, name: "🏛️".repeat(100) })).status).toBe(201)
  expect((await api.post("/api/v1/projects", { ...site, name: "é".repeat(201) })).status).toBe(400)
})

test("every wrong field is named, in French", async () => {
  const { status, body } = await api.post("/api/v1/projects", { site: 3, origins: "x", language: "de" })
  expect(status).toBe(400)
  expect(body.error.code).toBe("invalid_request")
  expect(body.error.fields).toEqual({
    name: "Ce champ est obligatoire.",
    site: "Indiquez un texte.",
    origins: "Indiquez une liste de textes.",
    language: "Valeurs possibles\u00a0: fr, en.",
  })
  const empty = await api.post("/api/v1/projects", { name: " ", site: "ftp://acme.fr" })
  expect(Object.keys(empty.body.error.fields)).toEqual(["name", "site"])
  for (const wrong of [[], "text", null, 1])
    expect((await api.post("/api/v1/projects", wrong)).status).toBe(400)
  expect((await api.post("/api/v1/projects", { ...site, name: "x".repeat(70_000) })).status).toBe(400)
})

test("a wildcard is no address: no browser would ever send it", async () => {
  const { status, body } = await api.post("/api/v1/projects", {
    name: "Acme",
    site: "https://*.acme.fr",
    origins: ["https://www.acme.fr", "https://*.acme.fr:8443"],
  })
  expect([status, body.error.fields]).toEqual([
    400,
    {
      site: "Indiquez l’URL du site, par exemple https://www.exemple.fr, sans paramètre.",
      origins:
        "L’URL de chaque site déclaré commence par https:// ou http://, par exemple https://www.exemple.fr.",
    },
  ])
  const named = {
    name: "Acme",
    site: "http://[::1]:8080",
    origins: ["https://école.fr", "http://my_host.local"],
  }
  expect((await api.post("/api/v1/projects", named)).body.origins.toSorted()).toEqual([
    "http://[::1]:8080",
    "http://my_host.local",
    "https://xn--cole-9oa.fr",
  ])
})

test("a stranger's project does not exist", async () => {
  const { body } = await api.post("/api/v1/projects", site)
  const stranger = await strangerOf(service)
  const path = `/api/v1/projects/${body.id}`
  for (const answer of [
    await stranger.get(path),
    await stranger.patch(path, {}),
    await stranger.delete(path),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"])
  expect((await stranger.get("/api/v1/projects")).body).toEqual({ items: [], next_cursor: null })
  expect((await api.get(path)).status).toBe(200)
})

test("the list is read page by page, newest first, each project once", async () => {
  const reader = await strangerOf(service)
  const made: string[] = []
  for (let number = 0; number < 7; number++) {
    made.unshift((await reader.post("/api/v1/projects", { ...site, name: `${number}` })).body.name)
    if (number !== 3) clock.move(1)
  }
  const read: string[] = []
  let cursor: string | null = ""
  while (cursor !== null) {
    const { body } = await reader.get(`/api/v1/projects?limit=3${cursor && `&cursor=${cursor}`}`)
    expect(body.items.length).toBeLessThanOrEqual(3)
    read.push(...body.items.map((project: { name: string }) => project.name))
    cursor = body.next_cursor
  }
  expect(read.toSorted()).toEqual(made.toSorted())
  // Two projects have the same millisecond: only their order is free.
  expect([...read.slice(0, 2), ...read.slice(4)]).toEqual(["6", "5", "2", "1", "0"])
})

test("a limit is 1 to 100 and a cursor one that was given out", async () => {
  for (const query of ["limit=0", "limit=101", "limit=1.5", "limit=x", "limit="])
    expect((await api.get(`/api/v1/projects?${query}`)).body.error.fields).toEqual({
      limit: "Indiquez un nombre entier de 1 à 100.",
    })
  for (const cursor of ["", "%00", "!", "AAAA", "a"])
    expect((await api.get(`/api/v1/projects?cursor=${cursor}`)).status).toBe(400)
  expect((await api.get("/api/v1/projects?limit=100")).status).toBe(200)
})

test("a project keeps some other addresses, and says so when they are too many", async () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, i) => `https://site${i}.acme.fr`)
  const created = await api.post("/api/v1/projects", {
    name: "Aide",
    site: "https://docs.acme.fr",
    origins: addresses(maxOrigins),
  })
  expect(created).toMatchObject({ status: 201 })
  expect(created.body.origins).toHaveLength(maxOrigins + 1)
  expect(
    await api.patch(`/api/v1/projects/${created.body.id}`, { origins: addresses(maxOrigins + 1) }),
  ).toMatchObject({
    status: 400,
    body: {
      error: {
        code: "invalid_request",
        fields: {
          origins: `Un projet déclare ${maxOrigins} autres sites au plus. Retirez ceux qui ne servent plus.`,
        },
      },
    },
  })
})
