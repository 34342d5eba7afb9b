import { expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { dayMs, hourMs, minuteMs } from "../../../src/base/clock.ts"
import { purgeForms } from "../../../src/forms/responses/purge.ts"
import { strangerOf } from "../../support/api.ts"
import { confirmed, consentText, formsWithMails } from "../../support/form-mails.ts"
import { answered, contact, site } from "../../support/forms.ts"

const mailed = formsWithMails()

test("an unchecked box is no consent", async () => {
  const form = await mailed.forms.form({ consent: { text: consentText } })
  for (const consent of [undefined, "", "false", "0", false, null]) {
    await form.json({ nom: "Camille", consent })
    expect((await form.responses())[0].consent).toBeNull()
  }
})

test("a checked box is confirmed at once when the form asks for no confirmation", async () => {
  const form = await mailed.forms.form({ consent: { text: consentText } })
  await form.browser({ nom: "Camille", consent: "on" })
  const at = new Date(mailed.forms.clock.now()).toISOString()
  expect((await form.responses())[0].consent).toEqual({ status: "confirmed", text: consentText, at })
  expect(mailed.messages.sent.at(-1)?.data.consent).toEqual({ status: "confirmed", text: consentText, at })
})

test("the proof holds the wording that the page showed, after the form was reworded", async () => {
  const form = await mailed.forms.form({ consent: { text: consentText } })
  const html = (await mailed.forms.api.get(`/api/v1/forms/${form.id}/html`)).body
  const [, shown] = /name="consent" value="([^"]+)"/.exec(html) ?? []
  await mailed.forms.api.patch(`/api/v1/forms/${form.id}`, { consent: { text: "Un autre texte." } })
  await form.browser({ nom: "Camille", consent: shown as string })
  expect((await form.responses())[0].consent.text).toBe(consentText)
  await form.browser({ nom: "Camille", consent: "on" })
  expect((await form.responses())[0].consent.text).toBe("Un autre texte.")
  const box = async (consent: string) =>
    /<input[^>]*name="consent"[^>]*>/.exec((await form.browser({ consent })).body)?.[0]
  expect(await box("on")).toContain("checked")
  expect(await box(shown as string)).not.toContain("checked")
})

test("a double opt-in sends one mail; its link shows a button, and only the button confirms, once", async () => {
  const form = await mailed.forms.form(confirmed)
  const link = await mailed.linkFor(form)
  const checkedAt = new Date(mailed.forms.clock.now()).toISOString()
  const [taken] = mailed.mail.mails
  expect(taken?.to).toEqual(["camille@exemple.fr"])
  expect(taken?.headers.get("from")).toBe("Site <bonjour@exemple.fr>")
  expect(taken?.text).toContain(consentText)
  const status = async () => (await form.responses())[0].consent.status

  mailed.forms.clock.move(hourMs)
  const shown = await answered(link)
  expect([shown.status, shown.headers.get("referrer-policy")]).toEqual([200, "no-referrer"])
  expect(shown.body).toContain("<button")
  expect(await status()).toBe("pending")

  const done = await answered(link, { method: "POST" })
  expect([done.status, await status()]).toEqual([200, "confirmed"])
  expect((await form.responses())[0].consent.at).toBe(checkedAt)
  const [kept] = await mailed.forms.service.app.db
    .selectFrom("form_response")
    .select("consent_confirmed_at")
    .orderBy("id", "desc")
    .limit(1)
    .execute()
  expect(kept?.consent_confirmed_at).toBe(mailed.forms.clock.now())
  expect(mailed.messages.sent.at(-1)?.data.consent?.status).toBe("pending")

  const again = await answered(link, { method: "POST" })
  expect([again.status, again.body.includes("<h1>Accord confirmé</h1>")]).toEqual([410, true])
  expect((await answered(link)).status).toBe(410)
  expect(mailed.mail.mails).toHaveLength(1)
})

test("a link is worth nothing after seven days, and what stands in the database opens nothing", async () => {
  const form = await mailed.forms.form(confirmed)
  const link = await mailed.linkFor(form)
  const token = link.split("/").at(-1) as string
  const hash = createHash("sha256").update(token).digest("base64url")
  const { db } = mailed.forms.service.app
  const stored = await db.selectFrom("consent_token").selectAll().where("hash", "=", hash).execute()
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(token)
  expect((await answered(link.replace(token, hash))).status).toBe(404)
  mailed.forms.clock.move(7 * dayMs - 1)
  expect((await answered(link)).status).toBe(200)
  mailed.forms.clock.move(1)
  expect((await answered(link)).status).toBe(404)
  expect((await answered(link, { method: "POST" })).status).toBe(404)
  expect((await form.responses())[0].consent.status).toBe("pending")
})

test("who confirmed, and follows the link again weeks later, is not told to fill in the form anew", async () => {
  const form = await mailed.forms.form(confirmed)
  const link = await mailed.linkFor(form)
  await answered(link, { method: "POST" })
  mailed.forms.clock.move(30 * dayMs)
  await purgeForms(mailed.forms.service.app)
  const { status, body } = await answered(link)
  expect([status, body.includes("votre accord est confirmé")]).toEqual([410, true])
})

test("a visitor who tries links one after another is stopped", async () => {
  const pages = []
  for (let i = 0; i < 31; i++) pages.push(await answered(`${mailed.forms.service.url}/consent/x${i}`))
  expect(pages.slice(0, 30).map(({ status }) => status)).toEqual(Array(30).fill(404))
  expect(pages[30]?.status).toBe(429)
  expect(pages[30]?.body).toContain("<h1>Confirmer votre accord</h1>")
  mailed.forms.clock.move(minuteMs)
  expect((await answered(`${mailed.forms.service.url}/consent/x`)).status).toBe(404)
})

test("a checked box that needs a confirmation needs an address", async () => {
  const form = await mailed.forms.form(confirmed)
  const refused = await form.json({ nom: "Camille", consent: "on" })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["adresse"]])
})

test("a mail the server puts off is tried again, one it refuses for good is not", async () => {
  const form = await mailed.forms.form(confirmed)
  mailed.mail.status = 451
  await form.json({ nom: "Camille", adresse: "camille@exemple.fr", consent: "on" })
  await mailed.mail.refused(1)
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toHaveLength(0)
  mailed.mail.status = 250
  mailed.forms.clock.move(minuteMs)
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toHaveLength(1)
  expect(await mailed.forms.service.app.db.selectFrom("mail").selectAll().execute()).toEqual([])

  mailed.mail.status = 550
  await form.json({ nom: "Camille", adresse: "personne@exemple.fr", consent: "on" })
  await mailed.mail.refused(2)
  await mailed.forms.service.app.mailer.sendDue()
  mailed.mail.status = 250
  mailed.forms.clock.move(10 * dayMs)
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toHaveLength(1)
})

test("a mail that waits is unreadable in the database, and goes with its response", async () => {
  const form = await mailed.forms.form(confirmed)
  mailed.mail.status = 451
  const sent = await form.json({ nom: "Camille", adresse: "attente@exemple.fr", consent: "on" })
  await mailed.mail.refused(3)
  const { db, mailer } = mailed.forms.service.app
  await mailer.sendDue()
  const waiting = () => db.selectFrom("mail").selectAll().where("about", "=", sent.body.id).execute()
  expect(await waiting()).toHaveLength(1)
  expect(JSON.stringify(await waiting())).not.toContain("attente")
  await mailed.forms.api.delete(`/api/v1/forms/${form.id}/responses/${sent.body.id}`)
  expect(await waiting()).toEqual([])
})

test("a mail that waits goes with the workspace of its form", async () => {
  const { service } = mailed.forms
  const other = await strangerOf(service)
  const project = await other.post("/api/v1/projects", { name: "Site", site })
  const made = await other.post("/api/v1/forms", { ...contact, ...confirmed, project: project.body.id })
  mailed.mail.status = 451
  const sent = await answered(`${service.url}/f/${made.body.public_id}`, {
    method: "POST",
    headers: { origin: site },
    body: new URLSearchParams({ nom: "Camille", adresse: "espace@exemple.fr", consent: "on" }),
  })
  await service.app.mailer.sendDue()
  const waiting = () =>
    service.app.db.selectFrom("mail").selectAll().where("about", "=", sent.body.id).execute()
  expect(await waiting()).toHaveLength(1)
  expect((await other.delete(`/api/v1/workspaces/${other.workspaceId}`)).status).toBe(204)
  expect(await waiting()).toEqual([])
})

test("the thanks say that a mail asks to confirm, whether a page or a script shows them", async () => {
  const form = await mailed.forms.form(confirmed)
  const values = { nom: "Camille", adresse: "merci@exemple.fr" }
  const sent = await form.browser({ ...values, consent: "on" })
  const shown = await answered(`${mailed.forms.service.url}/f/${sent.headers.get("location")}`)
  expect(shown.body).toContain("Il vous reste à confirmer votre accord")
  expect((await form.json({ ...values, consent: "on" })).body.confirm).toContain("confirmer votre accord")
  const without = await form.browser(values)
  expect(
    (await answered(`${mailed.forms.service.url}/f/${without.headers.get("location")}`)).body,
  ).not.toContain("confirmer")
  expect((await form.json(values)).body.confirm).toBeUndefined()
  await mailed.mail.waitFor(2)
})
