import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Api, apiOf } from "../../support/api.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

let service: Service
let client: ConsoleClient
let api: Api
let endpoint: string

beforeAll(async () => {
  service = await aService().withSettings({ GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" }).started()
  client = await signedIn(service)
  api = await apiOf(service)
  const made = await client.post("/console/webhooks", { url: "https://hooks.acme.fr/guichet" })
  endpoint = /\/console\/webhooks\/ep_\w+/.exec(made.text)?.[0] as string
})
afterAll(() => service[Symbol.asyncDispose]())

test("any day may be replayed from, the first years among them; what is no day is refused at its field", async () => {
  for (const since of ["2026-11-01", "0001-01-01", "9999-12-31"]) {
    const { status, location } = await client.post(`${endpoint}/replays`, { since })
    expect([since, status, location]).toEqual([since, 303, `${endpoint}/deliveries?replayed=0`])
  }
  for (const since of ["", "hier", "2026-99-99", "275760-09-14"]) {
    const { status, text } = await client.post(`${endpoint}/replays`, { since })
    expect([since, status, text.includes("Choisissez un jour")]).toEqual([since, 400, true])
    if (since !== "") expect(text).toContain(`value="${since}"`)
    expect(text.match(/Choisissez un jour/g)).toHaveLength(1)
  }
})

test("a destination may be typed without https://", async () => {
  const made = await client.post("/console/webhooks", { url: "hooks.acme.fr/sans", description: "court" })
  expect(made.status).toBe(200)
  const { items } = (await api.get("/api/v1/endpoints")).body
  expect(items.map(({ url }: { url: string }) => url)).toContain("https://hooks.acme.fr/sans")
})

test("in a workspace of several projects a new destination says whose messages it gets; one that is there keeps all", async () => {
  const [one, two] = await Promise.all(
    ["Mairie", "Piscine"].map(
      async (name) => (await api.post("/api/v1/projects", { name, site: "https://a.fr" })).body,
    ),
  )
  const add = async (values: Record<string, string>) => {
    const { status, text } = await client.post("/console/webhooks", {
      url: "https://hooks.acme.fr/client",
      ...values,
    })
    const [, id = ""] = /\/console\/webhooks\/(ep_\w+)/.exec(status === 200 ? text : "") ?? []
    return { status, text, made: id === "" ? undefined : (await api.get(`/api/v1/endpoints/${id}`)).body }
  }
  const untold = await add({ description: "sans choix" })
  expect([untold.status, untold.text.includes("Choisissez les projets ou les formulaires")]).toEqual([
    400,
    true,
  ])
  expect(untold.text).toContain('value="sans choix"')
  expect((await add({ projects: two.id })).made).toMatchObject({ projects: [two.id], limited: true })
  expect((await add({ every: "on" })).made).toMatchObject({ projects: [], limited: false })
  const led = (await client.get(`/console/webhooks?project=${one.id}`)).text
  expect(led).toMatch(new RegExp(`value="${one.id}" checked`))
  expect(led).not.toMatch(new RegExp(`value="${two.id}" checked`))
  expect(led).toContain("Tous les projets, présents et à venir")
  for (const { id } of [one, two]) await api.delete(`/api/v1/projects/${id}`)
})

test("what is too long is refused at its field, and nothing of it is lost", async () => {
  const description = "é".repeat(201)
  const { status, text } = await client.post(endpoint, { url: "https://hooks.acme.fr/guichet", description })
  expect([status, text.includes(`value="${description}"`)]).toEqual([400, true])
  expect(text).toContain("Indiquez une description de 200 caractères au plus, sur une seule ligne.")
})

/** Changes the description of an endpoint. As a browser does, it also sends every other field of the page. */
async function describe(id: string, description: string) {
  const address = `/console/webhooks/${id}`
  const { text } = await client.get(address)
  const [settings = ""] = new RegExp(`<form[^>]*action="${address}".*?</form>`, "s").exec(text) ?? []
  const chosen = [...settings.matchAll(/<input[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => /type="hidden"|checked/.test(input))
    .map((input) => [/name="([^"]*)"/.exec(input)?.[1], /value="([^"]*)"/.exec(input)?.[1] ?? ""])
  const values = { ...Object.fromEntries(chosen), url: "https://hooks.acme.fr/guichet", description }
  return (await client.post(address, values)).status
}

test("an endpoint that is saved keeps the limits that its page cannot show", async () => {
  const project = (await api.post("/api/v1/projects", { name: "A", site: "https://a.fr" })).body.id
  const url = "https://hooks.acme.fr/guichet"
  const { id } = (await api.post("/api/v1/endpoints", { url, projects: [project] })).body
  expect(await describe(id, "client A")).toBe(303)
  expect((await api.get(`/api/v1/endpoints/${id}`)).body).toMatchObject({
    description: "client A",
    projects: [project],
    limited: true,
  })
})

test("an endpoint whose forms are gone gets nothing after it is saved either", async () => {
  const project = (await api.post("/api/v1/projects", { name: "B", site: "https://b.fr" })).body.id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const [gone, other] = [
    (await api.post("/api/v1/forms", { project, name: "Parti", fields })).body.id,
    (await api.post("/api/v1/forms", { project, name: "Autre", fields })).body.id,
  ]
  const url = "https://hooks.acme.fr/guichet"
  const { id } = (await api.post("/api/v1/endpoints", { url, forms: [gone] })).body
  await api.delete(`/api/v1/forms/${gone}`)
  expect(await describe(id, "client B")).toBe(303)
  const shown = async () => (await api.get(`/api/v1/endpoints/${id}`)).body
  expect(await shown()).toMatchObject({ description: "client B", forms: [], limited: true })
  await api.patch(`/api/v1/endpoints/${id}`, { forms: [other] })
  expect((await api.patch(`/api/v1/endpoints/${id}`, { forms: [] })).body.limited).toBe(false)
})

test("the page of a new secret, called up again, makes no second endpoint", async () => {
  const count = async () => (await api.get("/api/v1/endpoints")).body.items.length
  const { text } = await client.get("/console/webhooks")
  const [, once = ""] = /name="guichet_once" value="([^"]+)"/.exec(text) ?? []
  const values = { url: "https://hooks.acme.fr/deux", guichet_once: once, every: "on" }
  const before = await count()
  expect((await client.post("/console/webhooks", { ...values, url: "http://non" })).status).toBe(400)
  expect((await client.post("/console/webhooks", values)).status).toBe(200)
  const again = await client.post("/console/webhooks", values)
  expect([again.status, again.text.includes("déjà été envoyé")]).toEqual([409, true])
  expect(await count()).toBe(before + 1)
})

test("an address that was made inactive elsewhere is not made active by a page that was open", async () => {
  const { id } = (await api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/guichet" })).body
  const path = `/console/webhooks/${id}`
  const shown = formIn((await client.get(path)).text, path)
  await api.patch(`/api/v1/endpoints/${id}`, { active: false })
  const refused = await client.post(path, { ...shown, description: "client A" })
  expect([refused.status, refused.text.includes("Quelqu’un d’autre a changé")]).toEqual([409, true])
  expect((await api.get(`/api/v1/endpoints/${id}`)).body).toMatchObject({ active: false, description: "" })
})

test("why nothing can be replayed is said", async () => {
  const { id } = (await api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/guichet" })).body
  await api.patch(`/api/v1/endpoints/${id}`, { active: false })
  const refused = await client.post(`/console/webhooks/${id}/replays`, { since: "2026-11-01" })
  expect([refused.status, refused.text.includes("Cette destination est désactivée")]).toEqual([409, true])
})

test("forms of the same name are told apart by their project", async () => {
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  for (const name of ["Nord", "Sud"]) {
    const project = (await api.post("/api/v1/projects", { name, site: "https://www.acme.fr" })).body.id
    await api.post("/api/v1/forms", { project, name: "Contact", fields })
  }
  const { text } = await client.get("/console/webhooks")
  for (const name of ["Contact (Nord)", "Contact (Sud)"]) expect(text).toContain(name)
})

test("an empty test receiver names the forms to fill in; once something came, it leads to an application of one's own", async () => {
  await using webhooks = await aService().withReceivers().started()
  const camille = await signedIn(webhooks.service)
  const { location } = await camille.post("/console/webhooks/test-receiver")
  const shown = async () => (await camille.get(location ?? "")).text
  const project = (await webhooks.api.post("/api/v1/projects", { name: "A", site: "https://a.fr" })).body.id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const described = { project, name: "Contact", fields }
  const { id, public_id } = (await webhooks.api.post("/api/v1/forms", described)).body
  expect(await shown()).toContain(`<a href="/console/projects/${project}/forms/${id}/html">Contact</a>`)
  await webhooks.api.patch(`/api/v1/forms/${id}`, { hosted: true })
  expect(await shown()).toMatch(new RegExp(`<a href="http\\S+/f/${public_id}">`))
  expect(await shown()).not.toContain("Ajouter mon application")
  await webhooks.respond()
  await webhooks.settled()
  expect(await shown()).toContain(`<a href="/console/webhooks#new">Ajouter mon application</a>`)
  await webhooks.endpoint()
  expect(await shown()).not.toContain("Ajouter mon application")
})
