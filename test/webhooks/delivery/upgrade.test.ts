import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { minuteMs, secondMs } from "../../../src/base/clock.ts"
import { databasePath } from "../../../src/db/sqlite/connection.ts"
import { migrate, migrations } from "../../../src/db/sqlite/migrate.ts"
import { onSqlite } from "../../support/postgres.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

/** Before due attempts stood in their delivery. */
const before = 7
const now = Date.parse("2026-03-10T09:00:00.000Z")
const sent = JSON.stringify({ type: "form.response.created", data: { form_id: "form_1" } })

/**
 * What the program of that version kept: one delivered, one to be tried again, one failed and sent again by
 * hand, one in flight.
 */
function writeOld(dataDir: string, url: string): void {
  migrate(dataDir, migrations.slice(0, before))
  using database = new Database(databasePath(dataDir), { strict: true })
  database.run(`
    INSERT INTO organisation VALUES ('org_1', 'Acme', 1);
    INSERT INTO workspace VALUES ('ws_1', 'org_1', 'Acme', 1);
    INSERT INTO endpoint VALUES ('ep_1', 'ws_1', '${url}', '', 1, 0, '[]', 1);
    INSERT INTO message SELECT 'msg_' || column1, 'ws_1', NULL, 'form.response.created', CAST('${sent}' AS BLOB), ${now}
      FROM (VALUES ('1'), ('2'), ('3'), ('4'));
    INSERT INTO delivery VALUES ('dlv_1', 'msg_1', 'ep_1', 'delivered', 2, ${now}, ${now});
    INSERT INTO delivery VALUES ('dlv_2', 'msg_2', 'ep_1', 'pending', 1, ${now}, NULL);
    INSERT INTO delivery VALUES ('dlv_3', 'msg_3', 'ep_1', 'failed', 8, ${now}, ${now});
    INSERT INTO delivery VALUES ('dlv_4', 'msg_4', 'ep_1', 'pending', 0, ${now}, NULL);
    INSERT INTO attempt VALUES ('dlv_1', 'att_1', 'automatic', ${now - 9000}, 'http_status', 500, 7, 'SECRET-EXCERPT');
    INSERT INTO attempt VALUES ('dlv_1', 'att_3', 'automatic', ${now - 1000}, 'delivered', 204, 8, NULL);
    INSERT INTO attempt VALUES ('dlv_2', 'att_2', 'automatic', ${now}, 'timeout', NULL, 10000, NULL);
    INSERT INTO due_attempt VALUES ('dlv_2', 'automatic', 'ep_1', 1, ${now + minuteMs}, 'msg_2', NULL, NULL);
    INSERT INTO due_attempt VALUES ('dlv_3', 'manual', 'ep_1', 0, ${now}, 'msg_3', NULL, NULL);
    INSERT INTO due_attempt VALUES ('dlv_4', 'automatic', 'ep_1', 0, ${now}, 'msg_4', 'att_4', ${now + 13 * secondMs});`)
}

onSqlite(
  "a database of the version before keeps its log, and what was due is sent when it was due",
  async () => {
    using folder = temporaryFolder()
    writeOld(folder.path, "https://hooks0.acme.fr/hook")
    await using webhooks = await aService()
      .withSettings({ GUICHET_DATA_DIR: folder.path })
      .withReceivers([() => new Response("ok")])
      .started()
    await webhooks.settled()
    const ids = () => webhooks.receiver.received.map(({ headers }) => headers.get("webhook-id")).sort()
    expect(ids()).toEqual(["msg_3", "msg_4"])
    await webhooks.pass(minuteMs)
    expect(ids()).toEqual(["msg_2", "msg_3", "msg_4"])
    const { db } = webhooks.service.app
    const log = await db
      .selectFrom("attempt")
      .innerJoin("delivery", "delivery.number", "attempt.delivery_number")
      .select(["delivery.id", "attempt.number", "kind", "outcome", "state", "attempts_made"])
      .orderBy("delivery.id")
      .orderBy("attempt.number")
      .execute()
    expect(log.map((row) => Object.values(row).join(" "))).toEqual([
      "dlv_1 1 automatic http_status delivered 2",
      "dlv_1 2 automatic delivered delivered 2",
      "dlv_2 1 automatic timeout delivered 2",
      "dlv_2 2 automatic delivered delivered 2",
      "dlv_3 1 manual delivered delivered 8",
      "dlv_4 1 automatic interrupted delivered 1",
      "dlv_4 2 automatic delivered delivered 1",
    ])
  },
)

onSqlite(
  "what an endpoint answered stands once in the file after the upgrade, for an erasure to reach",
  () => {
    using folder = temporaryFolder()
    writeOld(folder.path, "https://hooks0.acme.fr/hook")
    migrate(folder.path)
    using database = new Database(databasePath(folder.path), { strict: true })
    database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    expect(readFileSync(databasePath(folder.path), "latin1").split("SECRET-EXCERPT")).toHaveLength(2)
  },
)

onSqlite("what is known of an endpoint that fails is kept, and forgotten of one that is gone", () => {
  using folder = temporaryFolder()
  migrate(folder.path, migrations.slice(0, 8))
  {
    using database = new Database(databasePath(folder.path), { strict: true })
    database.run(`
      INSERT INTO organisation VALUES ('org_1', 'Acme', 1);
      INSERT INTO workspace VALUES ('ws_1', 'org_1', 'Acme', 1);
      INSERT INTO endpoint VALUES ('ep_1', 'ws_1', 'https://hooks0.acme.fr/hook', '', 1, 0, '[]', 1);
      INSERT INTO endpoint_failure VALUES ('ep_1', 5, 6, 'http_status', 410, 7), ('ep_2', 1, 2, 'dns', NULL, NULL);`)
  }
  migrate(folder.path)
  using database = new Database(databasePath(folder.path), { strict: true })
  expect(database.query("SELECT * FROM endpoint_failure").values()).toEqual([
    ["ep_1", 5, 6, "http_status", 410, 7],
  ])
})
