import { afterAll, beforeAll, expect, test } from "bun:test"
import { findWidgetSettings } from "../../../src/accounts/widget/settings.ts"
import { hourMs, minuteMs } from "../../../src/base/clock.ts"
import { apiOf } from "../../support/api.ts"
import { answerable, foreign, origin, type Site } from "../../support/ask.ts"
import { manyPosts } from "../../support/many-posts.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// « Apparence », one of a project's pages.

let site: Site
let client: ConsoleClient
let path: string
beforeAll(async () => {
  site = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "https://guichet.exemple.fr", ...manyPosts })
    .withIndexedProject()
    .started()
  client = await signedIn(site.service)
  path = `/console/projects/${site.project.id}/appearance`
})
afterAll(() => site[Symbol.asyncDispose]())

const usual = {
  title: "",
  introduction: "",
  color: "#0b5c8a",
  position: "right",
  theme: "site",
  button: "",
  language: "",
  suggestion_1: "",
  suggestion_2: "",
  suggestion_3: "",
  contact: "",
}
const settings = async () => (await findWidgetSettings(site.service.app.db, site.project.id)).settings

test("shows the snippet, and when a page last loaded the widget", async () => {
  const before = (await client.get(path)).text
  expect(before).toContain(`https://guichet.exemple.fr/widget.js`)
  expect(before).toContain(`data-project=&quot;${site.project.id}&quot; defer`)
  expect(before).toContain("pas encore vu")
  await site.send({ method: "GET", headers: { origin } }, `/api/v1/projects/${site.project.id}/widget`)
  for (const [ms, said] of [
    [0, "installé, vu à l’instant"],
    [2 * minuteMs, "installé, vu il y a 2\u00a0min"],
    [3 * hourMs, "installé, vu il y a 3\u00a0h"],
  ] as const) {
    site.clock.move(ms)
    while (!(await client.get(path)).text.includes(said)) await Bun.sleep(1)
  }
})

test("what is saved is shown again and delivered; the usual colour is none", async () => {
  const saved = await client.post(path, {
    ...usual,
    title: " Aide ",
    color: "#FFE14D",
    theme: "dark",
    button: "Une question ?",
    language: "en",
    suggestion_2: "Une question ?",
  })
  expect([saved.status, saved.location]).toEqual([303, `${path}?done=saved`])
  expect(await settings()).toEqual({
    title: "Aide",
    introduction: null,
    suggestions: ["Une question ?"],
    color: "#ffe14d",
    position: "right",
    theme: "dark",
    button: "Une question ?",
    language: "en",
    logo: null,
    contact: null,
    search: false,
    look: "guichet",
    stateSite: false,
  })
  const { text } = await client.get(`${path}?done=saved`)
  expect(text).toContain("L’apparence est enregistrée.")
  expect(text).toContain(`<iframe src="${path}/preview?"`)
  await client.post(path, usual)
  expect((await settings()).color).toBeNull()
})

test("the preview is a page of ours alone, whose widget has what is typed, and no answer", async () => {
  const typed = new URLSearchParams({
    title: "Aide",
    button: "Aidez-moi",
    theme: "dark",
    color: "rouge",
    suggestion_1: "Où ?",
    language: "en",
    search: "on",
  })
  const shown = await client.get(`${path}/preview?${typed}`)
  expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'self'")
  expect(shown.headers.get("x-frame-options")).toBe("SAMEORIGIN")
  const [, folder = ""] = /<script src="([^"]+)\/widget\.js" data-project=/.exec(shown.text) ?? []
  const script = await client.get(`${folder}/widget.js`)
  expect([script.status, script.location]).toEqual([303, "/widget.js"])
  const look = JSON.parse((await client.get(`${folder}/api/v1/projects/${site.project.id}/widget`)).text)
  // A colour that is none stays what it was.
  expect(look.button).toBe("Aidez-moi")
  expect(look).toMatchObject({
    title: "Aide",
    theme: "dark",
    color: null,
    suggestions: ["Où ?"],
    contact: false,
    search: true,
  })
  expect([look.language, look.texts.en.assistant]).toEqual(["en", "Documentation assistant"])
  expect((await settings()).title).toBeNull()
  const asked = await site.send({ body: "{}" }, `${folder}/api/v1/ask`)
  expect([asked.status, asked.body]).toEqual([200, expect.stringContaining("Ceci est un aperçu")])
  const later = await client.get(`${folder}/search/${"0".repeat(16)}.js`)
  expect([later.status, later.location]).toEqual([303, `/search/${"0".repeat(16)}.js`])
  const searched = await site.send({ body: "{}" }, `${folder}/api/v1/search`)
  expect(searched.body.items[0].title.text).toBe("Une page de votre site")
  const other = await fetch(`${site.service.url}${folder}/api/v1/projects/x/widget`, { redirect: "manual" })
  expect(other.status).toBe(303)
})

test("questions asked again and again, and answered, are proposed; none is shown before it is ticked", async () => {
  const often = "Comment vérifier la signature d’un webhook\u202f?"
  for (const question of [often, often, foreign, foreign, "Comment installer Guichet ?"])
    await site.ask({ question })
  const { text } = await client.get(path)
  const proposed = [...text.matchAll(/name="frequent" value="([^"]*)"/g)].map(([, value]) => value)
  // Kept with an ordinary blank.
  expect(proposed).toEqual([often.replace("\u202f", " ")])
  expect(text).not.toContain("checked")
  expect((await settings()).suggestions).toEqual([])
  await client.post(path, { ...usual, suggestion_3: "Une autre ?", frequent: often })
  expect((await settings()).suggestions).toEqual(["Une autre ?", often])
  expect((await client.get(path)).text).not.toContain('name="frequent"')
  const full = { suggestion_1: "Un ?", suggestion_2: "Deux ?", suggestion_3: "Trois ?", frequent: answerable }
  const refused = await client.post(path, { ...usual, ...full })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("Proposez 3 questions au plus.")
  expect(refused.text).toContain('value="Deux ?"')
  expect((await settings()).suggestions).toHaveLength(2)
})

test("the owner chooses a form and its field; one of another project is refused", async () => {
  const api = await apiOf(site.service)
  expect((await client.get(path)).text).toContain("Ce projet n’a pas encore de formulaire.")
  const fields = [
    { name: "sujet", label: "Sujet", type: "text" },
    { name: "message", label: "Votre message", type: "textarea" },
  ]
  const form = (await api.post("/api/v1/forms", { project: site.project.id, name: "Contact", fields })).body
  const { text } = await client.get(path)
  expect(text).toContain("Contact\u00a0: dans «\u00a0Votre message\u00a0»")
  expect(text).toContain("Contact\u00a0: dans «\u00a0Sujet\u00a0»")
  await client.post(path, { ...usual, contact: `${form.id} sujet` })
  expect((await settings()).contact).toEqual({ formId: form.id, field: "sujet" })
  const other = (await api.post("/api/v1/projects", { name: "Autre", site: origin })).body
  const theirs = (await api.post("/api/v1/forms", { project: other.id, name: "Contact", fields })).body
  const refused = await client.post(path, { ...usual, contact: `${theirs.id} message` })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("Choisissez un formulaire de ce projet.")
  expect((await settings()).contact?.formId).toBe(form.id)
})

test("a change of somebody else meanwhile is not overwritten unseen", async () => {
  const { text } = await client.get(path)
  const seen = /name="guichet_seen" value="([^"]+)"/.exec(text)?.[1] as string
  const api = await apiOf(site.service)
  await api.patch(`/api/v1/projects/${site.project.id}/widget-settings`, { title: "Entre-temps" })
  const refused = await client.post(path, { ...usual, title: "Trop tard", guichet_seen: seen })
  expect(refused.status).toBe(409)
  expect((await settings()).title).toBe("Entre-temps")
})

test("a viewer sees the page and changes nothing; the audit log names who did", async () => {
  const viewer = await signedIn(site.service, "viewer")
  expect((await viewer.get(path)).status).toBe(200)
  expect((await viewer.post(path, usual)).status).toBe(403)
  expect((await client.get("/console/journal")).text).toContain(
    "a modifié l’apparence de la fenêtre d’un site",
  )
})
