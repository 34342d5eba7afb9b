import { expect, test } from "bun:test"
import { passwordMails } from "../../../src/accounts/password-link.ts"
import { hourMs, minuteMs } from "../../../src/base/clock.ts"
import type { OutgoingMail } from "../../../src/mail/outbox.ts"
import { apiOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { consoleClient, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// Strangers ask for mails by which a password is chosen anew, while no mail server answers.

/** Each from an address of its own, so that the limit of one visitor is not reached. */
let people = 0
const ask = async (service: Service, email: string) => {
  const headers = { "x-forwarded-for": `2001:db8:${(++people).toString(16)}::1` }
  const values = { email }
  return (await consoleClient(service).post("/console/password-reset", values, { token: null, headers }))
    .status
}

test("strangers fill a part of the outbox alone: other mails go, and who asked first keeps a place while the link is good", async () => {
  const clock = movableClock()
  const sent: OutgoingMail[] = []
  const answers = Promise.withResolvers<void>()
  const sendMail = async (mail: OutgoingMail) => {
    await answers.promise
    sent.push(mail)
  }
  await using service = await aService().withClock(clock).withOverrides({ sendMail }).started()
  const { email } = await signedIn(service)
  const api = await apiOf(service)
  const waiting = async () =>
    (await service.app.db.selectFrom("mail").select("id").where("about", "=", passwordMails.about).execute())
      .length
  expect(await ask(service, email)).toBe(303)
  for (let each = 1; each < passwordMails.atMost; each++)
    expect(await ask(service, `inconnue${each}@exemple.fr`)).toBe(303)
  expect([await ask(service, "de-trop@exemple.fr"), await waiting()]).toEqual([503, passwordMails.atMost])
  const invited = await api.post("/api/v1/operators", { email: "nadia@exemple.fr", role: "viewer" })
  expect(invited.body.mailed).toBe(true)
  clock.move(hourMs - minuteMs)
  expect(await ask(service, "de-trop@exemple.fr")).toBe(503)
  clock.move(minuteMs)
  expect([await ask(service, email), await waiting()]).toEqual([303, 1])
  answers.resolve()
  await service.app.mailer.sendDue()
  // The first one was on its way when the server answered no more.
  expect(sent.map(({ to }) => to)).toEqual([email, "nadia@exemple.fr", email])
})

test("a mail whose link is dead by now is not sent, however late the mail server comes back", async () => {
  const clock = movableClock()
  const tried: string[] = []
  const sendMail = async ({ to }: OutgoingMail) => {
    tried.push(to)
    throw Object.assign(new Error("away"), { code: "ECONNREFUSED" })
  }
  await using service = await aService().withClock(clock).withOverrides({ sendMail }).started()
  const { email } = await signedIn(service)
  expect(await ask(service, email)).toBe(303)
  await service.app.mailer.sendDue()
  clock.move(minuteMs)
  await service.app.mailer.sendDue()
  expect(tried).toEqual([email, email])
  clock.move(hourMs)
  await service.app.mailer.sendDue()
  expect(tried).toHaveLength(2)
  expect(await service.app.db.selectFrom("mail").select("id").execute()).toEqual([])
})
