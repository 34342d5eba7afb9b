import { storePasskey, verifyNewPasskey } from "../../src/accounts/second-factor/passkeys.ts"
import { creationOptions } from "../../src/accounts/second-factor/relying-party.ts"
import { storeTotp } from "../../src/accounts/second-factor/totp.ts"
import { findSession, openSession, type Session } from "../../src/accounts/session.ts"
import { sha256 } from "../../src/base/hash.ts"
import { originOf } from "../../src/base/origin.ts"
import { type ConsoleClient, password } from "./operator.ts"
import { authenticator } from "./passkey.ts"
import type { Service } from "./service.ts"
import { totpCode } from "./totp.ts"
import type { World } from "./world.ts"

/** A row of a face: an operation, and where it is found. */
export type Performing = Service["performing"][number]

export const isOfConsole = ({ path }: Performing) => path.startsWith("/console")
export const nameOf = ({ method, path }: Performing) => `${method} ${path}`

const describedForm = {
  name: "Contact",
  field_count: "1",
  "fields.0.label": "Votre adresse",
  "fields.0.name": "adresse",
  "fields.0.type": "email",
}

const chosenAnswer = {
  questions: "Où est le guichet ?",
  answer: "Au rez-de-chaussée.[^1]",
  source: "https://docs.exemple.fr/installation",
}

/** Values of the forms of the console that have fields, by address; `:gaps` is the id of the world's gap. */
const formValues: Record<string, Record<string, string>> = {
  "/console/projects": { site: "https://console.exemple.fr" },
  "/console/projects/:project/settings": { name: "Guide", site: "https://docs.exemple.fr" },
  "/console/projects/:project/removal": { typed_name: "Guide" },
  "/console/projects/:project/indexing/schedule": { every_hours: "24" },
  "/console/projects/:project/forms/new": describedForm,
  "/console/projects/:project/forms/:form/settings": { ...describedForm, notify: "avis@exemple.fr" },
  "/console/projects/:project/forms/:form/notice-links": { to: "avis@exemple.fr" },
  "/console/projects/:project/forms/:form/page": { hosted: "on" },
  "/console/projects/:project/forms/:form/responses/:response/follow-up": { progress: "doing" },
  "/console/projects/:project/forms/:form/responses/:response/notes": { text: "Rappelé ce matin." },
  "/console/deliveries": { delivery: ":deliveries", confirmed: "yes" },
  "/console/deliveries/:delivery": { confirmed: "yes" },
  "/console/webhooks/:endpoint/deliveries": { delivery: ":deliveries", confirmed: "yes" },
  "/console/persons/erasure": { email: "camille@exemple.fr" },
  "/console/persons": { email: "camille@exemple.fr" },
  "/console/persons/export": { email: "camille@exemple.fr" },
  "/console/settings/mail": { to: "camille@exemple.fr" },
  "/console/settings/operators": { email: "console@exemple.fr", role: "viewer" },
  "/console/settings/operators/:operator": { role: "viewer" },
  "/console/settings/operators/:operator/second-factor-removal": { present_password: password },
  "/console/settings/password": { present_password: password, password: "encore un autre mot de passe" },
  "/console/settings/account/removal": { present_password: password },
  "/console/settings/second-factor": { requires_second_factor: "no" },
  "/console/account/sessions/:session/removal": { present_password: password },
  "/console/account/sessions/removal": { present_password: password },
  "/console/account/two-factor/recovery-codes": { present_password: password },
  "/console/account/two-factor/removal": { present_password: password },
  "/console/settings/tokens": { name: "Console", forms: "read" },
  "/console/settings/workspace": { name: "Agence" },
  "/console/settings/workspaces": { name: "Client de la console" },
  "/console/webhooks": { url: "https://hooks.acme.fr/console", every: "on" },
  "/console/webhooks/:endpoint": { description: "Compta", url: "https://hooks.acme.fr/in" },
  "/console/webhooks/:endpoint/answer": { answer: "ok" },
  "/console/webhooks/:endpoint/replays": { since: "2026-03-01" },
  "/console/webhooks/:endpoint/replay/cancel": { at: "1", count: "1" },
  "/console/projects/:project/questions/gaps/marks": { gap: ":gaps", mark: "treated" },
  "/console/projects/:project/indexing/feeds": {
    kind: "sitemap",
    address: "https://docs.exemple.fr/plan.xml",
  },
  "/console/projects/:project/questions/evaluation": { question: "Où est le guichet ?", page: "/plan" },
  "/console/projects/:project/questions/evaluation/imports": {
    rows: "question;page\nOù est le guichet ?;/plan",
  },
  "/console/projects/:project/questions/chosen": chosenAnswer,
  "/console/projects/:project/questions/chosen/:answer": chosenAnswer,
  "/console/projects/:project/trials": { question: "Où est le guichet ?" },
  "/console/projects/:project/questions/gaps/trials": { gap: ":gaps" },
  "/console/projects/:project/synonyms": { words: "courriel, mél" },
}

/** Of the world, by a word of the console's addresses that is another. */
const collectionsOf: Record<string, string> = {
  chosen: "chosen-answers",
  evaluation: "evaluation-questions",
  runs: "evaluation-runs",
}

async function addressOf(world: World, row: Performing): Promise<string> {
  if (row.path.endsWith("/:endpoint/answer")) return row.path.replace(":endpoint", await testReceiver(world))
  return row.path.replace(/([\w-]+)\/:(\w+)/g, (_, collection: string, param: string) => {
    const usual = isOfConsole(row) ? `${param.replace(/y$/, "ie")}s` : collection
    const things = collectionsOf[collection] ?? usual
    const id = world.ids[things]
    if (!id) throw new Error(`the world holds none of ${things}`)
    return `${collection}/${id}`
  })
}

/** The test receiver of the world, which is made where there is none. */
export async function testReceiver(world: World): Promise<string> {
  const { items } = (await world.api.get("/api/v1/endpoints")).body
  const found = items.find(({ kind }: { kind: string }) => kind === "test")
  return (found ?? (await world.api.post("/api/v1/endpoints", { kind: "test" })).body).id
}

/** Through the API. Resolves to the status. */
export async function call(world: World, row: Performing, token = world.token): Promise<number> {
  const body = world.bodies[nameOf(row).replace(/:(\w+)/g, "{$1}")]
  const reply = await fetch(`${world.service.url}${await addressOf(world, row)}`, {
    method: row.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await reply.arrayBuffer()
  return reply.status
}

/** Values that depend on the client. */
const formValuesOf: Record<
  string,
  (world: World, client: ConsoleClient) => Promise<Record<string, string | File>>
> = {
  "/console/projects/:project/indexing/feeds/:feed/uploads": async () => ({
    files: new File(["# Tarifs\n\nDeux euros.\n"], "tarifs.md"),
  }),
  async "/console/account/two-factor"({ app }, client) {
    const sealed = app.vault.seal(totpSecret, `totp ${(await sessionOf(app, client)).operator.id}`)
    return { sealed, code: totpCode(totpSecret, app.clock.now()), present_password: password }
  },
  "/console/account/passkeys": passkeyValues,
  "/console/account/passkeys/removal": storedPasskey,
}

/** The credential of a device for the form of the page, and one that is stored already. */
async function passkeyValues({ app }: World, client: ConsoleClient): Promise<Record<string, string>> {
  const operator = (await sessionOf(app, client)).operator
  const options = creationOptions(app, { operator, present: [] }, app.clock.now())
  const credential = authenticator(originOf(app.config.publicUrl) as string).register(options)
  return { name: "Téléphone", credential, present_password: password }
}

async function storedPasskey(world: World, client: ConsoleClient): Promise<Record<string, string>> {
  const { app } = world
  const { operator } = await sessionOf(app, client)
  const { credential = "", name = "" } = await passkeyValues(world, client)
  const sent = { credential, purpose: `new passkey ${operator.id}` as const }
  const verified = await verifyNewPasskey(app, sent, app.clock.now())
  await app.db
    .transaction()
    .execute((transaction) =>
      storePasskey(transaction, verified, { operatorId: operator.id, name }, app.clock.now()),
    )
  return { passkey: verified.id, present_password: password }
}

const totpSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

/** What must be there before a form of the console is submitted, by address. */
const made: Record<string, (world: World, client: ConsoleClient) => Promise<void>> = {
  async "/console/account/sessions/:session/removal"(world, client) {
    world.ids["sessions"] = await otherSession(world, client)
  },
  "/console/account/two-factor/recovery-codes": withTotp,
  "/console/account/two-factor/removal": withTotp,
  "/console/settings/operators/:operator/second-factor-removal": ({ app, ids }) =>
    addTotp(app, ids["operators"] as string),
}

/** The client has an authenticator app, which another row may have added and removed. */
async function withTotp({ app }: World, client: ConsoleClient): Promise<void> {
  await addTotp(app, (await sessionOf(app, client)).operator.id)
}

async function addTotp(app: World["app"], operatorId: string): Promise<void> {
  const sealed = app.vault.seal(totpSecret, `totp ${operatorId}`)
  const wanted = { operatorId, sealed, code: totpCode(totpSecret, app.clock.now()) }
  await app.db
    .transaction()
    .execute((transaction) => storeTotp(transaction, app.vault, wanted, app.clock.now()))
}

/** The client signs in with another browser, too. */
async function otherSession(world: World, client: ConsoleClient): Promise<string> {
  const { db, clock } = world.app
  const { operator } = await sessionOf(world.app, client)
  const other = (await openSession(db, operator, clock.now())) as { text: string }
  return sha256(other.text)
}

async function sessionOf({ db, clock }: World["app"], { cookie }: ConsoleClient): Promise<Session> {
  return (await findSession(db, cookie.split("=")[1] as string, clock.now())) as Session
}

/** Through the console. Resolves to the status. */
export async function submit(world: World, row: Performing, client: ConsoleClient): Promise<number> {
  await made[row.path]?.(world, client)
  const address = await addressOf(world, row)
  if (row.method === "GET") return (await client.get(address)).status
  const values = Object.entries(formValues[row.path] ?? {}).map(([name, value]) => [
    name,
    value.replace(/^:(.+)$/, (_, things: string) => world.ids[things] ?? ""),
  ])
  const own = await formValuesOf[row.path]?.(world, client)
  return (await client.post(address, { ...Object.fromEntries(values), ...own })).status
}
