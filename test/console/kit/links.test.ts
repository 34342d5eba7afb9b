import { afterAll, beforeAll, expect, test } from "bun:test"
import { apiOf } from "../../support/api.ts"
import { patternOf } from "../../support/console-pages.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { textOf } from "../../support/page-text.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// What pages show to those who may not do everything: no link to a refusal, and all that there is to read.

let service: Service

beforeAll(async () => {
  service = await aService().started()
  const api = await apiOf(service)
  const programs = { mcp_enabled: true, llms_enabled: true }
  const site = { name: "Mairie", site: "https://docs.exemple.fr" }
  const project = (await api.post("/api/v1/projects", { ...site, ...programs })).body.id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  await api.post("/api/v1/forms", { project, name: "Contact", fields, hosted: true })
  await service.app.db.deleteFrom("token").execute()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Link {
  from: string
  href: string
}

function linksIn(html: string): string[] {
  const links: string[] = []
  new HTMLRewriter()
    .on("a[href]", { element: (link) => void links.push(link.getAttribute("href") ?? "") })
    .transform(html)
  return links.map((href) => href.replaceAll("&amp;", "&"))
}

/** Goes to one page of each kind that links lead to. `broken`: links to a page or a place that is not there. */
async function walk(client: ConsoleClient) {
  const pages = new Map<string, string>()
  const broken: Link[] = []
  const waiting: Link[] = [{ from: "", href: "/console" }]
  const seen = new Set<string>()
  for (let link = waiting.shift(); link; link = waiting.shift()) {
    const { pathname, search, hash } = new URL(link.href, service.url)
    const { status, text, location } = await client.get(pathname + search)
    const isThere = hash === "" || text.includes(`id="${hash.slice(1)}"`)
    if (location === null && (status !== 200 || !isThere)) broken.push(link)
    pages.set(patternOf(service.url + pathname), text)
    for (const each of location === null ? linksIn(text) : [location]) {
      const { origin, href, hash } = new URL(each, service.url + pathname + search)
      const kind = patternOf(href) + (location ?? hash)
      const isOutside = origin !== service.url || !kind.startsWith("/console")
      if (isOutside || seen.has(kind) || each === "#menu" || each === "#content") continue
      seen.add(kind)
      waiting.push({ from: pathname, href })
    }
  }
  return { pages, broken }
}

for (const role of ["viewer", "editor", "owner"] as const)
  test(`each link leads ${role}s to a page that they may see, and to a place that is there`, async () => {
    const { pages, broken } = await walk(await signedIn(service, role))
    expect(broken).toEqual([])
    expect(pages.size).toBeGreaterThan(20)
  })

test("what only shows or copies works for those who may change nothing", async () => {
  const { pages } = await walk(await signedIn(service, "viewer"))
  const disabled: string[] = []
  let copied = 0
  for (const [pattern, html] of pages)
    new HTMLRewriter()
      .on("[data-copy]", { element: () => void copied++ })
      .on("fieldset[disabled] [data-copy]", { element: () => void disabled.push(pattern) })
      .transform(html)
  expect(disabled).toEqual([])
  expect(copied).toBeGreaterThan(4)
})

test("nobody is invited to what only others may do", async () => {
  const invitations = {
    viewer: [],
    editor: [
      "Brancher une application",
      "Ajouter mon application",
      "Pour commencer",
      "Ajoutez ci-dessous",
      "Écrivez la réponse",
    ],
    owner: ["Créez-lui un jeton d’accès", "Inviter un opérateur"],
  }
  const all = Object.values(invitations).flat()
  const told: string[] = []
  for (const role of ["viewer", "editor", "owner"] as const) {
    told.push(...invitations[role])
    const client = await signedIn(service, role)
    const text = [...(await walk(client)).pages.values()].map(textOf).join()
    const webhooks = textOf((await client.get("/console/webhooks")).text)
    expect([role, all.filter((each) => (text + webhooks).includes(each))]).toEqual([role, told])
  }
})

test("an only workspace is not spoken of", async () => {
  const spoken: string[] = []
  for (const [pattern, html] of (await walk(await signedIn(service))).pages) {
    const text = textOf(html).replaceAll(/Espace disque|Donnez-lui son propre espace/g, "")
    // What makes the second workspace says what it is.
    if (pattern.includes("workspaces/new")) continue
    spoken.push(...(text.match(/.{0,60}\bespaces?\b.{0,20}/gi) ?? []))
  }
  expect(spoken).toEqual([])
})
