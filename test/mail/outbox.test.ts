import { expect, test } from "bun:test"
import { type App, openApp } from "../../src/app.ts"
import { minuteMs } from "../../src/base/clock.ts"
import { readConfig } from "../../src/config/config.ts"
import { MailRefused, maxQueuedPerWorkspace, type OutgoingMail } from "../../src/mail/outbox.ts"
import { movableClock } from "../support/clock.ts"
import { failWrites } from "../support/failing-writes.ts"
import { configOf, temporaryFolder } from "../support/service.ts"

const said = { to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }
const mail = { ...said, workspaceId: "ws_1" }
const config = (path: string) =>
  configOf({ GUICHET_DATA_DIR: path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" })

test("a mail goes only once what it tells about is committed", async () => {
  using folder = temporaryFolder()
  const sent: (OutgoingMail & { id: string })[] = []
  await using app = await openApp(await config(folder.path), {
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

test("a mail that was sent while the database went away is not sent again", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  const ids: string[] = []
  await using app = await openApp(await config(folder.path), {
    clock,
    async sendMail({ id }) {
      ids.push(id)
      const recover = await failWrites(app.db, "DELETE ON mail")
      setTimeout(recover, 100)
    },
  })
  await app.db.transaction().execute((transaction) => app.mailer.queue(transaction, mail, clock.now()))
  await app.mailer.sendDue()
  expect(await app.db.selectFrom("mail").selectAll().execute()).toEqual([])
  clock.move(10 * minuteMs)
  await app.mailer.sendDue()
  expect(ids).toHaveLength(1)
})

test("a mail that was being sent at a crash is sent again later, under the same identifier", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  const ids: string[] = []
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const crashed = await openApp(await config(folder.path), {
    clock,
    sendMail: ({ id }) => {
      ids.push(id)
      begun.resolve()
      // A process still waiting for its mail server looks to the others like a killed one.
      return answer.promise
    },
  })
  await crashed.db
    .transaction()
    .execute((transaction) => crashed.mailer.queue(transaction, mail, clock.now()))
  crashed.mailer.wake()
  await begun.promise
  await using app = await openApp(await config(folder.path), {
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
  await using app = await openApp(await config(folder.path), {
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
    await using app = await openApp(await config(folder.path), { clock })
    expect(app.mailer.configured).toBe(false)
    await app.db.transaction().execute((transaction) => app.mailer.queue(transaction, mail, clock.now()))
    await app.mailer.sendDue()
  }
  const sent: OutgoingMail[] = []
  await using app = await openApp(await config(folder.path), {
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
  const stopping = await openApp(await config(folder.path), {
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
  await using app = await openApp(await config(folder.path), {
    clock,
    sendMail: async ({ id }) => void sent.push(id),
  })
  await app.mailer.sendDue()
  expect(sent).toHaveLength(1)
})

/** Queues `count` mails of a workspace in one transaction. Resolves to the number accepted. */
async function queueMany(app: App, workspaceId: string, count: number): Promise<number> {
  return app.db.transaction().execute(async (transaction) => {
    let taken = 0
    for (let number = 0; number < count; number++)
      if (
        await app.mailer.queue(transaction, { ...said, workspaceId, subject: workspaceId }, app.clock.now())
      )
        taken++
    return taken
  })
}

test("workspaces take turns, however many mails one of them has queued before", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  const sent: string[] = []
  await using app = await openApp(await config(folder.path), {
    clock,
    sendMail: async ({ subject }) => void sent.push(subject),
  })
  await queueMany(app, "ws_b", 200)
  clock.move(1)
  for (const workspace of ["ws_a", "ws_c"]) await queueMany(app, workspace, 2)
  await app.mailer.sendDue()
  expect(sent).toHaveLength(204)
  for (const workspace of ["ws_a", "ws_c"]) expect(sent.lastIndexOf(workspace)).toBeLessThan(10)
})

test("a server that hangs on the mails of one workspace keeps no other waiting", async () => {
  using folder = temporaryFolder()
  const sent: string[] = []
  const hanging = Promise.withResolvers<void>()
  const others = Promise.withResolvers<void>()
  await using app = await openApp(await config(folder.path), {
    clock: movableClock(),
    sendMail: async ({ subject }) => {
      if (subject === "ws_slow") await hanging.promise
      sent.push(subject)
      if (sent.length === 3) others.resolve()
    },
  })
  await queueMany(app, "ws_slow", 2)
  app.mailer.wake()
  await queueMany(app, "ws_other", 3)
  app.mailer.wake()
  await others.promise
  expect(sent).toEqual(["ws_other", "ws_other", "ws_other"])
  hanging.resolve()
  await app.mailer.sendDue()
  expect(sent).toHaveLength(5)
})

test("a workspace's mails wait up to a bound; beyond, nothing is stored, and its neighbours have their own", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  await using app = await openApp(await config(folder.path), { clock })
  expect(await queueMany(app, "ws_a", maxQueuedPerWorkspace + 5)).toBe(maxQueuedPerWorkspace)
  expect(await queueMany(app, "ws_b", 1)).toBe(1)
  const { count } = await app.db
    .selectFrom("mail")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  expect(count).toBe(maxQueuedPerWorkspace + 1)
})

test("mails of a kind that strangers ask for have a share of their own, and leave the rest to the others", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  await using app = await openApp(await config(folder.path), { clock })
  const queue = (about?: string) =>
    app.db
      .transaction()
      .execute((transaction) =>
        app.mailer.queue(transaction, { ...mail, ...(about && { about, atMost: 2 }) }, clock.now()),
      )
  expect([await queue("links"), await queue("links"), await queue("links")]).toEqual([true, true, false])
  expect([await queue(), await queue("others")]).toEqual([true, true])
})

test("of mails that were refused for good the newest hundred are kept, and they take nobody's place", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  await using app = await openApp(await config(folder.path), {
    clock,
    sendMail: async () => {
      clock.move(1)
      throw new MailRefused("no such mailbox")
    },
  })
  await queueMany(app, "ws_a", 150)
  await app.mailer.sendDue()
  const rows = await app.db.selectFrom("mail").select(["failed_at"]).orderBy("failed_at").execute()
  expect(rows).toHaveLength(100)
  expect(Math.min(...rows.map((row) => row.failed_at as number))).toBe(clock.now() - 99)
  expect(await queueMany(app, "ws_a", maxQueuedPerWorkspace)).toBe(maxQueuedPerWorkspace)
})
