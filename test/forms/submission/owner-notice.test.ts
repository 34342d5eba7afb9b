import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { dayMs, minuteMs } from "../../../src/base/clock.ts"
import { digestAfterMs, sendDigests } from "../../../src/forms/submission/owner-notice.ts"
import { contents, filledIn } from "../../support/files.ts"
import { type FormSite, publicUrl, site } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"
import { type MailServer, startMailServer } from "../../support/smtp.ts"

let forms: FormSite
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  forms = await aService().withSettings({ GUICHET_SMTP_URL: mail.url }).withForms().started()
})
afterEach(async () => {
  await forms.service.app.mailer.sendDue()
  mail.mails.length = 0
  forms.clock.move(2 * dayMs)
})
afterAll(async () => {
  await forms[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

test("many responses in a short time are told to the owner together", async () => {
  const form = await forms.form({ owner_mail: { to: "patron@exemple.fr", contents: true } })
  const { app } = forms.service
  const tell = async () => {
    await sendDigests(app)
    await app.mailer.sendDue()
  }
  for (let number = 0; number < 25; number++) await form.json({ nom: `Camille ${number}` })
  await tell()
  expect(mail.mails.map(({ headers }) => headers.get("subject"))).toEqual(
    Array(5).fill("Nouveau message\u00a0: Contact (Site)"),
  )
  forms.clock.move(digestAfterMs - 1)
  await tell()
  expect(mail.mails).toHaveLength(5)
  forms.clock.move(1)
  await tell()
  await tell()
  expect(mail.mails).toHaveLength(6)
  const digest = mail.mails[5]
  expect(digest?.headers.get("subject")).toBe("Nouveaux messages (20)\u00a0: Contact (Site)")
  expect(digest?.text).toContain(`${publicUrl}/console/projects/${forms.projectId}/forms/${form.id}`)
  expect(digest?.text).not.toContain("Camille")
  // Another form has a limit of its own.
  const other = await forms.form({ owner_mail: { to: "patron@exemple.fr" }, name: "Autre" })
  await other.json({ nom: "Camille" })
  await tell()
  expect(mail.mails[6]?.headers.get("subject")).toBe("Nouveau message\u00a0: Autre (Site)")
  await forms.api.patch(`/api/v1/forms/${form.id}`, { owner_mail: null })
})

test("the mail names the files, with where they are in the console, and carries none", async () => {
  const fields = [{ name: "cv", label: "Votre CV", type: "file" }]
  const form = await forms.form({ fields, owner_mail: { to: "patron@exemple.fr", contents: true } })
  const body = filledIn({}, ["cv", "mon cv.pdf", contents.pdf])
  const { id } = (await form.send({ headers: { origin: site }, body })).body
  await forms.service.app.mailer.sendDue()
  const [{ files }] = await form.responses()
  const page = `${publicUrl}/console/projects/${forms.projectId}/forms/${form.id}/responses/${id}`
  expect(mail.mails[0]?.text).toContain("mon cv.pdf")
  expect(mail.mails[0]?.text).toContain(`${page}/files/${files[0].id}`)
  expect(mail.mails[0]?.html).toMatch(
    new RegExp(`<a [^>]*href="${page}/files/${files[0].id}"[^>]*>mon cv.pdf</a>`),
  )
  expect(mail.mails[0]?.text).not.toContain(`${publicUrl}/files/`)
})

test("a flood of six hours becomes some sixty mails to the owner, whatever its size", async () => {
  const form = await forms.form({ owner_mail: { to: "patron@exemple.fr" } })
  const { app } = forms.service
  for (let minute = 0; minute < 6 * 60; minute += 5) {
    await Promise.all([form.json({ nom: "a" }), form.json({ nom: "b" }), form.json({ nom: "c" })])
    await sendDigests(app)
    forms.clock.move(5 * minuteMs)
  }
  await app.mailer.sendDue()
  expect(mail.mails.length).toBeLessThan(70)
  const told = mail.mails.map(({ headers }) =>
    Number(/\((\d+)\)/.exec(headers.get("subject") ?? "")?.[1] ?? 1),
  )
  const waiting = await app.db.selectFrom("form_notice").select("waiting").executeTakeFirst()
  expect(told.reduce((sum, one) => sum + one, waiting?.waiting ?? 0)).toBe((6 * 60 * 3) / 5)
})

test("a mail shows the owner as much of a response as a mail may hold", async () => {
  const form = await forms.form({ owner_mail: { to: "patron@exemple.fr", contents: true } })
  await form.json({ nom: "Camille", message: "a".repeat(100_000) })
  const [told] = await mail.waitFor(1)
  expect(told?.text.length).toBeLessThan(25_000)
  expect(told?.text).toContain("La suite de ce texte se lit dans la console.")
})
