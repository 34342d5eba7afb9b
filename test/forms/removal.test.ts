import { test as anyTest, expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { purgeForms } from "../../src/forms/responses/purge.ts"
import { strangerOf } from "../support/api.ts"
import { answered, contact, type FormSite, site } from "../support/forms.ts"
import { type HeldTable, holdTable } from "../support/held-table.ts"
import { createDatabase, serverSettings } from "../support/postgres.ts"
import { noPostgres } from "../support/postgres-server.ts"
import { aService } from "../support/service-builder.ts"

/*
 * A response that was acknowledged while its form goes is erased like any other: with its payload in the delivery log,
 * and with an entry in the journal. What is held here keeps the post from its end when its response is stored already.
 */

const test = anyTest.skipIf(noPostgres())

async function started(): Promise<FormSite & { database: string }> {
  const database = await createDatabase()
  const settings = { ...serverSettings(database), GUICHET_TRUSTED_PROXIES: "127.0.0.1" }
  const started = await aService().withSettings(settings).withForms().started()
  return Object.assign(started, { database })
}

const holdMessages = (url: string) => holdTable(url, "LOCK TABLE message IN SHARE MODE")

function journalOf({ service }: FormSite): string {
  return readFileSync(join(service.app.config.dataDir, "erasures.jsonl"), "utf8")
}

async function expectErased(forms: FormSite, responseId: string): Promise<void> {
  const { db } = forms.service.app
  const payloads = await db
    .selectFrom("message")
    .select("payload")
    .where("response_id", "=", responseId)
    .execute()
  expect(payloads).toEqual([{ payload: null }])
  expect(await db.selectFrom("form_response").select("id").execute()).toEqual([])
  expect(journalOf(forms)).toContain(responseId)
}

/** Posts, removes by `remove` while the post is under way, and lets both come to their end. */
async function postAndRemove(
  held: HeldTable,
  form: Awaited<ReturnType<FormSite["form"]>>,
  remove: () => Promise<{ status: number }>,
): Promise<string> {
  const posted = form.json({ nom: "Camille" })
  await held.waiters(1)
  const removed = remove()
  await held.waiters(2)
  await held.release()
  const { status, body } = await posted
  expect([status, (await removed).status]).toEqual([201, 204])
  return body.id
}

test("with a form that is deleted while its post is under way", async () => {
  await using forms = await started()
  const form = await forms.form()
  await using held = await holdMessages(forms.database)
  const id = await postAndRemove(held, form, () => forms.api.delete(`/api/v1/forms/${form.id}`))
  await purgeForms(forms.service.app)
  await expectErased(forms, id)
  expect(await forms.service.app.db.selectFrom("form").select("id").execute()).toEqual([])
})

test("with a project that is removed while a post is under way", async () => {
  await using forms = await started()
  const form = await forms.form()
  await using held = await holdMessages(forms.database)
  const path = `/api/v1/projects/${forms.projectId}`
  const id = await postAndRemove(held, form, () => forms.api.delete(path))
  await expectErased(forms, id)
  expect(await forms.service.app.db.selectFrom("project").select("id").execute()).toEqual([])
})

test("with a workspace to which somebody adds a project while it is removed", async () => {
  await using forms = await started()
  const other = await strangerOf(forms.service)
  const formIn = async (name: string, visitor: string) => {
    const project = await other.post("/api/v1/projects", { name, site })
    const { body } = await other.post("/api/v1/forms", { project: project.body.id, ...contact })
    return (values: object) =>
      answered(`${forms.service.url}/f/${body.public_id}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: site, "x-forwarded-for": visitor },
        body: JSON.stringify(values),
      })
  }
  const post = await formIn("first", "203.0.113.1")
  await using held = await holdMessages(forms.database)
  const posted = post({ nom: "Camille" })
  await held.waiters(1)
  const removed = other.delete(`/api/v1/workspaces/${other.workspaceId}`)
  await held.waiters(2)
  // Stopped as unwanted, it has no message that would wait.
  const added = await (await formIn("second", "203.0.113.2"))({ nom: "Camille", guichet_trap: "x" })
  await held.release()
  expect([(await posted).status, added.status, (await removed).status]).toEqual([201, 201, 204])
  for (const id of [(await posted).body.id, added.body.id]) expect(journalOf(forms)).toContain(id)
  expect(await forms.service.app.db.selectFrom("form_response").select("id").execute()).toEqual([])
})

test("a post to a form that has gone since it was found is refused as to an unknown one", async () => {
  await using forms = await started()
  const form = await forms.form()
  await using held = await holdTable(forms.database, "LOCK TABLE form IN EXCLUSIVE MODE")
  const posted = form.json({ nom: "Camille" })
  await held.waiters(1)
  await held.run("DELETE FROM form")
  await held.release()
  const { status, body } = await posted
  expect([status, body.error.code]).toEqual([404, "not_found"])
})
