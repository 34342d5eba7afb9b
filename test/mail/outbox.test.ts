import { expect, test } from "bun:test"
import { openApp } from "../../src/app.ts"
import { minuteMs } from "../../src/clock.ts"
import { readConfig } from "../../src/config.ts"
import type { OutgoingMail } from "../../src/mail/outbox.ts"
import { movableClock } from "../support/clock.ts"
import { temporaryFolder } from "../support/service.ts"

const said = { to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }
const mail = { ...said, workspaceId: "ws_1" }
const config = (path: string) => readConfig({ GUICHET_DATA_DIR: path, GUICHET_LOG_LEVEL: "error" })

test("a mail goes only once what it tells about is committed", async () => {
  using folder = temporaryFolder()
  const sent: (OutgoingMail & { id: string })[] = []
  await using app = await openApp(config(folder.path), {
    clock: movableClock(),
    sendMail: async (taken) => void sent.push(taken),
  })
  const failing = app.db.transaction().execute(async (transaction) => {
    await app.mailer.queue(transaction, mail, app.clock.now())
    throw new Error("no")
  })
  await expect(failing).rejects.toThrow("no")
  await app.mailer.sendDue()
  expect(sent).toEqual([])
  await app.db.transaction().execute((transaction) => app.mailer.queue(transaction, mail, app.clock.now()))
  await app.mailer.sendDue()
  expect(sent).toEqual([{ ...said, id: expect.stringMatching(/^mail_/) }])
})

test("a mail that was being sent at a crash is sent again later, under the same identifier", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  const ids: string[] = []
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const crashed = await openApp(config(folder.path), {
    clock,
    sendMail: ({ id }) => {
      ids.push(id)
      begun.resolve()
      // To the others, a process whose server has not answered looks like one that was killed.
      return answer.promise
    },
  })
  await crashed.db
    .transaction()
    .execute((transaction) => crashed.mailer.queue(transaction, mail, clock.now()))
  crashed.mailer.wake()
  await begun.promise
  await using app = await openApp(config(folder.path), {
    clock,
    sendMail: async ({ id }) => void ids.push(id),
  })
  await app.mailer.sendDue()
  expect(ids).toHaveLength(1)
  clock.move(10 * minuteMs)
  await app.mailer.sendDue()
  expect(ids).toEqual([ids[0] as string, ids[0] as string])
  clock.move(10 * minuteMs)
  await app.mailer.sendDue()
  expect(ids).toHaveLength(2)
  answer.resolve()
  await crashed[Symbol.asyncDispose]()
})

test("a mail nobody takes is tried for some four days, then given up", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  const tries: number[] = []
  await using app = await openApp(config(folder.path), {
    clock,
    sendMail: async () => {
      tries.push(clock.now())
      throw Object.assign(new Error("greylisted"), { responseCode: 451 })
    },
  })
  const startMs = clock.now()
  await app.db.transaction().execute((transaction) => app.mailer.queue(transaction, mail, startMs))
  for (let minute = 0; minute < 6 * 24 * 60; minute++) {
    await app.mailer.sendDue()
    clock.move(minuteMs)
  }
  const minutes = tries.map((at) => (at - startMs) / minuteMs)
  expect(minutes).toEqual([0, 1, 6, 21, 81, 261, 621, 1341, 2781, 4221, 5661])
})

test("without a server mails wait for one", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  {
    await using app = await openApp(config(folder.path), { clock })
    expect(app.mailer.configured).toBe(false)
    await app.db.transaction().execute((transaction) => app.mailer.queue(transaction, mail, clock.now()))
    await app.mailer.sendDue()
  }
  const sent: OutgoingMail[] = []
  await using app = await openApp(config(folder.path), {
    clock,
    sendMail: async (taken) => void sent.push(taken),
  })
  await app.mailer.sendDue()
  expect(sent).toHaveLength(1)
})

test("a wrong server or sender stops the start without showing the password", () => {
  const environment = { GUICHET_DATA_DIR: "/tmp", GUICHET_PUBLIC_URL: "https://guichet.exemple.fr/" }
  const smtp = { ...environment, GUICHET_SMTP_URL: "smtps://moi:secret@smtp.exemple.fr" }
  expect(readConfig(smtp).mailFrom).toBe("Guichet <guichet@guichet.exemple.fr>")
  for (const sender of ["personne", "A <a@b.fr> <c@d.fr>", "a@b.fr>", "A <a@b.fr", "a@b.fr\nBcc: x@y.fr"])
    expect(() => readConfig({ ...smtp, GUICHET_MAIL_FROM: sender })).toThrow("GUICHET_MAIL_FROM")
  const wrong = { ...environment, GUICHET_SMTP_URL: "https://moi:secret@exemple.fr" }
  expect(() => readConfig(wrong)).toThrow("GUICHET_SMTP_URL")
  expect(() => readConfig(wrong)).not.toThrow("secret")
})

test("a stop leaves what was not begun as it was, to be sent at the next start", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const stopping = await openApp(config(folder.path), {
    clock,
    sendMail: () => {
      begun.resolve()
      return answer.promise
    },
  })
  await stopping.db.transaction().execute(async (transaction) => {
    await stopping.mailer.queue(transaction, mail, clock.now())
    await stopping.mailer.queue(transaction, mail, clock.now())
  })
  stopping.mailer.wake()
  await begun.promise
  const stopped = stopping[Symbol.asyncDispose]()
  answer.resolve()
  await stopped

  const sent: string[] = []
  await using app = await openApp(config(folder.path), {
    clock,
    sendMail: async ({ id }) => void sent.push(id),
  })
  await app.mailer.sendDue()
  expect(sent).toHaveLength(1)
})
