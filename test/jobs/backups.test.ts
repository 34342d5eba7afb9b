import { expect, test } from "bun:test"
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { addOperator } from "../../src/accounts/operator.ts"
import { dayMs, hourMs } from "../../src/base/clock.ts"
import { detail } from "../../src/base/errors.ts"
import { childRunner } from "../../src/host/child-process.ts"
import { makeScheduledBackup, newestBackup, tryNewestBackup } from "../../src/jobs/backups.ts"
import type { OutgoingMail } from "../../src/mail/outbox.ts"
import { runChecks } from "../../src/ops/checks/checks.ts"
import { startJobs } from "../../src/scheduled-jobs.ts"
import { program } from "../support/cli.ts"
import type { FormSite } from "../support/forms.ts"
import { engine, onSqlite } from "../support/postgres.ts"
import { eventually } from "../support/processes.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const main = await program()

const token = "a-token-of-this-test-alone"

onSqlite("a night without a backup is seen in check, in the metrics, and by mail once a day", async () => {
  using folder = temporaryFolder()
  // Backups cannot be made where a file takes the place of the folder.
  const backups = join(folder.path, "backups")
  writeFileSync(backups, "")
  const mails: OutgoingMail[] = []
  const settings = { GUICHET_DATA_DIR: join(folder.path, "data"), GUICHET_BACKUP_DIR: backups }
  const run = childRunner({ ...process.env, ...settings }, [process.execPath, main])
  const firstTry = Promise.withResolvers<void>()
  await using site = await aService()
    .withSettings({ ...settings, GUICHET_METRICS_TOKEN: token })
    .withOverrides({
      sendMail: async (mail) => void mails.push(mail),
      runChild: (...child) => run(...child).finally(firstTry.resolve),
    })
    .withForms()
    .started()
  const { clock, service } = site
  // The service's own, which would remove what a later one has begun to write.
  await firstTry.promise
  const { app } = service
  await addOwner(site, "camille@exemple.fr", "owner")
  await addOwner(site, "sacha@exemple.fr", "viewer")
  const shown = async () => {
    const reply = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    const figure = /^guichet_last_backup_timestamp_seconds (\S+)$/m.exec(await reply.text())?.[1]
    const checks = await runChecks(app, { wholeDatabase: false })
    return [figure, checks.find(({ name }) => name === "backup")?.state, mails.length]
  }
  /** Runs what a start of the service runs: the jobs whose time has passed. */
  async function restart() {
    await (await startJobs(app))[Symbol.asyncDispose]()
    await app.mailer.sendDue()
  }
  expect(await shown()).toEqual(["0", "failed", 0])
  clock.move(2 * dayMs)
  await restart()
  await restart()
  expect(await shown()).toEqual(["0", "failed", 1])
  expect(mails[0]).toMatchObject({
    to: "camille@exemple.fr",
    subject: "Aucune sauvegarde récente de Guichet",
    text: expect.stringContaining(backups),
  })
  clock.move(dayMs)
  await restart()
  expect(await shown()).toEqual(["0", "failed", 2])
  rmSync(backups)
  clock.move(16 * hourMs)
  {
    await using _jobs = await startJobs(app)
    await eventually(() => newestBackup(backups)?.atMs === clock.now())
  }
  expect(await shown()).toEqual([String(clock.now() / 1000), "ok", 2])
  // The one of the next night is away.
  clock.move(29 * hourMs)
  expect((await shown())[1]).toBe("failed")
})

onSqlite("the monthly trial mails the owners when the newest backup cannot be restored", async () => {
  using folder = temporaryFolder()
  const mails: OutgoingMail[] = []
  await using site = await aService()
    .withOverrides({ sendMail: async (mail) => void mails.push(mail) })
    .withForms()
    .started()
  const { app } = site.service
  await addOwner(site, "camille@exemple.fr", "owner")
  const tryOut = () =>
    tryNewestBackup({ dir: folder.path }, app.runChild, new AbortController().signal, app.notifyBackup)
  expect(await tryOut()).toBeUndefined()
  const { signal } = new AbortController()
  await makeScheduledBackup({ dir: folder.path, keep: 1 }, app.runChild, site.clock.now(), signal)
  const { file = "" } = newestBackup(folder.path) ?? {}
  const files = readdirSync(folder.path).sort()
  expect(await tryOut()).toBe(file)
  expect(readdirSync(folder.path).sort()).toEqual(files)
  truncateSync(file, statSync(file).size - 4096)
  await expect(tryOut()).rejects.toThrow("sha256")
  await app.mailer.sendDue()
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ["camille@exemple.fr", "La dernière sauvegarde de Guichet ne peut pas être restaurée"],
  ])
})

test("PostgreSQL's backups are its owner's, and no figure raises the alarm", async () => {
  if (engine === "sqlite") return
  await using service = await aService().withSettings({ GUICHET_METRICS_TOKEN: token }).started()
  const checks = await runChecks(service.app, { wholeDatabase: false })
  expect(checks.find(({ name }) => name === "backup")).toEqual({
    name: "backup",
    state: "ok",
    detail: detail("checks.backupYours"),
  })
  const reply = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(await reply.text()).not.toContain("guichet_last_backup_timestamp_seconds")
})

async function addOwner({ service, clock, api }: FormSite, email: string, role: "owner" | "viewer") {
  const password = "une phrase assez longue"
  await addOperator(service.app.db, { email, password, workspaceId: api.workspaceId, role }, clock.now())
}
