import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Api, apiOf, strangerOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import { type NameServer, startNameServer } from "../support/dns.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const path = "/api/v1/endpoints"
const clock = movableClock()
/** Private, and told once the other family has been known for longer than an attempt waits. */
const late = Promise.withResolvers<string[]>()
let names: NameServer
let service: Service
let api: Api

beforeAll(async () => {
  names = await startNameServer({
    "hooks.acme.fr": ["93.184.215.14", "2606:4700:4700::1111"],
    "inside.acme.fr": ["10.1.2.3"],
    "half.acme.fr": ["93.184.215.14", "10.1.2.3"],
    "half6.acme.fr": ["93.184.215.14", "::1"],
    "broken.acme.fr": "SERVFAIL",
    "nothing.acme.fr": [],
    "silent6.acme.fr": { A: ["93.184.215.14"], AAAA: "silence" },
    "silent.acme.fr": { A: "silence", AAAA: ["2606:4700:4700::1111"] },
    "late6.acme.fr": { A: ["93.184.215.14"], AAAA: late.promise },
  })
  service = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "https://guichet.acme.fr" })
    .withOverrides({ clock, outbound: { newResolver: names.newResolver } })
    .started()
  api = await apiOf(service)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await names[Symbol.asyncDispose]()
})

test("an endpoint is made, shown, changed and removed; its secret is shown once and sealed at rest", async () => {
  const made = await api.post(path, { url: "HTTPS://Hooks.acme.fr:443/in", description: " CRM " })
  expect(made.status).toBe(201)
  const { secret, ...shown } = made.body
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(shown.id).toMatch(/^ep_[0-9a-f]{32}$/)
  expect(shown).toMatchObject({
    url: "https://hooks.acme.fr/in",
    description: "CRM",
    active: true,
    projects: [],
    forms: [],
  })
  expect((await api.get(`${path}/${shown.id}`)).body).toEqual(shown)
  const rows = await service.app.db.selectFrom("endpoint").selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(secret.slice("whsec_".length))

  const changed = await api.patch(`${path}/${shown.id}`, { active: false, description: "" })
  expect([changed.status, changed.body]).toEqual([200, { ...shown, active: false, description: "" }])
  expect((await api.patch(`${path}/${shown.id}`)).body).toEqual(changed.body)

  expect((await api.delete(`${path}/${shown.id}`)).status).toBe(204)
  expect((await api.get(`${path}/${shown.id}`)).status).toBe(404)
  expect((await api.delete(`${path}/${shown.id}`)).status).toBe(404)
})

test.each(["silent6.acme.fr", "silent.acme.fr"])(
  "%s can be registered though its server is silent about one family",
  async (host) => {
    expect((await api.post(path, { url: `https://${host}/` })).status).toBe(201)
  },
)

test("a private address that comes late refuses an endpoint all the same", async () => {
  setTimeout(() => late.resolve(["::1"]), 400)
  const { status, body } = await api.post(path, { url: "https://late6.acme.fr/" })
  expect([status, body.error?.fields]).toEqual([400, { url: expect.stringContaining("réseau privé") }])
})

test("the path of an endpoint is kept as it was written", async () => {
  const url = "https://hooks.acme.fr//a/../%2e/b?c[]=1&d=;"
  expect((await api.post(path, { url })).body.url).toBe(url)
})

test("a mistyped field does not make an endpoint get what it was meant to be kept from", async () => {
  const url = "https://hooks.acme.fr/limited"
  const refused = await api.post(path, { url, project: ["projetprojetprojet"] })
  expect([refused.status, refused.body.error.fields]).toEqual([
    400,
    {
      project: "`project`\u00a0: champ inconnu\u202f; vouliez-vous dire `projects`\u202f?",
    },
  ])
  const { items } = (await api.get(path)).body
  expect(items.filter((endpoint: { url: string }) => endpoint.url === url)).toEqual([])

  const { id } = (await api.post(path, { url })).body
  const unchanged = await api.patch(`${path}/${id}`, { form: ["form_1"] })
  expect([unchanged.status, Object.keys(unchanged.body.error.fields)]).toEqual([400, ["form"]])
  await api.delete(`${path}/${id}`)
})

test("a refused address says which rule, in French, at the field, and asks no name server", async () => {
  const refused: Record<string, RegExp> = {
    "http://hooks.acme.fr/in": /https:\/\//,
    "https://93.184.215.14/in": /pas une adresse IP/,
    "https://u:p@hooks.acme.fr/": /mot de passe/,
    "https://hooks.acme.fr:8443/": /port 443/,
    "https://hooks.acme.fr./": /domaine public/,
    "https://nas.local/": /réseau interne/,
    "https://guichet.acme.fr/f/x": /Guichet lui-même/,
    "https://hooks.acme.fr/#x": /fragment/,
    " https://hooks.acme.fr/": /espace/,
  }
  const before = names.asked.length
  for (const [url, sentence] of Object.entries(refused)) {
    const { status, body } = await api.post(path, { url })
    expect([url, status, body.error.code]).toEqual([url, 400, "invalid_request"])
    expect(body.error.fields.url).toMatch(sentence)
  }
  // The silent servers of the tests above are asked again after a while.
  const asked = names.asked.slice(before).filter((name) => !JSON.stringify(name).includes("silent"))
  expect(asked).toEqual([])
})

test("a name that leads to a private address is refused without saying where it leads", async () => {
  for (const name of ["inside", "half", "half6"]) {
    const { status, body } = await api.post(path, { url: `https://${name}.acme.fr/in` })
    expect([name, status]).toEqual([name, 400])
    expect(body.error.fields.url).toContain("réseau privé")
    expect(JSON.stringify(body)).not.toMatch(/10\.1|93\.184|::1/)
  }
})

test("a name that does not exist is refused; one that cannot be judged now is a matter of trying again", async () => {
  for (const name of ["unknown", "nothing"])
    expect((await api.post(path, { url: `https://${name}.acme.fr/` })).body.error.fields.url).toContain(
      "n’existe pas",
    )
  const { status, body } = await api.post(path, { url: "https://broken.acme.fr/" })
  expect([status, body.error.code]).toEqual([503, "unavailable"])
  expect(body.error.fields.url).toContain("Réessayez")
})

test("a change of address passes the same guard", async () => {
  const { body } = await api.post(path, { url: "https://hooks.acme.fr/in" })
  expect((await api.patch(`${path}/${body.id}`, { url: "https://127.0.0.1/" })).status).toBe(400)
  expect((await api.patch(`${path}/${body.id}`, { url: "https://inside.acme.fr/" })).status).toBe(400)
  expect((await api.get(`${path}/${body.id}`)).body.url).toBe("https://hooks.acme.fr/in")
  expect((await api.patch(`${path}/${body.id}`, { url: "https://hooks.acme.fr/b" })).body.url).toBe(
    "https://hooks.acme.fr/b",
  )
  await api.delete(`${path}/${body.id}`)
})

test("a workspace keeps at most 20 endpoints, counted under concurrency; inactive ones count, deleted ones do not", async () => {
  const owner = await strangerOf(service)
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, index) => owner.post(path, { url: `https://hooks.acme.fr/${index}` })),
  )
  const statuses = made.map((answer) => answer.status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.filter((status) => status === 409)).toHaveLength(10)
  const [first] = (await owner.get(`${path}?limit=100`)).body.items
  await owner.patch(`${path}/${first.id}`, { active: false })
  const refused = await owner.post(path, { url: "https://hooks.acme.fr/more" })
  expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"])
  await owner.delete(`${path}/${first.id}`)
  expect((await owner.post(path, { url: "https://hooks.acme.fr/more" })).status).toBe(201)
  expect((await api.post(path, { url: "https://hooks.acme.fr/elsewhere" })).status).toBe(201)
})

test("the list is read page by page, newest first", async () => {
  const owner = await strangerOf(service)
  const made: string[] = []
  for (let number = 0; number < 5; number++) {
    clock.move(1)
    made.unshift((await owner.post(path, { url: `https://hooks.acme.fr/${number}` })).body.id)
  }
  const first = (await owner.get(`${path}?limit=3`)).body
  const second = (await owner.get(`${path}?limit=3&cursor=${first.next_cursor}`)).body
  const ids = [...first.items, ...second.items].map((endpoint) => endpoint.id)
  expect(ids).toEqual(made)
  expect(second.next_cursor).toBe(null)
  expect(JSON.stringify(first)).not.toContain("whsec_")
})

test("a stranger's endpoint does not exist", async () => {
  const { id } = (await api.post(path, { url: "https://hooks.acme.fr/mine" })).body
  const stranger = await strangerOf(service)
  const answers = [
    await stranger.get(`${path}/${id}`),
    await stranger.patch(`${path}/${id}`, { active: false }),
    await stranger.post(`${path}/${id}/secret-rotations`),
    await stranger.delete(`${path}/${id}`),
  ]
  for (const answer of answers) expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"])
  expect((await api.get(`${path}/${id}`)).body.active).toBe(true)
  await api.delete(`${path}/${id}`)
})

test("an endpoint is limited to projects and forms of its own workspace", async () => {
  const project = (await api.post("/api/v1/projects", { name: "A", site: "https://a.fr" })).body.id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const form = (await api.post("/api/v1/forms", { project, name: "Contact", fields })).body.id
  const url = "https://hooks.acme.fr/limited"
  const made = await api.post(path, { url, projects: [project, project], forms: [form] })
  expect(made.body).toMatchObject({ projects: [project], forms: [form], limited: true })

  const stranger = await strangerOf(service)
  const refused = await stranger.post(path, { url, projects: [project], forms: [form] })
  expect(Object.keys(refused.body.error.fields)).toEqual(["projects", "forms"])
  expect((await stranger.get(path)).body.items).toEqual([])

  const freed = await api.patch(`${path}/${made.body.id}`, { forms: [] })
  expect(freed.body).toMatchObject({ projects: [project], forms: [], limited: true })
})

test("an endpoint limited to what was then deleted gets nothing, rather than everything", async () => {
  const project = (await api.post("/api/v1/projects", { name: "B", site: "https://b.fr" })).body.id
  const made = await api.post(path, { url: "https://hooks.acme.fr/b", projects: [project] })
  await api.delete(`/api/v1/projects/${project}`)
  expect((await api.get(`${path}/${made.body.id}`)).body).toMatchObject({ projects: [], limited: true })
})

test("an endpoint whose filter was emptied by removals gets every form once both lists are sent empty", async () => {
  const project = (await api.post("/api/v1/projects", { name: "B", site: "https://b.fr" })).body.id
  const made = await api.post(path, { url: "https://hooks.acme.fr/b", projects: [project] })
  await api.delete(`/api/v1/projects/${project}`)
  const change = (body: object) => api.patch(`${path}/${made.body.id}`, body)
  expect((await change({ description: "B" })).body.limited).toBe(true)
  // An empty list that repeats the present one must not open the endpoint to other clients' responses.
  expect((await change({ forms: [] })).body.limited).toBe(true)
  expect((await change({ projects: [], forms: [] })).body.limited).toBe(false)
})

test("every wrong field is named at once", async () => {
  const { body } = await api.post(path, {
    description: "x".repeat(201),
    active: 1,
    projects: "a",
    forms: [1],
  })
  expect(Object.keys(body.error.fields).toSorted()).toEqual([
    "active",
    "description",
    "forms",
    "projects",
    "url",
  ])
})

test("headers that are given while another address is resolved do not go there", async () => {
  const { promise: answer, resolve } = Promise.withResolvers<string[]>()
  names.answers["slow.acme.fr"] = answer
  const { id } = (await api.post(path, { url: "https://hooks.acme.fr/in" })).body
  const moved = api.patch(`${path}/${id}`, { url: "https://slow.acme.fr/in" })
  while (!names.asked.includes("slow.acme.fr")) await Bun.sleep(5)
  const headers = [{ name: "authorization", value: "Bearer for-hooks-alone" }]
  expect((await api.patch(`${path}/${id}`, { headers })).status).toBe(200)
  resolve(["93.184.215.14"])
  const { status, body } = await moved
  expect([status, Object.keys(body.error?.fields ?? {})]).toEqual([400, ["headers"]])
  expect((await api.get(`${path}/${id}`)).body.url).toBe("https://hooks.acme.fr/in")
  await api.delete(`${path}/${id}`)
})
