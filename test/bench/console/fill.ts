import { insertProject, type Project } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { dayMs, hourMs, minuteMs } from "../../../src/base/clock.ts"
import { newId } from "../../../src/base/ids.ts"
import { fold } from "../../../src/base/text.ts"
import type { Db } from "../../../src/db/connection.ts"
import { type Form, findForm, insertForm } from "../../../src/forms/definition/form.ts"
import { insertWords } from "../../../src/forms/responses/response-words.ts"
import { type Endpoint, insertEndpoint } from "../../../src/webhooks/endpoints/endpoint.ts"
import type { Service } from "../../support/service.ts"

export interface Filled {
  projects: Project[]
  forms: Form[]
  endpoints: Endpoint[]
  /** Of the first form, the newest. */
  responseId: string
  deliveryId: string
}

/** Rows of one statement. */
const batchRows = 500
const overMs = 29 * dayMs

/**
 * Four projects of an agency, three forms and three endpoints, of which one is dead and one flaky; `count` answers,
 * form responses and deliveries of the last month, written straight into the database. Most belong to the first project.
 */
export async function fill({ app }: Service, count: number): Promise<Filled> {
  const { db, clock, vault } = app
  const nowMs = clock.now()
  const workspaceId = await defaultWorkspaceId(db)
  const sites = ["Boutique de vélos", "Mairie de Sainte-Engrâce", "Cabinet Moreau", "Festival des Brumes"]
  const projects: Project[] = []
  for (const [number, name] of sites.entries())
    projects.push(
      await insertProject(
        db,
        workspaceId,
        { name, site: `https://site${number}.exemple.fr` },
        nowMs - overMs,
      ),
    )
  const [first] = projects as [Project]
  const forms: Form[] = []
  for (const name of ["Contact", "Devis", "Inscription"])
    forms.push(await formOf(db, workspaceId, first.id, name, nowMs - overMs))
  const endpoints: Endpoint[] = []
  for (const [number, description] of ["Application de suivi", "CRM (instable)", "Ancien outil"].entries()) {
    const added = {
      url: `https://hooks${number}.exemple.fr/guichet`,
      description,
      active: true,
      projects: [],
      forms: [],
    }
    endpoints.push((await insertEndpoint(db, vault, workspaceId, added, nowMs - overMs)).endpoint)
  }
  await fillAnswers(db, projects, count, nowMs)
  const responseId = await fillResponses(db, forms, count, nowMs)
  const deliveryId = await fillDeliveries(db, workspaceId, endpoints, nowMs)
  return { projects, forms, endpoints, responseId, deliveryId }
}

async function formOf(
  db: Db,
  workspaceId: string,
  projectId: string,
  name: string,
  nowMs: number,
): Promise<Form> {
  const described = {
    name,
    fields: [
      { name: "nom", label: "Votre nom", type: "text", required: true, options: [] },
      { name: "email", label: "Votre adresse e-mail", type: "email", required: true, options: [] },
      { name: "message", label: "Votre message", type: "textarea", required: false, options: [] },
    ],
    consent: { text: "J’accepte d’être recontacté.", confirmation: false },
    redirectUrl: null,
    retentionDays: null,
    notify: [],
    notifyContents: false,
    opensAt: null,
    closesAt: null,
    maxResponses: null,
  } as unknown as Parameters<typeof insertForm>[2]
  return (await findForm(db, workspaceId, await insertForm(db, projectId, described, nowMs))) as Form
}

/** The time of row `number` of `count`, oldest first, more by day than by night. */
function timeOf(number: number, count: number, nowMs: number): number {
  return Math.round(nowMs - overMs + ((overMs - minuteMs) * (number + 1)) / count)
}

async function inBatches(count: number, write: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += batchRows) await write(from, Math.min(from + batchRows, count))
}

const subjects = [
  "renvoyer un webhook",
  "changer la couleur du widget",
  "payer par virement",
  "supprimer un compte",
  "inviter une collègue",
  "exporter les messages",
]
const openings = ["Comment", "Où", "Puis-je", "Combien de temps pour", "Pourquoi ne pas"]

async function fillAnswers(
  db: Db,
  projects: readonly Project[],
  count: number,
  nowMs: number,
): Promise<void> {
  await inBatches(count, async (from, to) => {
    const rows = Array.from({ length: to - from }, (_, index) => {
      const number = from + index
      const atMs = timeOf(number, count, nowMs)
      const isAnswered = number % 7 !== 3
      const project = projects[number % 10 < 7 ? 0 : (number % 10) - 6] as Project
      const question = `${openings[number % 5]} ${subjects[number % 6]} ${number % 13 === 0 ? `(cas ${number})` : ""} ?`
      return {
        id: newId("ans", atMs),
        project_id: project.id,
        question,
        page: number % 3 === 0 ? `/guide/${number % 40}` : null,
        status: isAnswered ? ("answered" as const) : ("no_answer" as const),
        answer: isAnswered
          ? `Ouvrez la page **Webhooks**, puis **Livraisons** et **Renvoyer**.[^1] ${"Le même message part de nouveau, avec la même signature. ".repeat(6)}`
          : "La documentation ne répond pas à cette question. Essayez de la reformuler.",
        sources: isAnswered
          ? JSON.stringify([
              {
                n: 1,
                title: `Page ${number % 40}`,
                section: "Renvoyer",
                url: `https://site0.exemple.fr/guide/${number % 40}#renvoyer`,
              },
            ])
          : "[]",
        generation: 1,
        cache_key: null,
        created_at: atMs,
        useful: number % 11 === 0 ? (1 as const) : number % 17 === 0 ? (0 as const) : null,
        reason: null,
        related: null,
        courtesy: number % 50 === 0 ? ("greeting" as const) : null,
      }
    })
    await db.insertInto("answer").values(rows).execute()
  })
}

const names = ["Camille", "Dominique", "Sacha", "Maël", "Zoé", "Hélène", "Gaël", "Noémie"]
const families = ["Durand", "Lefèvre", "Garcia", "N’Guyen", "Étienne", "Le Goff", "Œuvrard"]

/** Resolves to the id of the newest one. */
async function fillResponses(db: Db, forms: readonly Form[], count: number, nowMs: number): Promise<string> {
  let last = ""
  await inBatches(count, async (from, to) => {
    const rows = Array.from({ length: to - from }, (_, index) => {
      const number = from + index
      const atMs = timeOf(number, count, nowMs)
      const nom = `${names[number % 8]} ${families[number % 7]}`
      const email = `visiteur${number}@exemple.fr`
      const message = `Bonjour,\nje voudrais savoir comment ${subjects[number % 6]}. Dossier ${number}.`
      const state = number % 200 === 0 ? ("held" as const) : ("received" as const)
      return {
        id: newId("resp", atMs),
        form_id: (forms[number % 5 < 3 ? 0 : (number % 5) - 2] as Form).id,
        state,
        stopped_by: state === "held" ? ("speed" as const) : null,
        field_values: JSON.stringify({ nom, email, message }),
        email,
        consent_status: number % 4 === 0 ? ("confirmed" as const) : null,
        consent_text: number % 4 === 0 ? "J’accepte d’être recontacté." : null,
        consent_at: number % 4 === 0 ? atMs : null,
        consent_confirmed_at: null,
        page: `https://site0.exemple.fr/contact`,
        idempotency_hash: null,
        answer_id: null,
        created_at: atMs,
        read_at: number > count - 1000 && number % 3 !== 0 ? null : atMs,
      }
    })
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto("form_response").values(rows).execute()
      await transaction
        .insertInto("form_response_address")
        .values(rows.map(({ id, email }) => ({ address: email, response_id: id })))
        .execute()
      for (const { id, field_values } of rows)
        await insertWords(transaction, { id, values: JSON.parse(field_values) })
    })
    last = rows.findLast(({ form_id, state }) => form_id === forms[0]?.id && state === "received")?.id ?? last
  })
  return last
}

/** A delivery of each received response: to the first endpoint mostly, the others fail often or always. */
async function fillDeliveries(
  db: Db,
  workspaceId: string,
  endpoints: readonly Endpoint[],
  nowMs: number,
): Promise<string> {
  let [after, number, deliveryId] = ["", 0, ""]
  for (;;) {
    const responses = await db
      .selectFrom("form_response")
      .select(["id", "form_id", "field_values", "email", "created_at"])
      .where("state", "=", "received")
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchRows)
      .execute()
    if (responses.length === 0) break
    after = responses.at(-1)?.id as string
    const made = responses.map(({ id, form_id, field_values, email, created_at: atMs }) => {
      const place = number++ % 10
      const endpoint = endpoints[place < 7 ? 0 : place < 9 ? 1 : 2] as Endpoint
      const isFailed = endpoint === endpoints[2] || (endpoint === endpoints[1] && number % 4 === 0)
      const isGivenUp = isFailed && atMs < nowMs - 2 * dayMs
      return {
        responseId: id,
        formId: form_id,
        person: email,
        searchText: fold(Object.values(JSON.parse(field_values)).join(" ")),
        messageId: newId("msg", atMs),
        id: newId("dlv", atMs),
        atMs,
        endpoint,
        isFailed,
        isGivenUp,
      }
    })
    deliveryId = made.at(-1)?.id as string
    const payload = new TextEncoder().encode(JSON.stringify({ type: "form.response.created", data: {} }))
    await db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("message")
        .values(
          made.map(({ messageId, responseId, formId, person, searchText, atMs }) => ({
            id: messageId,
            workspace_id: workspaceId,
            response_id: responseId,
            form_id: formId,
            person,
            search_text: searchText,
            type: "form.response.created",
            payload,
            created_at: atMs,
          })),
        )
        .execute()
      const numbers = await transaction
        .insertInto("delivery")
        .values(
          made.map(({ id, messageId, endpoint, atMs, isFailed, isGivenUp }) => ({
            id,
            message_id: messageId,
            endpoint_id: endpoint.id,
            state: isGivenUp ? ("failed" as const) : isFailed ? ("pending" as const) : ("delivered" as const),
            attempts_made: isGivenUp ? 8 : 1,
            created_at: atMs,
            ended_at: isFailed && !isGivenUp ? null : atMs + 400,
            // Far away, so that nothing is sent while pages are asked.
            due_at: isFailed && !isGivenUp ? nowMs + dayMs : null,
            due_is_late: 1 as const,
            resend_at: null,
            resend_is_late: 0 as const,
            last_outcome: isFailed ? ("http_status" as const) : ("delivered" as const),
            last_status: isFailed ? 503 : 200,
            last_duration_ms: 80,
          })),
        )
        .returning(["number", "id"])
        .execute()
      const byId = new Map(numbers.map((row) => [row.id, row.number]))
      await transaction
        .insertInto("attempt")
        .values(
          made.map(({ id, atMs, isFailed }) => ({
            delivery_number: byId.get(id) as number,
            number: 1,
            kind: "automatic" as const,
            at: atMs,
            outcome: isFailed ? ("http_status" as const) : ("delivered" as const),
            status: isFailed ? 503 : 200,
            duration_ms: 80,
            response_excerpt: isFailed ? "Service Unavailable" : "",
          })),
        )
        .execute()
    })
  }
  await fillHours(db, endpoints)
  return deliveryId
}

/** As the counters would stand if the deliveries had been made one by one. */
async function fillHours(db: Db, endpoints: readonly Endpoint[]): Promise<void> {
  const ids = endpoints.map(({ id }) => id)
  const rows = await db
    .selectFrom("delivery")
    .select(["endpoint_id", "state", "created_at"])
    .where("endpoint_id", "in", ids)
    .execute()
  const hours = new Map<string, { delivered: number; failed: number; givenUp: number }>()
  for (const { endpoint_id, state, created_at } of rows) {
    const key = `${endpoint_id} ${Math.floor(created_at / hourMs) * hourMs}`
    const hour = hours.get(key) ?? { delivered: 0, failed: 0, givenUp: 0 }
    if (state === "delivered") hour.delivered++
    else hour.failed++
    if (state === "failed") hour.givenUp++
    hours.set(key, hour)
  }
  const all = [...hours].map(([key, { delivered, failed, givenUp }]) => {
    const [endpoint_id = "", hour = "0"] = key.split(" ")
    return {
      endpoint_id,
      hour_at: Number(hour),
      delivered,
      failed_attempts: failed,
      given_up: givenUp,
      last_delivered_at: delivered > 0 ? Number(hour) : null,
    }
  })
  await inBatches(all.length, async (from, to) => {
    await db.insertInto("endpoint_hour").values(all.slice(from, to)).execute()
  })
}
