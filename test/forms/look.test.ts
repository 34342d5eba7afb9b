import { afterAll, beforeAll, expect, test } from "bun:test"
import { type FormSite, publicUrl } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"
import { type MailServer, startMailServer } from "../support/smtp.ts"

// What a form shows of the site that it belongs to.

const color = "#7a1f4b"
let forms: FormSite
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  const settings = { GUICHET_SMTP_URL: mail.url, GUICHET_MAIL_FROM: "Guichet <bonjour@guichet.exemple.fr>" }
  forms = await aService().withSettings(settings).withForms().started()
  await forms.api.patch(`/api/v1/projects/${forms.projectId}/widget-settings`, { color })
  await forms.api.patch(`/api/v1/projects/${forms.projectId}`, { name: 'Mairie d’Exemple, "x" <a@evil.fr>' })
})
afterAll(async () => {
  await forms[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

test("mails to visitors come from the site's name and are answered to who confirmed", async () => {
  const form = await forms.form({ receipt: true, owner_mail: { to: "accueil@exemple.fr" } })
  await form.json({ nom: "Camille", adresse: "camille@exemple.fr" })
  const taken = await mail.waitFor(2)
  const receipt = taken.find(({ to }) => to[0] === "camille@exemple.fr")
  const from = receipt?.headers.get("from") ?? ""
  expect(from).toEndWith("<bonjour@guichet.exemple.fr>")
  expect(from.match(/@/g)).toHaveLength(1)
  expect(from).toContain("Mairie")
  expect(receipt?.headers.get("reply-to")).toBe("accueil@exemple.fr")
  // The owner's notice stays the service's own.
  const notice = taken.find(({ to }) => to[0] === "accueil@exemple.fr")
  expect(notice?.headers.get("from")).toContain("Guichet")
  mail.mails.length = 0
  await forms.api.patch(`/api/v1/forms/${form.id}`, { notify: ["autre@exemple.fr"] })
  await form.json({ nom: "Camille", adresse: "ada@exemple.fr" })
  const later = await mail.waitFor(2)
  expect(later.find(({ to }) => to[0] === "ada@exemple.fr")?.headers.get("reply-to")).toBeUndefined()
})

test("a pasted form has the colour of its project, which a page may change", async () => {
  const sheet = async (query: string) => {
    const reply = await fetch(`${forms.url}/form.css${query}`)
    return { text: await reply.text(), etag: reply.headers.get("etag") }
  }
  const [usual, own] = [await sheet(""), await sheet(`?project=${forms.projectId}`)]
  expect(own.text).toContain(
    `--_accent:var(--guichet-accent,${color})`.replaceAll(":var", ": var").replace(",#", ", #"),
  )
  expect(own.etag).not.toBe(usual.etag)
  for (const unknown of ["?project=unknown0000000", "?project=%27", "?project="])
    expect((await sheet(unknown)).text).toBe(usual.text)
  expect(Bun.gzipSync(own.text).length).toBeLessThanOrEqual(1200)
})

test("a logo of a declared site is shown on the form's pages, which may load nothing else, and in no mail", async () => {
  const logo = "https://www.exemple.fr/images/logo;v,2.svg"
  const settings = `/api/v1/projects/${forms.projectId}/widget-settings`
  const refused = await forms.api.patch(settings, { logo: "https://ailleurs.exemple.fr/logo.svg" })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["logo"]])
  expect((await forms.api.patch(settings, { logo })).body.logo).toBe(logo)
  const form = await forms.form({ hosted: true, receipt: true })
  const page = async () => {
    const reply = await fetch(`${forms.url}/f/${form.publicId}`)
    return { html: await reply.text(), policy: reply.headers.get("content-security-policy") }
  }
  const { html, policy } = await page()
  expect(html).toContain(`<img src="${logo}" alt `)
  expect(html).toContain(`<link rel="icon" href="${logo}"/>`)
  expect(policy).toContain("img-src https://www.exemple.fr/images/logo%3Bv%2C2.svg;")
  mail.mails.length = 0
  await form.json({ nom: "Camille", adresse: "lea@exemple.fr" })
  const [receipt] = await mail.waitFor(1)
  expect(receipt?.raw).not.toContain("logo")
  await forms.api.patch(settings, { logo: null })
  expect((await page()).html).not.toContain("<img")
  expect((await page()).policy).toContain("img-src data:;")
})

test("the page of a link in a mail wears name and colour of the site, with a way back", async () => {
  mail.mails.length = 0
  const consent = { text: "J’accepte.", confirmation: true }
  const form = await forms.form({ consent })
  await form.json({ nom: "Camille", adresse: "zoe@exemple.fr", consent: "on" })
  const [asked] = await mail.waitFor(1)
  const [, path = ""] = new RegExp(`${publicUrl}(/consent/[\\w-]+)`).exec(asked?.text ?? "") ?? []
  for (const [method, status] of [
    ["GET", 200],
    ["POST", 200],
    ["GET", 410],
  ] as const) {
    const reply = await fetch(forms.url + path, { method })
    const html = await reply.text()
    expect([reply.status, reply.headers.get("referrer-policy")]).toEqual([status, "no-referrer"])
    expect(html).toContain(`--guichet-accent:${color}`)
    expect(html).toContain("Mairie d’Exemple")
    expect(html).toMatch(/<a href="https:\/\/www.exemple.fr\/?"[^>]*>Revenir au site<\/a>/)
  }
})
