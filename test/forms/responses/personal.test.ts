import { afterAll, beforeAll, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { dayMs } from "../../../src/base/clock.ts"
import { journalPath, readErasures } from "../../../src/forms/responses/erasure-journal.ts"
import { purgeForms } from "../../../src/forms/responses/purge.ts"
import { strangerOf } from "../../support/api.ts"
import { guichet } from "../../support/cli.ts"
import { answered, contact, type FormSite, recordedMessages, site } from "../../support/forms.ts"
import { manyPosts } from "../../support/many-posts.ts"
import { onSqlite } from "../../support/postgres.ts"
import { aService } from "../../support/service-builder.ts"

let forms: FormSite
const messages = recordedMessages()
const twoAddresses = {
  fields: [
    { name: "nom", label: "Nom", type: "text" },
    { name: "adresse", label: "Adresse", type: "email" },
    { name: "parrain", label: "Parrain", type: "email" },
  ],
}

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: messages }).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

test("erasing a response erases its payloads; it is then unknown", async () => {
  const form = await forms.form()
  const { body } = await form.json({ nom: "Camille" })
  const path = `/api/v1/forms/${form.id}/responses/${body.id}`
  expect((await forms.api.get(path)).body.values.nom).toBe("Camille")
  expect((await forms.api.delete(path)).status).toBe(204)
  expect(messages.forgotten).toContain(body.id)
  expect((await forms.api.get(path)).status).toBe(404)
  expect((await forms.api.delete(path)).status).toBe(404)
  expect(await form.responses()).toEqual([])
})

onSqlite(
  "nothing of an erased response stays in any file of the data folder, however many words it had, nor do its words",
  async () => {
    await using own = await aService().withSettings(manyPosts).withForms().started()
    const form = await own.form()
    const { app } = own.service
    async function filesWith(text: string): Promise<string[]> {
      expect(await app.emptyWal()).toBe(true)
      const { dataDir } = app.config
      const names = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      )
      return names
        .filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))
        .map(({ name }) => name)
    }
    const many = Array.from({ length: 900 }, (_, number) => `mot${number.toString(36)}`).join(" ")
    for (const message of ["mot-inouï ", "mot-inouï ".repeat(2000), `Zquorbliphant ${many} mot-inouï`]) {
      const { body } = await form.json({ nom: "Zquorbliphant", message })
      // Its neighbours begin with the same letters.
      for (let other = 0; other < 20; other++) await form.json({ nom: `Zquidam${other}`, message: "Zquoi" })
      expect(await filesWith("mot-inouï")).toEqual(["guichet.db"])
      expect(await filesWith("zquorbliphant")).toEqual(["guichet.db"])
      expect((await form.responses("search=zquorbli")).length).toBe(1)
      await own.api.delete(`/api/v1/forms/${form.id}/responses/${body.id}`)
      // Without its first letters, which an index may share with the word before.
      for (const text of ["mot-inouï", "orbliphant", "motp0"]) expect(await filesWith(text)).toEqual([])
      expect(await form.responses("search=zquorbli")).toEqual([])
    }
    expect(await form.responses("search=zqui")).toHaveLength(50)
  },
)

test("a person is found again by the address given in any e-mail field, in any case of letters", async () => {
  const form = await forms.form(twoAddresses)
  await form.json({ nom: "a", adresse: "Camille@Exemple.fr" })
  await form.json({ nom: "b", adresse: "dominique@exemple.fr", parrain: "camille@exemple.fr" })
  await form.json({ nom: "c", adresse: "camille@exemple.fr", guichet_trap: "x" })
  await form.json({ nom: "d", adresse: "dominique@exemple.fr" })
  const email = "CAMILLE@exemple.fr"
  const exported = await forms.api.post("/api/v1/exports", { email })
  expect(exported.body.items.map(({ values }: { values: { nom: string } }) => values.nom)).toEqual([
    "a",
    "b",
    "c",
  ])
  expect(exported.body.items[2]).toMatchObject({
    state: "unwanted",
    form_id: form.id,
    consent_confirmed_at: null,
  })

  const stranger = await strangerOf(forms.service)
  expect((await stranger.post("/api/v1/exports", { email })).body).toEqual({ items: [] })
  expect((await stranger.post("/api/v1/erasures", { email })).body).toEqual({ erased: 0 })

  expect((await forms.api.post("/api/v1/erasures", { email })).body).toEqual({ erased: 3 })
  expect((await forms.api.post("/api/v1/exports", { email })).body).toEqual({ items: [] })
  expect((await form.responses()).map(({ values }) => values.nom)).toEqual(["d"])
  const ids = exported.body.items.map(({ id }: { id: string }) => id)
  expect(messages.forgotten).toEqual(expect.arrayContaining(ids))
  expect((await forms.api.post("/api/v1/erasures", { email: "personne" })).status).toBe(400)
})

test("a person is found again however a mail server lets the address be written, and the message holds no mark that nobody sees", async () => {
  const form = await forms.form(twoAddresses)
  const written = [
    "vic@exemple.fr\u200b",
    "vic@exem\u00adple.fr",
    "Vic@ｅxemple。fr",
    "vic\u2060@EXEMPLE.fr",
    "vic@exemple.fr",
  ]
  for (const adresse of written) expect((await form.json({ nom: "Vic", adresse })).status).toBe(201)
  await form.json({ nom: "vic@exemple.fr\ufe0f" })
  await form.json({ nom: "Accent", adresse: "nfd@e\u0301cole.fr" })
  expect(messages.sent.slice(-7).map(({ data }) => data.email)).toEqual([
    "vic@exemple.fr",
    "vic@exemple.fr",
    "Vic@ｅxemple。fr",
    "vic@EXEMPLE.fr",
    "vic@exemple.fr",
    null,
    "nfd@école.fr",
  ])
  const erased = async (email: string) => (await forms.api.post("/api/v1/erasures", { email })).body.erased
  expect(await erased("vic@exemple.fr")).toBe(6)
  expect(await erased("nfd@école.fr")).toBe(1)
  expect(await form.responses()).toEqual([])
})

test("what came in before addresses had keys is found as it was written", async () => {
  const form = await forms.form(twoAddresses)
  await form.json({ nom: "Ancien", adresse: "vic@xn--cole-9oa.fr" })
  await forms.service.app.db
    .updateTable("form_response_address")
    .set({ address: "vic@xn--cole-9oa.fr" })
    .where("address", "=", "vic@école.fr")
    .execute()
  const { body } = await forms.api.post("/api/v1/erasures", { email: "Vic@xn--cole-9oa.fr" })
  expect(body).toEqual({ erased: 1 })
})

test("the command erases and exports beside the running service", async () => {
  const form = await forms.form()
  for (let i = 0; i < 3; i++) await form.json({ nom: `n${i}`, adresse: "alix@exemple.fr" })
  const environment = { GUICHET_DATA_DIR: forms.service.app.config.dataDir }
  const exported = await guichet(["export", "alix@exemple.fr"], environment)
  expect(JSON.parse(exported.stdout).items).toHaveLength(3)
  const erased = await guichet(["erase", "Alix@exemple.fr", "--json", "--yes"], environment)
  expect([erased.exitCode, JSON.parse(erased.stdout)]).toMatchObject([
    0,
    { erased: 3, workspaces: [{ erased: 3 }] },
  ])
  expect(await form.responses()).toEqual([])
  expect((await guichet(["erase"], environment)).exitCode).toBe(2)
})

test("the command names the workspaces that it covers, and keeps to one that is named", async () => {
  const form = await forms.form()
  await form.json({ nom: "ici", adresse: "max@exemple.fr" })
  const stranger = await strangerOf(forms.service)
  const project = (await stranger.post("/api/v1/projects", { name: "Autre", site: "https://autre.fr" })).body
  const fields = [{ name: "adresse", label: "Adresse", type: "email" }]
  const theirs = (await stranger.post("/api/v1/forms", { project: project.id, name: "x", fields })).body
  await fetch(`${forms.service.url}/f/${theirs.public_id}`, {
    method: "POST",
    headers: { origin: "https://autre.fr", "content-type": "application/json" },
    body: JSON.stringify({ adresse: "Max@exemple.fr" }),
  })
  const run = (...argv: string[]) =>
    guichet([...argv, "max@exemple.fr"], { GUICHET_DATA_DIR: forms.service.app.config.dataDir })
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, "--json")).stdout)
  const ours = forms.api.workspaceId

  const all = await run("export")
  expect(JSON.parse(all.stdout)).toMatchObject({
    items: [{ workspace_id: ours }, { workspace_id: stranger.workspaceId }],
    workspaces: [
      { id: ours, items: 1 },
      { id: stranger.workspaceId, items: 1 },
    ],
  })
  expect(all.stderr).toContain("2 responses found in all workspaces")
  expect((await json("export", "--workspace", ours)).items).toHaveLength(1)
  expect((await run("erase", "--workspace", "ws_none")).exitCode).toBe(1)
  const one = await run("erase", "--workspace", ours, "--yes")
  expect(one.stdout).toContain("1 responses erased in one workspace, the others untouched")
  expect(one.stdout).toContain(`${ours}  1  `)
  expect(await json("erase", "--yes")).toMatchObject({
    erased: 1,
    workspaces: [{ id: stranger.workspaceId, erased: 1 }],
  })
  for (const command of ["erase", "export"])
    expect((await guichet([command, "--help"], {})).stdout).toContain("every workspace of the installation")
})

test("responses that outlive their form's retention are purged, those of other forms stay", async () => {
  const short = await forms.form({ retention_days: 7 })
  const endless = await forms.form()
  for (const form of [short, endless]) await form.json({ nom: "ancienne" })
  forms.clock.move(4 * dayMs)
  for (const form of [short, endless]) await form.json({ nom: "récente" })
  forms.clock.move(3 * dayMs)
  expect(await purgeForms(forms.service.app)).toBe(0)
  forms.clock.move(1)
  expect(await purgeForms(forms.service.app)).toBe(1)
  expect((await short.responses()).map(({ values }) => values.nom)).toEqual(["récente"])
  expect(await endless.responses()).toHaveLength(2)
})

test("a form goes with its responses and their payloads, however many", async () => {
  const form = await forms.form(twoAddresses)
  const sent = await Promise.all(
    Array.from({ length: 450 }, (_, i) => form.json({ nom: `n${i}`, adresse: "groupe@exemple.fr" })),
  )
  expect((await forms.api.delete(`/api/v1/forms/${form.id}`)).status).toBe(204)
  expect(messages.forgotten).toEqual(expect.arrayContaining(sent.map(({ body }) => body.id)))
  const { db } = forms.service.app
  expect(await db.selectFrom("form").select("id").where("id", "=", form.id).execute()).toEqual([])
  const left = db.selectFrom("form_response_address").selectAll().where("address", "=", "groupe@exemple.fr")
  expect(await left.execute()).toEqual([])
  expect((await form.json({ nom: "tard" })).status).toBe(404)
})

test("what goes with a workspace stands in the journal of erasures, so that no backup brings it back", async () => {
  const { service } = forms
  const other = await strangerOf(service)
  const project = await other.post("/api/v1/projects", { name: "Site", site })
  const made = await other.post("/api/v1/forms", { ...contact, project: project.body.id })
  const { body } = await answered(`${service.url}/f/${made.body.public_id}`, {
    method: "POST",
    headers: { origin: site },
    body: new URLSearchParams({ nom: "Camille" }),
  })
  expect((await other.delete(`/api/v1/workspaces/${other.workspaceId}`)).status).toBe(204)
  expect(readErasures(journalPath(service.app.config.dataDir))).toContain(body.id)
})

test("a form whose removal a crash cut short is seen by nobody, and the purge finishes it", async () => {
  const form = await forms.form()
  await form.json({ nom: "Camille" })
  const { db, clock } = forms.service.app
  await db.updateTable("form").set({ removed_at: clock.now() }).where("id", "=", form.id).execute()
  expect((await form.json({ nom: "Camille" })).status).toBe(404)
  expect((await forms.api.get(`/api/v1/forms/${form.id}`)).status).toBe(404)
  expect(await purgeForms(forms.service.app)).toBe(1)
  expect(await db.selectFrom("form").select("id").where("id", "=", form.id).execute()).toEqual([])
})

test("an address given in a field of another type is found and erased with the others", async () => {
  const form = await forms.form()
  await form.json({ nom: " Ailleurs@Exemple.fr " })
  await form.json({ nom: "Écrire à ailleurs@exemple.fr" })
  const { body } = await forms.api.post("/api/v1/exports", { email: "ailleurs@exemple.fr" })
  expect(body.items).toHaveLength(1)
  const erased = await forms.api.post("/api/v1/erasures", { email: "ailleurs@exemple.fr" })
  expect(erased.body).toEqual({ erased: 1 })
})

test("nothing is kept for less than two days, since the last attempt of a delivery comes after more than a day", async () => {
  const refused = await forms.api.post("/api/v1/forms", {
    ...contact,
    project: forms.projectId,
    retention_days: 1,
  })
  expect([refused.status, refused.body.error.fields.retention_days]).toEqual([
    400,
    expect.stringContaining("de 2 à"),
  ])
  const { id } = await forms.form({ retention_days: 2 })
  expect((await forms.api.get(`/api/v1/forms/${id}`)).body.retention_days).toBe(2)
})
