import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { dayMs } from "../../../src/base/clock.ts"
import { strangerOf } from "../../support/api.ts"
import { contact, type FormSite, publicUrl } from "../../support/forms.ts"
import { signedIn } from "../../support/operator.ts"
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

const subjects = () =>
  mail.mails.map(({ to, headers }) => [to[0], headers.get("subject")?.split("\u00a0")[0]])
const made = async (described: object) =>
  (await forms.api.post("/api/v1/forms", { project: forms.projectId, ...contact, ...described })).body
const post = (publicId: string) =>
  fetch(`${forms.url}/f/${publicId}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://www.exemple.fr" },
    body: JSON.stringify({ nom: "Camille" }),
  })
/** Follows the link in the newest mail to this address. */
async function follow(to: string) {
  const text = mail.mails.findLast((each) => each.to[0] === to)?.text ?? ""
  const link = new RegExp(`${publicUrl}(/notice/[\\w-]+)`).exec(text)?.[1]
  const page = await (await fetch(forms.url + link)).text()
  const done = await fetch(forms.url + link, { method: "POST" })
  return { page, done: [done.status, await done.text()] as const }
}

test("each of several addresses is told about responses once it has confirmed", async () => {
  const form = await made({ notify: ["a@exemple.fr", "b@exemple.fr", "A@exemple.fr"] })
  expect(form).toMatchObject({ notify: ["A@exemple.fr", "b@exemple.fr"] })
  expect(form.notify_pending).toEqual(form.notify)
  await mail.waitFor(2)
  await post(form.public_id)
  await forms.service.app.mailer.sendDue()
  expect(subjects().map(([, subject]) => subject)).toEqual(
    Array(2).fill("Recevoir les messages de ce formulaire\u202f?"),
  )

  const { page, done } = await follow("b@exemple.fr")
  expect(page).toContain('<button type="submit">Recevoir ces e-mails</button>')
  expect(done[0]).toBe(200)
  expect((await follow("b@exemple.fr")).done[0]).toBe(404)
  expect((await forms.api.get(`/api/v1/forms/${form.id}`)).body.notify_pending).toEqual(["A@exemple.fr"])
  mail.mails.length = 0
  await post(form.public_id)
  await mail.waitFor(1)
  expect(subjects()).toEqual([["b@exemple.fr", "Nouveau message"]])
})

test("who has confirmed for a form of the workspace is not asked again, and no address twice a week", async () => {
  const first = await made({ notify: ["chef@exemple.fr"] })
  await mail.waitFor(1)
  await forms.api.patch(`/api/v1/forms/${first.id}`, { name: "Autrement" })
  await forms.service.app.mailer.sendDue()
  expect(mail.mails).toHaveLength(1)
  await follow("chef@exemple.fr")
  expect((await made({ notify: ["chef@exemple.fr"] })).notify_pending).toEqual([])
  const late = await made({ notify: ["tard@exemple.fr"] })
  await mail.waitFor(2)
  forms.clock.move(8 * dayMs)
  expect((await follow("tard@exemple.fr")).done[0]).toBe(404)
  await forms.api.patch(`/api/v1/forms/${late.id}`, { name: "Encore" })
  await mail.waitFor(3)
})

test("callers that know one address go on being understood", async () => {
  const form = await made({ owner_mail: { to: "un@exemple.fr", contents: true } })
  expect(form).toMatchObject({ notify: ["un@exemple.fr"], notify_contents: true })
  const change = async (body: object) => (await forms.api.patch(`/api/v1/forms/${form.id}`, body)).body
  // A reply may be sent back with either of both changed.
  const other = await change({ ...form, owner_mail: { to: "deux@exemple.fr", contents: true } })
  expect(other).toMatchObject({ notify: ["deux@exemple.fr"], notify_contents: true })
  const both = await change({
    ...other,
    notify: ["deux@exemple.fr", "un@exemple.fr"],
    notify_contents: false,
  })
  expect(both).toMatchObject({
    notify: ["deux@exemple.fr", "un@exemple.fr"],
    owner_mail: { to: "deux@exemple.fr", contents: false },
  })
  expect(await change({ owner_mail: null })).toMatchObject({ notify: [], owner_mail: null })
  for (const [name, given] of Object.entries({
    owner_mail: { wrong: true },
    notify: ["un@exemple.fr", 1, "x"],
  })) {
    const { error } = await change({ [name]: given })
    expect([error.code, Object.keys(error.fields)[0]?.split(".")[0]]).toEqual(["invalid_request", name])
  }
  await change({ owner_mail: { to: "un@exemple.fr" } })
  const typed = await change({ owner_mail: { wrong: true } })
  expect(typed.error.code).toBe("invalid_request")
  const wrong = await change({ notify: Array.from({ length: 11 }, (_, at) => `a${at}@exemple.fr`) })
  expect(Object.keys(wrong.error.fields)).toEqual(["notify"])
})

test("an address that confirms while its form is changed stays confirmed", async () => {
  for (let time = 0; time < 5; time++) {
    const to = `ensemble${time}@exemple.fr`
    const form = await made({ notify: [to] })
    await mail.waitFor(time + 1)
    const text = mail.mails.findLast((each) => each.to[0] === to)?.text ?? ""
    const link = new RegExp(`${publicUrl}(/notice/[\\w-]+)`).exec(text)?.[1]
    const change = (name: string) => forms.api.patch(`/api/v1/forms/${form.id}`, { name })
    const confirm = () => fetch(forms.url + link, { method: "POST" })
    const [, , , confirmed] = await Promise.all([
      change("A"),
      change("B"),
      change("C"),
      confirm(),
      change("D"),
    ])
    expect(confirmed.status).toBe(200)
    expect((await forms.api.get(`/api/v1/forms/${form.id}`)).body.notify_pending).toEqual([])
  }
})

test("an address whose mail got lost is asked again: either link is good, and the other one ends with it", async () => {
  const form = await made({ notify: ["perdu@exemple.fr"] })
  await mail.waitFor(1)
  const again = `/api/v1/forms/${form.id}/notice-links`
  expect((await forms.api.post(again, { to: "PERDU@exemple.fr" })).status).toBe(204)
  await mail.waitFor(2)
  const links = mail.mails.map(({ text }) => new RegExp(`${publicUrl}(/notice/[\\w-]+)`).exec(text)?.[1])
  const follow = async (link: string | undefined) =>
    (await fetch(forms.url + link, { method: "POST" })).status
  expect(await follow(links[0])).toBe(200)
  expect(await follow(links[1])).toBe(404)
  for (const to of ["perdu@exemple.fr", "autre@exemple.fr"])
    expect((await forms.api.post(again, { to })).status).toBe(404)
  expect((await forms.api.post(again, { to: "personne" })).body.error.fields).toHaveProperty("to")
  const [entry] = (await forms.api.get("/api/v1/journal?limit=1")).body.items
  expect(entry).toMatchObject({ action: "notice_link.sent", subject: form.id })
  expect(JSON.stringify(entry)).not.toContain("perdu")
  const stranger = await strangerOf(forms.service)
  expect((await stranger.post(again, { to: "perdu@exemple.fr" })).status).toBe(404)
})

test("the console asks again by a button beside each address, as often as a mailbox may be written to that day", async () => {
  const form = await made({ notify: ["tard@exemple.fr", "puis@exemple.fr"] })
  const editor = await signedIn(forms.service, "editor", forms.api.workspaceId)
  const page = `/console/projects/${forms.projectId}/forms/${form.id}`
  const { text } = await editor.get(`${page}/settings`)
  for (const to of form.notify) expect(text).toContain(`Renvoyer la demande de confirmation à ${to}`)
  const send = () => editor.post(`${page}/notice-links`, { to: "tard@exemple.fr" })
  for (let time = 0; time < 4; time++) expect((await send()).location).toBe(`${page}/settings?done=asked`)
  const refused = await send()
  expect([refused.status, refused.text.includes("déjà reçu assez de messages")]).toEqual([429, true])
  const ask = () => forms.api.post(`/api/v1/forms/${form.id}/notice-links`, { to: "tard@exemple.fr" })
  const told = await ask()
  expect([told.status, Number(told.headers.get("retry-after")) > 0]).toEqual([429, true])
  await forms.service.app.mailer.sendDue()
  expect(subjects().filter(([to]) => to === "tard@exemple.fr")).toHaveLength(5)
  forms.clock.move(dayMs)
  expect((await ask()).status).toBe(204)
  const viewer = await signedIn(forms.service, "viewer", forms.api.workspaceId)
  expect((await viewer.post(`${page}/notice-links`, { to: "tard@exemple.fr" })).status).toBe(403)
})
