import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { dayMs } from "../../src/base/clock.ts"
import { strangerOf } from "../support/api.ts"
import type { FormSite } from "../support/forms.ts"
import { signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"
import { type MailServer, startMailServer } from "../support/smtp.ts"

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

test("the console offers a test mail where the service sends mails", async () => {
  await using silent = await aService().started()
  for (const [service, isOffered] of [
    [forms.service, true],
    [silent, false],
  ] as const) {
    const { text } = await (await signedIn(service)).get("/console/settings")
    expect(text.includes("Envoyer un e-mail d’essai")).toBe(isOffered)
  }
})

test("a workspace sends so many test mails a day, by the API and the console together", async () => {
  const { app } = forms.service
  const { post } = await strangerOf(forms.service)
  const send = () => post("/api/v1/mail-tests", { to: "camille@exemple.fr" })
  const replies = await Promise.all(Array.from({ length: 24 }, send))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(20)
  const refused = await send()
  expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"])
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(refused.body.error.message).toContain("20 par jour au plus")
  await app.mailer.sendDue()
  expect(mail.mails).toHaveLength(20)
  forms.clock.move(dayMs)
  expect((await send()).status).toBe(202)
  await app.mailer.sendDue()
})
