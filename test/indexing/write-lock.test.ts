import { expect, test } from "bun:test"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { getPriority } from "node:os"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import type { Db } from "../../src/db/connection.ts"
import { databasePath, openReader } from "../../src/db/sqlite/connection.ts"
import { readerArgument, writerArgument } from "../../src/host/child-process.ts"
import { engine, onSqlite } from "../support/postgres.ts"
import { eventually, isAlive, parentOf, processesOf } from "../support/processes.ts"
import { type Service, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { html, page } from "../support/site.ts"
import { openTenant } from "../support/tenant.ts"

function start(settings: Record<string, string> = {}): Promise<Service> {
  return aService()
    .withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true", ...settings })
    .started()
}

/** How a process has the database open: a process that only reads cannot take the lock of those that write. */
function accessTo(dataDir: string, pid: number): "none" | "reads" | "writes" {
  const flags = readdirSync(`/proc/${pid}/fd`)
    .filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === databasePath(dataDir))
    .map((fd) => /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"))?.[1])
  if (flags.length === 0) return "none"
  return flags.every((octal) => Number.parseInt(octal as string, 8) % 4 === 0) ? "reads" : "writes"
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

onSqlite("whatever may hold the lock of the database's writers has the priority of the service", async () => {
  using folder = temporaryFolder()
  await using service = await start({ GUICHET_DATA_DIR: folder.path })
  const held = Promise.withResolvers<void>()
  await using tenant = await openTenant(service.app, service.url, {
    pages: 2,
    answer: ({ pathname }) =>
      pathname === "/page-1" ? () => held.promise.then(() => html(page("Fin"))) : undefined,
  })
  await tenant.read()
  await eventually(() => tenant.site.log.includes("GET /page-1"))
  const reader = await tenant.reader()
  const writer = parentOf(reader)
  const parser = await eventually(() =>
    processesOf("parse-for-parent").find((pid) => parentOf(pid) === reader),
  )
  expect(processesOf(writerArgument, "index", tenant.projectId)).toEqual([writer])
  expect(processesOf(readerArgument, "index", tenant.projectId)).toEqual([reader])
  const own = getPriority()
  const nicer = Math.min(own + 10, 19)
  const all = [process.pid, writer, reader, parser]
  expect(all.map((pid) => [getPriority(pid), accessTo(folder.path, pid)])).toEqual([
    [own, "writes"],
    [own, "writes"],
    [nicer, "reads"],
    [nicer, "none"],
  ])
  held.resolve()
  expect((await tenant.ended()).outcome).toMatchObject({ documents: 2 })
})

test.skipIf(engine === "postgres").each(["the process that reads", "the one that writes for it"])(
  "when %s is killed, so is the other, and the project waits for neither",
  async (which) => {
    await using service = await start()
    await using tenant = await openTenant(service.app, service.url, { pages: 50, crawlDelay: 10 })
    await tenant.read()
    await eventually(() => tenant.site.log.includes("GET /page-0"))
    const reader = await tenant.reader()
    const writer = parentOf(reader)
    process.kill(which === "the process that reads" ? reader : writer, "SIGKILL")
    await eventually(() => !isAlive(reader) && !isAlive(writer))
    await eventually(async () => !(await service.app.reindexing.isBusy(tenant.projectId)))
  },
)

onSqlite("a process whose writes its parent makes refuses to write by itself", async () => {
  using folder = temporaryFolder()
  await using service = await start({ GUICHET_DATA_DIR: folder.path })
  const id = await defaultWorkspaceId(service.app.db)
  await using reader = openReader(folder.path)
  const rename = (db: Db) => db.updateTable("workspace").set({ name: "Autre" }).where("id", "=", id)
  await expect(rename(reader.db).execute()).rejects.toThrow("only reads")
  await expect(
    reader.db.transaction().execute((transaction) => rename(transaction).execute()),
  ).rejects.toThrow("only reads")
})
