import { afterAll, beforeAll, expect, test } from "bun:test"
import { dayMs } from "../../../src/base/clock.ts"
import { logKeptMs, purgeLog } from "../../../src/webhooks/messages/purge.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// What stands around every page: the navigation, the switcher, and how a page is sent.

let service: Service
let client: ConsoleClient
const paths: string[] = []

beforeAll(async () => {
  service = await aService().started()
  client = await signedIn(service)
  for (const name of ["Zèbre", "Abeille"]) {
    const made = await client.post("/console/projects", { name, site: "https://docs.exemple.fr" })
    paths.push(made.location?.replace(/\/indexing.*/, "") as string)
  }
})
afterAll(() => service[Symbol.asyncDispose]())

test("the switcher leads to the same page of another project", async () => {
  const [zebra, bee] = paths as [string, string]
  const { text } = await client.get(`${zebra}/settings`)
  expect(text).toContain(`<a href="${bee}/settings">Abeille</a>`)
  expect(text).toContain(`<a href="${zebra}/settings" aria-current="page">`)
  // A page of the workspace leads to the home of each, by name.
  const overview = (await client.get("/console")).text
  expect(overview.indexOf(`<a href="${bee}">`)).toBeLessThan(overview.indexOf(`<a href="${zebra}">`))
})

test("the pages of a workspace go on showing the menu of the project that one comes from, if it is theirs", async () => {
  const page = async () => (await client.get("/console/webhooks")).text
  for (const path of paths) {
    await client.get(path)
    expect(await page()).toContain(`<a href="${path}/questions"`)
  }
  client.projectCookie = "guichet-project=autreprojet12345"
  expect(await page()).not.toContain("autreprojet12345")
})

test("each name in the navigation leads to one page, and each page is named once", async () => {
  const { text } = await client.get(paths[0] as string)
  const navigation = text.match(/<nav aria-label="Navigation.*?<\/nav>/gs)?.join("") ?? ""
  const entries = [...navigation.matchAll(/<a href="([^"]+)".*?<\/svg>([^<]+)<\/a>/gs)]
  expect(entries).toHaveLength(8)
  for (const place of [1, 2]) expect(new Set(entries.map((entry) => entry[place])).size).toBe(entries.length)
})

test("an only project has five entries, and what is connected or added to it brings the others", async () => {
  await using own = await aService()
    .withSettings({ GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" })
    .started()
  const lea = await signedIn(own)
  const site = "https://docs.exemple.fr"
  const made = await lea.post("/console/projects", { name: "Mairie", site })
  const path = made.location?.replace(/\/indexing.*/, "") as string
  const menu = async (page: string) => {
    const { text } = await lea.get(page)
    const navigation = text.match(/<nav aria-label="Navigation.*?<\/nav>/gs)?.join("") ?? ""
    const entries = [...navigation.matchAll(/<a href="[^"]+"( aria-current="page")?>.*?<\/svg>([^<]+)</gs)]
    const current = entries.filter(([, isCurrent]) => isCurrent).map(([, , name]) => name)
    return [entries.map(([, , name]) => name).join(", "), ...current]
  }
  const five = "Accueil, Questions, Messages, Documentation, Réglages"
  for (const [page, entry] of [
    ["/console", "Accueil"],
    [path, "Accueil"],
    [`${path}/synonyms`, "Questions"],
    [`${path}/questions/evaluation`, "Questions"],
    [`${path}/messages`, "Messages"],
    [`${path}/forms`, "Messages"],
    [`${path}/indexing`, "Documentation"],
    [`${path}/settings`, "Réglages"],
    [`${path}/appearance`, "Réglages"],
    ["/console/journal", "Réglages"],
    ["/console/settings", "Réglages"],
    ["/console/settings/account", "Réglages"],
    ["/console/projects", "Réglages"],
    ["/console/webhooks", "Réglages"],
  ] as const)
    expect([page, ...(await menu(page))]).toEqual([page, five, entry])
  const settings = (await lea.get(`${path}/settings`)).text
  expect(settings).toContain('href="/console/webhooks">Brancher une application')
  expect(settings).toContain('href="/console/projects#new">Nouveau projet')
  for (const page of ["/console/settings", "/console/settings/operators", "/console/settings/tokens"]) {
    const { text } = await lea.get(page)
    expect([page, /quota|De l’espace|Nom de l’espace/.test(text)]).toEqual([page, false])
  }

  await lea.post("/console/webhooks/test-receiver")
  expect(await menu("/console/webhooks")).toEqual([
    "Accueil, Questions, Messages, Documentation, Webhooks, Réglages",
    "Webhooks",
  ])
  expect((await lea.get(`${path}/settings`)).text).not.toContain("Brancher une application")
  await lea.post("/console/projects", { name: "École", site: "https://ecole.exemple.fr" })
  expect(await menu("/console")).toEqual([
    `${five}, Vue d’ensemble, Projets, Webhooks, Réglages généraux`,
    "Vue d’ensemble",
  ])
  expect((await lea.get(`${path}/settings`)).text).not.toContain("Nouveau projet")
})

test("a token alone makes Webhooks an entry", async () => {
  await using own = await aService().started()
  const lea = await signedIn(own)
  // Without a project, no settings of one lead there.
  expect((await lea.get("/console")).text).toContain(">Webhooks<")
  await lea.post("/console/projects", { name: "Mairie", site: "https://docs.exemple.fr" })
  expect((await lea.get("/console")).text).not.toContain(">Webhooks<")
  await lea.get("/console/settings/tokens")
  await lea.post("/console/settings/tokens", { name: "Suivi", preset: "reading", expires: "90" })
  expect((await lea.get("/console")).text).toContain(">Webhooks<")
})

test("Webhooks stays an entry as long as the log holds what was sent to an endpoint that is gone", async () => {
  await using own = await aService().started()
  const lea = await signedIn(own)
  await lea.post("/console/projects", { name: "Mairie", site: "https://docs.exemple.fr" })
  const made = await lea.post("/console/webhooks/test-receiver")
  const endpoint = made.location?.replace("/requests", "")
  await lea.post(`${endpoint}/test`, { type: "form.response.created" })
  await own.dispatcher.settled()
  await lea.post(`${endpoint}/removal`)
  expect((await lea.get("/console")).text).toContain(">Webhooks<")
  expect((await lea.get("/console/webhooks")).text).toContain('href="/console/deliveries"')
  expect((await lea.get("/console/deliveries")).text).toContain("destination supprimée")
  await purgeLog(own.app.db, own.app.clock.now() + logKeptMs + dayMs)
  expect((await lea.get("/console")).text).not.toContain(">Webhooks<")
})

test("a page is sent compressed to whoever takes that", async () => {
  const ask = (encoding: string) =>
    fetch(`${service.url}/console`, {
      headers: { cookie: client.cookie, "accept-encoding": encoding },
      decompress: false,
    } as RequestInit)
  const [zipped, plain] = [await ask("gzip, br"), await ask("identity")]
  expect([zipped.headers.get("content-encoding"), plain.headers.get("content-encoding")]).toEqual([
    "gzip",
    null,
  ])
  expect(zipped.headers.get("vary")).toContain("accept-encoding")
  const text = new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))
  expect(text).toStartWith("<!doctype html>")
  expect(text).toEndWith("</html>")
})

test("two views of a page hold different tokens, and each of them is good", async () => {
  const tokenOf = (text: string) => /name="guichet_token" value="([^"]+)"/.exec(text)?.[1] as string
  const tokens = [
    tokenOf((await client.get("/console/projects")).text),
    tokenOf((await client.get("/console/projects")).text),
  ]
  expect(new Set(tokens).size).toBe(2)
  for (const token of tokens) {
    const values = { name: "Autre", site: "https://autre.exemple.fr" }
    expect((await client.post("/console/projects", values, { token })).status).toBe(303)
  }
  const [workspace, mask] = (tokens[0] as string).split(".")
  const mixed = [workspace, mask, (tokens[1] as string).split(".")[2]].join(".")
  expect((await client.post("/console/projects", { name: "x" }, { token: mixed })).status).toBe(403)
})

test("the first site that is read is read every day from then on, unless the project has a rhythm", async () => {
  const [zebra, bee] = paths as [string, string]
  const rhythm = async (path: string) => {
    const { text } = await client.get(`${path}/indexing`)
    return /<option value="(\d+)" selected[^>]*>(?:chaque|seulement|toutes)/.exec(text)?.[1]
  }
  const add = (path: string, name: string) =>
    client.post(`${path}/indexing/feeds`, { kind: "sitemap", address: `https://docs.exemple.fr/${name}.xml` })
  expect(await rhythm(zebra)).toBeUndefined()
  await add(zebra, "un")
  expect(await rhythm(zebra)).toBe("24")
  await client.post(`${zebra}/indexing/schedule`, { every_hours: "0" })
  await add(zebra, "deux")
  expect(await rhythm(zebra)).toBe("0")
  await client.post(`${bee}/indexing/schedule`, { every_hours: "6" })
  await add(bee, "un")
  expect(await rhythm(bee)).toBe("6")
})
