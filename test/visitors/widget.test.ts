import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { minuteMs } from "../../src/base/clock.ts"
import { type Api, apiOf, strangerOf } from "../support/api.ts"
import { origin, type Site } from "../support/ask.ts"
import { aService } from "../support/service-builder.ts"

// GET /api/v1/projects/:id/widget: how the widget looks, for pages of declared addresses; and its settings.

let site: Site
let api: Api
let settings: string
beforeAll(async () => {
  site = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" })
    .withIndexedProject({ origins: ["https://guichet.exemple.fr"] })
    .started()
  api = await apiOf(site.service)
  settings = `/api/v1/projects/${site.project.id}/widget-settings`
})
afterAll(() => site[Symbol.asyncDispose]())

const widget = (headers: Record<string, string> = { origin }, project = site.project.id) =>
  site.send({ method: "GET", headers }, `/api/v1/projects/${project}/widget`)

const usual = {
  title: null,
  introduction: null,
  suggestions: [],
  color: null,
  text_color: null,
  position: "right",
  theme: "site",
  button: null,
  language: null,
  project_language: "fr",
  texts: { fr: expect.any(Object), en: expect.any(Object) },
  contact: false,
  search: false,
  look: "guichet",
  style: "",
}

test("without settings, everything is as usual", async () => {
  const reply = await widget()
  expect(reply).toMatchObject({ status: 200, body: usual })
  expect(reply.headers.get("access-control-allow-origin")).toBe(origin)
  expect(reply.headers.get("access-control-allow-credentials")).toBeNull()
  expect(reply.headers.get("vary")?.toLowerCase()).toContain("origin")
  expect(reply.headers.get("cache-control")).toBe("private, max-age=60")
})

test("what the owner sets is delivered, with a colour of text that can be read on it", async () => {
  const look = {
    title: "Aide de Guide",
    introduction: "Une question ?",
    suggestions: ["Comment installer Guichet ?", "Où sont les réglages ?"],
    color: "#ffe14d",
    position: "left",
    theme: "dark",
    button: "Une question ?",
    language: "en",
  }
  const changed = await api.patch(settings, look)
  expect(changed).toMatchObject({ status: 200, body: { ...look, contact_form: null } })
  const style = ":host{--guichet-accent:#ffe14d;--set-on:#000000;--set-link:var(--ink)}"
  expect((await widget()).body).toEqual({ ...usual, ...look, text_color: "#000000", style })
  await api.patch(settings, { color: "#1D4F91" })
  expect((await widget()).body).toMatchObject({ color: "#1d4f91", text_color: "#ffffff", title: look.title })
  await api.patch(settings, {
    title: null,
    introduction: "",
    suggestions: [],
    color: null,
    position: "right",
    theme: "site",
    button: " ",
    language: null,
  })
  expect((await widget()).body).toEqual(usual)
})

test("its texts name the site as its owner does, in the language of the page", async () => {
  const texts = async (kind_word: string) => {
    await api.patch(`/api/v1/projects/${site.project.id}`, { kind_word })
    return (await widget()).body.texts
  }
  expect((await texts("documentation")).fr).toMatchObject({
    assistant: "Assistant de la documentation",
    searching: "Recherche dans la documentation…",
    notice:
      "Les réponses sont produites automatiquement d’après la documentation\u00a0: vérifiez les sources. N’indiquez aucune donnée personnelle.",
  })
  const { fr, en } = await texts("Les pages de la mairie")
  expect(fr.assistant).toBe("Questions sur les pages de la mairie")
  expect(en.searching).toBe("Searching this site…")
  await texts("documentation")
})

test.each([
  ["title", "x".repeat(61)],
  ["title", "a\nb"],
  ["introduction", "x".repeat(301)],
  ["suggestions", ["a b", "c d", "e f", "g h"]],
  ["suggestions", ["x"]],
  ["suggestions", ["x".repeat(151)]],
  ["color", "red"],
  ["color", "#12345"],
  ["color", "#000000;} body{display:none"],
  ["position", "top"],
  ["theme", "sombre"],
  ["button", "x".repeat(41)],
  ["language", "de"],
  ["contact_form", "form_unknown"],
])("%s %j is refused, and nothing changes", async (name, value) => {
  const before = (await api.get(settings)).body
  const refused = await api.patch(settings, { [name]: value })
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
  expect(Object.keys(refused.body.error.fields)).toEqual([name])
  expect((await api.get(settings)).body).toEqual(before)
})

test("a stranger's project, and a token of another area, get nothing", async () => {
  const stranger = await strangerOf(site.service)
  expect((await stranger.get(settings)).status).toBe(404)
  expect((await stranger.patch(settings, { title: "x" })).status).toBe(404)
  const reader = await apiOf(site.service, ["projects:read"])
  expect((await reader.get(settings)).status).toBe(200)
  expect((await reader.patch(settings, { title: "x" })).status).toBe(403)
  expect((await api.get(settings)).body.title).toBeNull()
})

describe("a page of elsewhere is refused", () => {
  const host = () => new URL(site.service.url).host
  const refused: [name: string, headers: () => Record<string, string>][] = [
    ["another origin", () => ({ origin: "https://ailleurs.exemple" })],
    ["another origin whose Referer is declared", () => ({ origin: "null", referer: `${origin}/` })],
    ["no header at all", () => ({})],
    ["a declared Referer that is not of this host", () => ({ referer: `${origin}/page` })],
    ["another site without Origin, as an image is fetched", () => ({ "sec-fetch-site": "cross-site" })],
    ["the same, with a Referer of ours", () => ({ "sec-fetch-site": "none", referer: `http://${host()}/` })],
    ["the service's own address, which is not declared", () => ({ "sec-fetch-site": "same-origin" })],
  ]
  test.each(refused)("%s", async (_, headers) => {
    // The public address is declared here; it is left out where the address of the socket is judged.
    const { id } = (await api.post("/api/v1/projects", { name: "Autre", site: origin })).body
    expect(await widget(headers(), id)).toMatchObject({
      status: 403,
      body: { error: { code: "origin_not_allowed" } },
    })
  })

  test("an unknown project is 404", async () => {
    expect((await widget({ origin }, "inconnu123")).body.error.code).toBe("project_not_found")
  })
})

describe("a page of the service's own origin, which sends no Origin, is known", () => {
  test("by Sec-Fetch-Site, where the public address is declared", async () => {
    expect((await widget({ "sec-fetch-site": "same-origin" })).status).toBe(200)
    expect((await widget({ "sec-fetch-site": "same-site" })).status).toBe(403)
  })

  test("by the Referer of a browser without it", async () => {
    expect((await widget({ referer: "https://guichet.exemple.fr/aide" })).status).toBe(200)
    expect((await widget({ referer: "https://guichet.exemple.fr.ailleurs.exemple/" })).status).toBe(403)
  })

  test("by the host, behind a proxy that says another name", async () => {
    const { id } = (await api.post("/api/v1/projects", { name: "Hôte", site: site.service.url })).body
    expect((await widget({ "sec-fetch-site": "same-origin" }, id)).status).toBe(200)
  })
})

test("it is noted when a page loads the widget, once a minute at most", async () => {
  const { id } = (await api.post("/api/v1/projects", { name: "Vu", site: origin })).body
  const seen = async () => (await api.get(`/api/v1/projects/${id}/widget-settings`)).body.seen_at
  expect(await seen()).toBeNull()
  await widget({ origin: "https://ailleurs.exemple" }, id)
  expect(await seen()).toBeNull()
  const firstMs = site.clock.now()
  await Promise.all([1, 2, 3].map(() => widget({ origin }, id)))
  // Noted without waiting for the disk.
  while ((await seen()) === null) await Bun.sleep(1)
  expect(Date.parse(await seen())).toBe(firstMs)
  site.clock.move(minuteMs - 1)
  await widget({ origin }, id)
  site.clock.move(1)
  await widget({ origin }, id)
  while (Date.parse(await seen()) === firstMs) await Bun.sleep(1)
  expect(Date.parse(await seen())).toBe(firstMs + minuteMs)
})

test("removing the project removes the settings and the sighting", async () => {
  const { id } = (await api.post("/api/v1/projects", { name: "Parti", site: origin })).body
  await api.patch(`/api/v1/projects/${id}/widget-settings`, { title: "x" })
  await widget({ origin }, id)
  await api.delete(`/api/v1/projects/${id}`)
  const { db } = site.service.app
  for (const table of ["widget_settings", "widget_sighting"] as const)
    expect(await db.selectFrom(table).selectAll().where("project_id", "=", id).execute()).toEqual([])
})
