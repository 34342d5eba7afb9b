import { afterAll, beforeAll, expect, test } from "bun:test"
import { checkChosenAnswers } from "../../../src/owners/chosen/set-aside.ts"
import { type Api, apiOf } from "../../support/api.ts"
import { foreign, type Site } from "../../support/ask.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// A team's answer without a fitting page cites the page that shows it: nothing cites a page that does not hold it.

let site: Site
let api: Api
let camille: ConsoleClient
let chosen: string
const question = "Le guichet ouvre-t-il le samedi ?"

beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  api = await apiOf(site.service)
  camille = await signedIn(site.service)
  chosen = `/api/v1/projects/${site.project.id}/chosen-answers`
})
afterAll(() => site[Symbol.asyncDispose]())

/** The page at an address of the service, wherever that says it stands. */
const visit = (url: string) => fetch(`${site.service.url}${url.slice(new URL(url).origin.length)}`)

test("it is its own source: the page shows its words, who wrote them and when", async () => {
  expect((await fetch(`${site.service.url}/q/${site.project.id}`)).status).toBe(404)
  const written = "Oui, de **9 h à 12 h**, sauf [les jours fériés](https://docs.exemple.fr/installation)."
  const made = await api.post(chosen, { questions: [question], answer: written })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ sources: [], given: true })
  const { body } = await site.ask({ question })
  expect(body).toMatchObject({ status: "answered", answer: `${written} [^1]` })
  const [source] = body.sources
  expect(source).toMatchObject({ n: 1, title: site.project.name, section: question })
  expect(source.url).toEndWith(`/q/${site.project.id}#${made.body.id}`)

  const page = await visit(source.url)
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(html).toContain(`<section id="${made.body.id}" lang="fr"><h2>${question}</h2>`)
  expect(html).toContain("<strong>9 h à 12 h</strong>")
  expect(html).toMatch(new RegExp(`Écrit par l’équipe \\(${site.project.name}\\) le.*<time dateTime="2`, "i"))
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
  // A job that looks for missing sources finds nothing missing.
  await checkChosenAnswers(site.service.app.db, site.service.app.clock.now())
  expect((await site.ask({ question })).body.sources).toEqual([source])
  await api.delete(`${chosen}/${made.body.id}`)
  expect((await visit(source.url)).status).toBe(404)
})

test("search engines may list it where the owner wants it, and only then", async () => {
  const { id } = (await api.post(chosen, { questions: [question], answer: "Oui.", sources: [] })).body
  const seen = async () => (await fetch(`${site.service.url}/q/${site.project.id}`)).text()
  expect(await seen()).toContain(`<meta name="robots" content="noindex"/>`)
  const list = `/console/projects/${site.project.id}/questions/chosen`
  expect((await camille.get(list)).text).toContain(`/q/${site.project.id}`)
  expect((await camille.post(`${list}/listing`, { listed: "on" })).status).toBe(303)
  expect(await seen()).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/q/${site.project.id}"`))
  expect(await seen()).not.toContain("noindex")
  await camille.post(`${list}/listing`, {})
  expect(await seen()).toContain("noindex")
  await api.delete(`${chosen}/${id}`)
})

test("what is written cannot become a script, and an answer with sources does not stand there", async () => {
  const hostile = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) <script>alert(1)</script>"
  const own = (await api.post(chosen, { questions: ["<b>Le guichet</b> est-il gratuit ?"], answer: hostile }))
    .body
  const cited = {
    questions: ["Où est la mairie ?"],
    answer: "Ici.",
    sources: ["https://docs.exemple.fr/installation"],
  }
  const other = (await api.post(chosen, cited)).body
  const html = await (await fetch(`${site.service.url}/q/${site.project.id}`)).text()
  expect(html).not.toMatch(/<img|<script|javascript:|<b>/)
  expect(html).toContain(own.id)
  expect(html).not.toContain(other.id)
  for (const { id } of [own, other]) await api.delete(`${chosen}/${id}`)
})

test("many stand on portions, and each is cited where it stands", async () => {
  const ids: string[] = []
  for (let n = 1; n <= 25; n++)
    ids.push(
      (await api.post(chosen, { questions: [`Formulaire numéro${n} ?`], answer: `Réponse ${n}.` })).body.id,
    )
  const addressOf = async (n: number) =>
    (await site.ask({ question: `Formulaire numéro${n} ?` })).body.sources[0].url as string
  expect(await addressOf(20)).toEndWith(`/q/${site.project.id}#${ids[19]}`)
  expect(await addressOf(21)).toEndWith(`/q/${site.project.id}?from=${ids[20]}#${ids[20]}`)
  for (const n of [1, 20, 21, 25])
    expect(await (await visit(await addressOf(n))).text()).toContain(`id="${ids[n - 1]}"`)
  const first = await (await fetch(`${site.service.url}/q/${site.project.id}`)).text()
  expect(first).toContain(`/q/${site.project.id}?from=${ids[20]}`)
  for (const id of ids) await api.delete(`${chosen}/${id}`)
  expect((await site.ask({ question: foreign })).body.status).toBe("no_answer")
})

test("a portion is as short as its answers are long, and requests of one address have a limit", async () => {
  const ids: string[] = []
  // A mark of each kind that takes more letters as HTML than as it is written.
  const answer = '- [a](https://docs.exemple.fr/) **b** `"`\n'.repeat(120)
  for (let n = 1; n <= 6; n++)
    ids.push((await api.post(chosen, { questions: [`Longue réponse numéro${n} ?`], answer })).body.id)
  const shown: string[] = []
  for (let path: string | undefined = `/q/${site.project.id}`; path; ) {
    const html: string = await (await fetch(site.service.url + path)).text()
    expect(html.length).toBeLessThan(128 * 1024)
    const on = [...html.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id as string)
    shown.push(...on)
    for (const id of on) {
      const { url } = (await site.ask({ question: `Longue réponse numéro${ids.indexOf(id) + 1} ?` })).body
        .sources[0]
      expect(await (await visit(url)).text()).toContain(`<section id="${id}"`)
    }
    path = /href="([^"]+\?from=[^"]+)"/.exec(html)?.[1]
  }
  expect(shown).toEqual(ids)
  for (const id of ids) await api.delete(`${chosen}/${id}`)
  const from = { headers: { "x-forwarded-for": "198.51.100.7" } }
  const statuses: number[] = []
  for (let request = 0; request < 61; request++)
    statuses.push((await fetch(`${site.service.url}/q/${site.project.id}`, from)).status)
  expect(statuses).toEqual([...Array(60).fill(404), 429])
})

test("no project, or a name that is none, has no such page", async () => {
  for (const name of ["inconnu12345678", "..%2f..", "x".repeat(500)])
    expect((await fetch(`${site.service.url}/q/${name}`)).status).toBe(404)
})
