import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { dayMs, hourMs, minuteMs } from "../../../src/base/clock.ts"
import { purgeForms } from "../../../src/forms/responses/purge.ts"
import { strangerOf } from "../../support/api.ts"
import {
  answered,
  contact,
  type FormSite,
  type MadeForm,
  publicUrl,
  recordedMessages,
  site,
} from "../../support/forms.ts"
import { signedIn } from "../../support/operator.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"
import { type MailServer, startMailServer } from "../../support/smtp.ts"

let forms: FormSite
let mail: MailServer
const messages = recordedMessages()
const text = "J’accepte de recevoir la lettre d’information."
const confirmed = { consent: { text, confirmation: true } }

beforeAll(async () => {
  mail = await startMailServer()
  const settings = { GUICHET_SMTP_URL: mail.url, GUICHET_MAIL_FROM: "Exemple <bonjour@exemple.fr>" }
  forms = await aService()
    .withSettings(settings)
    .withOverrides({ messageQueue: messages })
    .withForms()
    .started()
})
afterEach(() => {
  mail.mails.length = 0
  mail.status = 250
  forms.clock.move(2 * dayMs)
})
afterAll(async () => {
  await forms[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

/** Posts with the box checked, and returns the link from the mail. */
async function linkFor(form: MadeForm, adresse = "camille@exemple.fr"): Promise<string> {
  await form.json({ nom: "Camille", adresse, consent: "on" })
  const [taken] = await mail.waitFor(1)
  const [link = ""] = /https:\S+/.exec(taken?.text ?? "") ?? []
  expect(link).toStartWith(`${publicUrl}/consent/`)
  return link.replace(publicUrl, forms.service.url)
}

test("an unchecked box is no consent", async () => {
  const form = await forms.form({ consent: { text } })
  for (const consent of [undefined, "", "false", "0", false, null]) {
    await form.json({ nom: "Camille", consent })
    expect((await form.responses())[0].consent).toBeNull()
  }
})

test("a checked box is confirmed at once when the form asks for no confirmation", async () => {
  const form = await forms.form({ consent: { text } })
  await form.browser({ nom: "Camille", consent: "on" })
  const at = new Date(forms.clock.now()).toISOString()
  expect((await form.responses())[0].consent).toEqual({ status: "confirmed", text, at })
  expect(messages.sent.at(-1)?.data.consent).toEqual({ status: "confirmed", text, at })
})

test("the proof holds the wording that the page showed, after the form was reworded", async () => {
  const form = await forms.form({ consent: { text } })
  const html = (await forms.api.get(`/api/v1/forms/${form.id}/html`)).body
  const [, shown] = /name="consent" value="([^"]+)"/.exec(html) ?? []
  await forms.api.patch(`/api/v1/forms/${form.id}`, { consent: { text: "Un autre texte." } })
  await form.browser({ nom: "Camille", consent: shown as string })
  expect((await form.responses())[0].consent.text).toBe(text)
  await form.browser({ nom: "Camille", consent: "on" })
  expect((await form.responses())[0].consent.text).toBe("Un autre texte.")
  const box = async (consent: string) =>
    /<input[^>]*name="consent"[^>]*>/.exec((await form.browser({ consent })).body)?.[0]
  expect(await box("on")).toContain("checked")
  expect(await box(shown as string)).not.toContain("checked")
})

test("a double opt-in sends one mail; its link shows a button, and only the button confirms, once", async () => {
  const form = await forms.form(confirmed)
  const link = await linkFor(form)
  const checkedAt = new Date(forms.clock.now()).toISOString()
  const [taken] = mail.mails
  expect(taken?.to).toEqual(["camille@exemple.fr"])
  expect(taken?.headers.get("from")).toBe("Site <bonjour@exemple.fr>")
  expect(taken?.text).toContain(text)
  const status = async () => (await form.responses())[0].consent.status

  forms.clock.move(hourMs)
  const shown = await answered(link)
  expect([shown.status, shown.headers.get("referrer-policy")]).toEqual([200, "no-referrer"])
  expect(shown.body).toContain("<button")
  expect(await status()).toBe("pending")

  const done = await answered(link, { method: "POST" })
  expect([done.status, await status()]).toEqual([200, "confirmed"])
  expect((await form.responses())[0].consent.at).toBe(checkedAt)
  const [kept] = await forms.service.app.db
    .selectFrom("form_response")
    .select("consent_confirmed_at")
    .orderBy("id", "desc")
    .limit(1)
    .execute()
  expect(kept?.consent_confirmed_at).toBe(forms.clock.now())
  expect(messages.sent.at(-1)?.data.consent?.status).toBe("pending")

  const again = await answered(link, { method: "POST" })
  expect([again.status, again.body.includes("<h1>Accord confirmé</h1>")]).toEqual([410, true])
  expect((await answered(link)).status).toBe(410)
  expect(mail.mails).toHaveLength(1)
})

test("a link is worth nothing after seven days, and what stands in the database opens nothing", async () => {
  const form = await forms.form(confirmed)
  const link = await linkFor(form)
  const token = link.split("/").at(-1) as string
  const hash = createHash("sha256").update(token).digest("base64url")
  const { db } = forms.service.app
  const stored = await db.selectFrom("consent_token").selectAll().where("hash", "=", hash).execute()
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(token)
  expect((await answered(link.replace(token, hash))).status).toBe(404)
  forms.clock.move(7 * dayMs - 1)
  expect((await answered(link)).status).toBe(200)
  forms.clock.move(1)
  expect((await answered(link)).status).toBe(404)
  expect((await answered(link, { method: "POST" })).status).toBe(404)
  expect((await form.responses())[0].consent.status).toBe("pending")
})

test("who confirmed, and follows the link again weeks later, is not told to fill in the form anew", async () => {
  const form = await forms.form(confirmed)
  const link = await linkFor(form)
  await answered(link, { method: "POST" })
  forms.clock.move(30 * dayMs)
  await purgeForms(forms.service.app)
  const { status, body } = await answered(link)
  expect([status, body.includes("votre accord est confirmé")]).toEqual([410, true])
})

test("a visitor who tries links one after another is stopped", async () => {
  const pages = []
  for (let i = 0; i < 31; i++) pages.push(await answered(`${forms.service.url}/consent/x${i}`))
  expect(pages.slice(0, 30).map(({ status }) => status)).toEqual(Array(30).fill(404))
  expect(pages[30]?.status).toBe(429)
  expect(pages[30]?.body).toContain("<h1>Confirmer votre accord</h1>")
  forms.clock.move(minuteMs)
  expect((await answered(`${forms.service.url}/consent/x`)).status).toBe(404)
})

test("a checked box that needs a confirmation needs an address", async () => {
  const form = await forms.form(confirmed)
  const refused = await form.json({ nom: "Camille", consent: "on" })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["adresse"]])
})

test("a mail the server puts off is tried again, one it refuses for good is not", async () => {
  const form = await forms.form(confirmed)
  mail.status = 451
  await form.json({ nom: "Camille", adresse: "camille@exemple.fr", consent: "on" })
  await mail.refused(1)
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(0)
  mail.status = 250
  forms.clock.move(minuteMs)
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(1)
  expect(await forms.service.app.db.selectFrom("mail").selectAll().execute()).toEqual([])

  mail.status = 550
  await form.json({ nom: "Camille", adresse: "personne@exemple.fr", consent: "on" })
  await mail.refused(2)
  await forms.service.app.mailer.sendDue()
  mail.status = 250
  forms.clock.move(10 * dayMs)
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(1)
})

test("a mail that waits is unreadable in the database, and goes with its response", async () => {
  const form = await forms.form(confirmed)
  mail.status = 451
  const sent = await form.json({ nom: "Camille", adresse: "attente@exemple.fr", consent: "on" })
  await mail.refused(3)
  const { db, mailer } = forms.service.app
  await mailer.sendDue()
  const waiting = () => db.selectFrom("mail").selectAll().where("about", "=", sent.body.id).execute()
  expect(await waiting()).toHaveLength(1)
  expect(JSON.stringify(await waiting())).not.toContain("attente")
  await forms.api.delete(`/api/v1/forms/${form.id}/responses/${sent.body.id}`)
  expect(await waiting()).toEqual([])
})

test("a mail that waits goes with the workspace of its form", async () => {
  const { service } = forms
  const other = await strangerOf(service)
  const project = await other.post("/api/v1/projects", { name: "Site", site })
  const made = await other.post("/api/v1/forms", { ...contact, ...confirmed, project: project.body.id })
  mail.status = 451
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

test("nobody's mailbox is flooded: a sixth mail to one address within a day is not sent", async () => {
  const form = await forms.form(confirmed)
  for (let i = 0; i < 7; i++) await form.json({ nom: "Camille", adresse: "Cible@exemple.fr", consent: "on" })
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(5)
  expect(await form.responses()).toHaveLength(7)
})

test("marks that nobody sees make no other mailbox of it", async () => {
  const form = await forms.form(confirmed)
  for (let place = 0; place < 8; place++) {
    const adresse = `cible2@${"exemple.fr".slice(0, place)}\u00ad${"exemple.fr".slice(place)}`
    await form.json({ nom: "Camille", adresse, consent: "on" })
  }
  await forms.service.app.mailer.sendDue()
  expect(mail.mails.map(({ to }) => to)).toEqual(Array(5).fill(["cible2@exemple.fr"]))
})

test("what follows a plus, the case and the dots of Gmail make no other mailbox; a dot elsewhere does", async () => {
  const form = await forms.form(confirmed)
  const post = (adresse: string) => form.json({ nom: "Camille", adresse, consent: "on" })
  for (let number = 0; number < 7; number++) {
    expect((await post(`Victime+${number}@Exemple.fr`)).status).toBe(201)
    expect(
      (await post(`${number % 2 ? "vic.time" : "v.ictime"}+${number}@g${number % 3 ? "" : "oogle"}mail.com`))
        .status,
    ).toBe(201)
  }
  await post("vic.time@exemple.fr")
  await forms.service.app.mailer.sendDue()
  const to = mail.mails.map((one) => one.to[0] as string)
  expect(to.filter((address) => address.startsWith("Victime+"))).toHaveLength(5)
  expect(to.filter((address) => address.endsWith("mail.com"))).toHaveLength(5)
  expect(to.filter((address) => address === "vic.time@exemple.fr")).toHaveLength(1)
  // The limit lasts until the next day, not for some hours.
  forms.clock.move(5 * hourMs)
  await post("victime@exemple.fr")
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(11)
  forms.clock.move(dayMs)
  await post("victime@exemple.fr")
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(12)
})

test("whoever fills in the form cannot tell that no mail went; the page of the response says it", async () => {
  const form = await forms.form(confirmed)
  const operator = await signedIn(forms.service)
  const replies = []
  for (let number = 0; number < 6; number++)
    replies.push(await form.json({ nom: "Camille", adresse: "boite@exemple.fr", consent: "on" }))
  expect(replies.map(({ status, body }) => [status, Object.keys(body)])).toEqual(
    Array(6).fill([201, ["id", "confirm"]]),
  )
  expect((await form.responses()).map(({ consent }) => consent.status)).toEqual(Array(6).fill("pending"))
  const path = `/console/projects/${forms.projectId}/forms/${form.id}/responses`
  const [last, before] = await form.responses()
  const isSaid = async ({ id }: { id: string }) =>
    (await operator.get(`${path}/${id}`)).text.includes("Aucun e-mail de confirmation n’est parti")
  expect([await isSaid(last), await isSaid(before)]).toEqual([true, false])
  await forms.service.app.mailer.sendDue()
})

test("what people type cannot add a recipient, a header or a line to a mail", async () => {
  const form = await forms.form({ ...confirmed, name: "Lettre, <x@evil.fr> Bcc: y@evil.fr" })
  for (const adresse of [
    "a@exemple.fr\r\nBcc: evil@evil.fr",
    "a@exemple.fr, b@evil.fr",
    "<b@evil.fr>",
    "a@b.fr%0aBcc:x@evil.fr",
  ]) {
    const sent = await form.json({ nom: "x", adresse, consent: "on" })
    expect([adresse, sent.status]).toEqual([adresse, 400])
  }
  await linkFor(form, "o'neil+tag@exemple.fr")
  const [taken] = mail.mails
  expect(taken?.to).toEqual(["o'neil+tag@exemple.fr"])
  expect(taken?.headers.get("bcc")).toBeUndefined()
  expect(taken?.headers.get("subject")).toContain("Bcc: y@evil.fr")
})

test("what the spam guard stops sends no mail until it is accepted", async () => {
  const form = await forms.form({ ...confirmed, owner_mail: { to: "patron@exemple.fr" } })
  const values = { nom: "Camille", adresse: "retenue@exemple.fr", consent: "on", guichet_trap: "x" }
  const { body } = await form.json(values)
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toEqual([])
  await forms.api.post(`/api/v1/forms/${form.id}/responses/${body.id}/acceptance`)
  const taken = await mail.waitFor(2)
  expect(taken.map(({ to }) => to[0]).sort()).toEqual(["patron@exemple.fr", "retenue@exemple.fr"])
})

test("the owner is told, with a link or with what was typed", async () => {
  const discreet = await forms.form({ owner_mail: { to: "patron@exemple.fr" } })
  await discreet.json({ nom: "Camille", message: "Bonjour\n.\nQUIT" })
  const [told] = await mail.waitFor(1)
  expect(told?.to).toEqual(["patron@exemple.fr"])
  expect(told?.text).toContain(
    `${publicUrl}/console/projects/${forms.projectId}/forms/${discreet.id}/responses/resp_`,
  )
  expect(told?.text).not.toContain("Camille")
  const open = await forms.form({ owner_mail: { to: "patron@exemple.fr", contents: true } })
  await open.json({ nom: "Camille", message: "Bonjour\n.\nQUIT" })
  const [, second] = await mail.waitFor(2)
  expect(second?.text.replaceAll("\r\n", "\n")).toContain("Votre message\u00a0:\nBonjour\n.\nQUIT")
})

test("the notice is answered to the person who wrote, and says so only then", async () => {
  const form = await forms.form({ owner_mail: { to: "patron@exemple.fr" } })
  await form.json({ nom: "Camille", adresse: "o'neil+tag@exemple.fr" })
  const [told] = await mail.waitFor(1)
  expect(told?.headers.get("reply-to")).toBe("o'neil+tag@exemple.fr")
  expect(told?.text).toContain("Répondez à cet e-mail")
  expect(told?.to).toEqual(["patron@exemple.fr"])
  await form.json({ nom: "Sans adresse" })
  const [, silent] = await mail.waitFor(2)
  expect([silent?.headers.get("reply-to"), silent?.text.includes("Répondez")]).toEqual([undefined, false])
})

test("what an older version stored as an address never becomes a header", async () => {
  const form = await forms.form({ owner_mail: { to: "patron@exemple.fr" } })
  const { body } = await form.json({ nom: "x", adresse: "a@exemple.fr", guichet_trap: "x" })
  for (const email of ["a@b.fr\r\nBcc: z@evil.fr", "a@b.fr, z@evil.fr", "<z@evil.fr>"]) {
    const { app } = forms.service
    await app.db
      .updateTable("form_response")
      .set({ email, state: "unwanted" })
      .where("id", "=", body.id)
      .execute()
    await forms.api.post(`/api/v1/forms/${form.id}/responses/${body.id}/acceptance`)
    await mail.waitFor(1)
    const [taken] = mail.mails.splice(0)
    expect(taken?.headers.get("reply-to")).toBeUndefined()
    expect(taken?.raw).not.toContain("evil.fr")
  }
})

test("each mail says which site it is from, as text and as HTML, and what people type is no markup", async () => {
  const form = await forms.form({ ...confirmed, owner_mail: { to: "patron@exemple.fr", contents: true } })
  await form.json({ nom: "<b>Camille</b>", adresse: "camille@exemple.fr", consent: "on" })
  const taken = await mail.waitFor(2)
  for (const { headers, text: plain, html } of taken) {
    expect(headers.get("content-type")).toStartWith("multipart/alternative")
    expect(plain).toContain("Site")
    expect(html).toContain(`href="${site}"`)
    expect(html).not.toMatch(/<img|<script|src=/)
  }
  const notice = taken.find(({ to }) => to[0] === "patron@exemple.fr")
  expect(notice?.html).toContain("&lt;b>Camille&lt;/b>")
  const [, link] =
    /href="([^"]+\/consent\/[^"]+)"/.exec(
      taken.find(({ to }) => to[0] !== "patron@exemple.fr")?.html ?? "",
    ) ?? []
  expect((await answered((link as string).replace(publicUrl, forms.service.url))).status).toBe(200)
})

test("a receipt goes to the address that was typed, shows nothing else of it, and goes with the response", async () => {
  const form = await forms.form({ receipt: true, thanks: "Nous répondons sous deux jours." })
  await form.json({ nom: "Achetez ici", adresse: "camille@exemple.fr", message: "https://spam.example" })
  const [receipt] = await mail.waitFor(1)
  expect(receipt?.to).toEqual(["camille@exemple.fr"])
  expect(receipt?.headers.get("subject")).toBe("Bien reçu\u00a0: votre envoi à Site")
  expect(receipt?.text).toContain("Nous répondons sous deux jours.")
  expect(`${receipt?.text}${receipt?.html}`).not.toMatch(/Achetez|spam/)
  expect(receipt?.headers.get("auto-submitted")).toBe("auto-generated")
  await form.json({ nom: "Sans adresse" })
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(1)

  mail.status = 451
  const { body } = await form.json({ nom: "Camille", adresse: "effacee@exemple.fr" })
  const waiting = () =>
    forms.service.app.db.selectFrom("mail").select("id").where("about", "=", body.id).execute()
  await forms.service.app.mailer.sendDue()
  expect(await waiting()).toHaveLength(1)
  await forms.api.delete(`/api/v1/forms/${form.id}/responses/${body.id}`)
  expect(await waiting()).toEqual([])
})

test("nobody is flooded with receipts, and consents are still asked to be confirmed", async () => {
  const plain = await forms.form({ receipt: true })
  const adresse = "victime@exemple.fr"
  for (let number = 0; number < 6; number++)
    await plain.json({ nom: "x", adresse: `victime+${number}@exemple.fr` })
  const both = await forms.form({ ...confirmed, receipt: true })
  for (let number = 0; number < 4; number++) await both.json({ nom: "x", adresse, consent: "on" })
  await forms.service.app.mailer.sendDue()
  const subjects = mail.mails.map(({ headers }) => headers.get("subject")?.slice(0, 9))
  expect(subjects).toEqual([...Array(3).fill("Bien reçu"), ...Array(2).fill("Confirmez")])
  // One mail for both: it says that the response arrived, too.
  expect(mail.mails.at(-1)?.text).toContain("est bien arrivé")
})

test("what the spam guard stops gets no receipt, and a form without an address to send one to none either", async () => {
  const form = await forms.form({ receipt: true })
  await form.json({ nom: "x", adresse: "a@exemple.fr", guichet_trap: "x" })
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toEqual([])
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const refused = await forms.api.post("/api/v1/forms", {
    project: forms.projectId,
    name: "x",
    fields,
    receipt: true,
  })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["receipt"]])
})

test("the thanks say that a mail asks to confirm, whether a page or a script shows them", async () => {
  const form = await forms.form(confirmed)
  const values = { nom: "Camille", adresse: "merci@exemple.fr" }
  const sent = await form.browser({ ...values, consent: "on" })
  const shown = await answered(`${forms.service.url}/f/${sent.headers.get("location")}`)
  expect(shown.body).toContain("Il vous reste à confirmer votre accord")
  expect((await form.json({ ...values, consent: "on" })).body.confirm).toContain("confirmer votre accord")
  const without = await form.browser(values)
  expect((await answered(`${forms.service.url}/f/${without.headers.get("location")}`)).body).not.toContain(
    "confirmer",
  )
  expect((await form.json(values)).body.confirm).toBeUndefined()
  await mail.waitFor(2)
})

test("without a mail server, no form that needs one can be made", async () => {
  await using bare = await aService().withOverrides({ messageQueue: messages }).withForms().started()
  const described = { project: bare.projectId, ...contact }
  const refused = await bare.api.post("/api/v1/forms", { ...described, ...confirmed })
  expect(refused.status).toBe(400)
  expect(refused.body.error.fields["consent.confirmation"]).toContain("GUICHET_SMTP_URL")
  for (const needy of [{ owner_mail: { to: "a@exemple.fr" } }, { receipt: true }])
    expect((await bare.api.post("/api/v1/forms", { ...described, ...needy })).status).toBe(400)
})

test("a form that needs a mail server can still be changed once there is none, and asks for no more of it", async () => {
  using folder = temporaryFolder()
  const settings = { GUICHET_DATA_DIR: folder.path }
  const withMail = { ...settings, GUICHET_SMTP_URL: mail.url, GUICHET_MAIL_FROM: "bonjour@exemple.fr" }
  const ids: string[] = []
  {
    await using before = await aService()
      .withSettings(withMail)
      .withOverrides({ messageQueue: messages })
      .withForms()
      .started()
    ids.push((await before.form({ ...confirmed, owner_mail: { to: "a@exemple.fr" } })).id)
    ids.push((await before.form({ consent: { text } })).id)
  }
  await using after = await aService()
    .withSettings(settings)
    .withOverrides({ messageQueue: messages })
    .withForms()
    .started()
  const [told, quiet] = ids.map((id) => `/api/v1/forms/${id}`) as [string, string]
  const change = { name: "Autrement", ...confirmed, owner_mail: { to: "b@exemple.fr" } }
  const changed = await after.api.patch(told, change)
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject(change)
  const refused = await after.api.patch(quiet, change)
  expect(Object.keys(refused.body.error.fields)).toEqual(["consent.confirmation", "owner_mail"])
})
