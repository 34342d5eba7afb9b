import { expect, test } from "bun:test"
import { confirmed, consentText, formsWithMails } from "../../support/form-mails.ts"
import { answered, contact, publicUrl, site } from "../../support/forms.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const mailed = formsWithMails()

test("what people type cannot add a recipient, a header or a line to a mail", async () => {
  const form = await mailed.forms.form({ ...confirmed, name: "Lettre, <x@evil.fr> Bcc: y@evil.fr" })
  for (const adresse of [
    "a@exemple.fr\r\nBcc: evil@evil.fr",
    "a@exemple.fr, b@evil.fr",
    "<b@evil.fr>",
    "a@b.fr%0aBcc:x@evil.fr",
  ]) {
    const sent = await form.json({ nom: "x", adresse, consent: "on" })
    expect([adresse, sent.status]).toEqual([adresse, 400])
  }
  await mailed.linkFor(form, "o'neil+tag@exemple.fr")
  const [taken] = mailed.mail.mails
  expect(taken?.to).toEqual(["o'neil+tag@exemple.fr"])
  expect(taken?.headers.get("bcc")).toBeUndefined()
  expect(taken?.headers.get("subject")).toContain("Bcc: y@evil.fr")
})

test("what the spam guard stops sends no mail until it is accepted", async () => {
  const form = await mailed.forms.form({ ...confirmed, owner_mail: { to: "patron@exemple.fr" } })
  const values = { nom: "Camille", adresse: "retenue@exemple.fr", consent: "on", guichet_trap: "x" }
  const { body } = await form.json(values)
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toEqual([])
  await mailed.forms.api.post(`/api/v1/forms/${form.id}/responses/${body.id}/acceptance`)
  const taken = await mailed.mail.waitFor(2)
  expect(taken.map(({ to }) => to[0]).sort()).toEqual(["patron@exemple.fr", "retenue@exemple.fr"])
})

test("the owner is told, with a link or with what was typed", async () => {
  const discreet = await mailed.forms.form({ owner_mail: { to: "patron@exemple.fr" } })
  await discreet.json({ nom: "Camille", message: "Bonjour\n.\nQUIT" })
  const [told] = await mailed.mail.waitFor(1)
  expect(told?.to).toEqual(["patron@exemple.fr"])
  expect(told?.text).toContain(
    `${publicUrl}/console/projects/${mailed.forms.projectId}/forms/${discreet.id}/responses/resp_`,
  )
  expect(told?.text).not.toContain("Camille")
  const open = await mailed.forms.form({ owner_mail: { to: "patron@exemple.fr", contents: true } })
  await open.json({ nom: "Camille", message: "Bonjour\n.\nQUIT" })
  const [, second] = await mailed.mail.waitFor(2)
  expect(second?.text.replaceAll("\r\n", "\n")).toContain("Votre message\u00a0:\nBonjour\n.\nQUIT")
})

test("the notice is answered to the person who wrote, and says so only then", async () => {
  const form = await mailed.forms.form({ owner_mail: { to: "patron@exemple.fr" } })
  await form.json({ nom: "Camille", adresse: "o'neil+tag@exemple.fr" })
  const [told] = await mailed.mail.waitFor(1)
  expect(told?.headers.get("reply-to")).toBe("o'neil+tag@exemple.fr")
  expect(told?.text).toContain("Répondez à cet e-mail")
  expect(told?.to).toEqual(["patron@exemple.fr"])
  await form.json({ nom: "Sans adresse" })
  const [, silent] = await mailed.mail.waitFor(2)
  expect([silent?.headers.get("reply-to"), silent?.text.includes("Répondez")]).toEqual([undefined, false])
})

test("what an older version stored as an address never becomes a header", async () => {
  const form = await mailed.forms.form({ owner_mail: { to: "patron@exemple.fr" } })
  const { body } = await form.json({ nom: "x", adresse: "a@exemple.fr", guichet_trap: "x" })
  for (const email of ["a@b.fr\r\nBcc: z@evil.fr", "a@b.fr, z@evil.fr", "<z@evil.fr>"]) {
    const { app } = mailed.forms.service
    await app.db
      .updateTable("form_response")
      .set({ email, state: "unwanted" })
      .where("id", "=", body.id)
      .execute()
    await mailed.forms.api.post(`/api/v1/forms/${form.id}/responses/${body.id}/acceptance`)
    await mailed.mail.waitFor(1)
    const [taken] = mailed.mail.mails.splice(0)
    expect(taken?.headers.get("reply-to")).toBeUndefined()
    expect(taken?.raw).not.toContain("evil.fr")
  }
})

test("each mail says which site it is from, as text and as HTML, and what people type is no markup", async () => {
  const form = await mailed.forms.form({
    ...confirmed,
    owner_mail: { to: "patron@exemple.fr", contents: true },
  })
  await form.json({ nom: "<b>Camille</b>", adresse: "camille@exemple.fr", consent: "on" })
  const taken = await mailed.mail.waitFor(2)
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
  expect((await answered((link as string).replace(publicUrl, mailed.forms.service.url))).status).toBe(200)
})

test("a receipt goes to the address that was typed, shows nothing else of it, and goes with the response", async () => {
  const form = await mailed.forms.form({ receipt: true, thanks: "Nous répondons sous deux jours." })
  await form.json({ nom: "Achetez ici", adresse: "camille@exemple.fr", message: "https://spam.example" })
  const [receipt] = await mailed.mail.waitFor(1)
  expect(receipt?.to).toEqual(["camille@exemple.fr"])
  expect(receipt?.headers.get("subject")).toBe("Bien reçu\u00a0: votre envoi à Site")
  expect(receipt?.text).toContain("Nous répondons sous deux jours.")
  expect(`${receipt?.text}${receipt?.html}`).not.toMatch(/Achetez|spam/)
  expect(receipt?.headers.get("auto-submitted")).toBe("auto-replied")
  // Exchange's absences and receipts heed this header alone.
  expect(receipt?.headers.get("x-auto-response-suppress")).toBe("DR, RN, NRN, OOF, AutoReply")
  await form.json({ nom: "Sans adresse" })
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toHaveLength(1)

  mailed.mail.status = 451
  const { body } = await form.json({ nom: "Camille", adresse: "effacee@exemple.fr" })
  const waiting = () =>
    mailed.forms.service.app.db.selectFrom("mail").select("id").where("about", "=", body.id).execute()
  await mailed.forms.service.app.mailer.sendDue()
  expect(await waiting()).toHaveLength(1)
  await mailed.forms.api.delete(`/api/v1/forms/${form.id}/responses/${body.id}`)
  expect(await waiting()).toEqual([])
})

test("what the spam guard stops gets no receipt, and a form without an address to send one to none either", async () => {
  const form = await mailed.forms.form({ receipt: true })
  await form.json({ nom: "x", adresse: "a@exemple.fr", guichet_trap: "x" })
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toEqual([])
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const refused = await mailed.forms.api.post("/api/v1/forms", {
    project: mailed.forms.projectId,
    name: "x",
    fields,
    receipt: true,
  })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["receipt"]])
})

test("without a mail server, no form that needs one can be made", async () => {
  await using bare = await aService().withOverrides({ messageQueue: mailed.messages }).withForms().started()
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
  const withMail = { ...settings, GUICHET_SMTP_URL: mailed.mail.url, GUICHET_MAIL_FROM: "bonjour@exemple.fr" }
  const ids: string[] = []
  {
    await using before = await aService()
      .withSettings(withMail)
      .withOverrides({ messageQueue: mailed.messages })
      .withForms()
      .started()
    ids.push((await before.form({ ...confirmed, owner_mail: { to: "a@exemple.fr" } })).id)
    ids.push((await before.form({ consent: { text: consentText } })).id)
  }
  await using after = await aService()
    .withSettings(settings)
    .withOverrides({ messageQueue: mailed.messages })
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
