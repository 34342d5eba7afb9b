import { sql } from "kysely"
import { addOperator } from "../../src/accounts/operator.ts"
import { createToken } from "../../src/accounts/token.ts"
import { insertWorkspace } from "../../src/accounts/workspace.ts"
import { insertFiles } from "../../src/forms/responses/response-files.ts"
import { type Api, apiOf } from "./api.ts"
import { answerable, foreign, indexedProject, type Site } from "./ask.ts"
import { contents } from "./files.ts"
import { password } from "./operator.ts"
import type { Part, Service } from "./service.ts"

/** A service that holds one of each thing the API speaks of. */
export interface World extends Service {
  api: Api
  /** Opens everything of the workspace. */
  token: string
  /** Declared address of its project. */
  site: string
  /** By the collection they stand in. */
  ids: Record<string, string>
  /** A right body for each operation that takes one. */
  bodies: Record<string, Record<string, unknown>>
  /** The address of a thing, for the template of an operation. */
  addressOf(template: string): string
}

/** For `aService().withOneOfEach()`. */
export const oneOfEach: Part<World> = async (plan) => {
  plan.settings = { GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1", ...plan.settings }
  plan.overrides = { sendMail: async () => {}, ...plan.overrides }
  const addSite = await indexedProject()(plan)
  return async (service) => {
    const { db, clock } = service.app
    const { project, ask } = await addSite(service)
    const api = await apiOf(service)
    // The default workspace, the first, stays whatever is asked: this one may be removed like everything in it.
    const first = await insertWorkspace(db, "Le premier", clock.now())
    const moveFirst = sql`UPDATE workspace SET number = 0 WHERE id = ${first}`
    await db.transaction().execute((transaction) => moveFirst.execute(transaction))
    const { id: tokens } = await createToken(db, api.workspaceId, "CI", clock.now())
    const ids: Record<string, string> = { workspaces: api.workspaceId, projects: project.id, tokens }
    await fill({ ask, service }, api, ids)
    const { text: token } = await createToken(db, api.workspaceId, "all", clock.now())
    return {
      api,
      token,
      site: project.origins[0] as string,
      ids,
      bodies: bodiesFor(ids),
      addressOf: (template) =>
        template.replace(/([\w-]+)\/\{\w+\}/g, (_, collection: string) => {
          const id = ids[collection]
          if (!id) throw new Error(`the world holds nothing of ${collection}`)
          return `${collection}/${id}`
        }),
    }
  }
}

/** By the same calls as everybody. */
async function fill(
  { ask, service }: Pick<Site, "ask" | "service">,
  api: Api,
  ids: Record<string, string>,
): Promise<void> {
  const made = async (path: string, body?: object) => {
    const answer = await api.post(path, body)
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  ids["feeds"] = (await made(`/api/v1/projects/${ids["projects"]}/feeds`, { kind: "upload" })).id
  const uploaded = bodiesFor(ids)["POST /api/v1/projects/{id}/feeds/{feedId}/uploads"]
  const files = `/api/v1/projects/${ids["projects"]}/feeds/${ids["feeds"]}/uploads`
  ids["uploads"] = (await made(files, uploaded)).items[0].id
  ids["pages"] = (await api.get(`/api/v1/projects/${ids["projects"]}/documents`)).body.items[0].id
  const synonyms = bodiesFor(ids)["POST /api/v1/projects/{id}/synonyms"]
  ids["synonyms"] = (await made(`/api/v1/projects/${ids["projects"]}/synonyms`, synonyms)).id
  ids["answers"] = (await ask()).body.id
  ids["gaps"] = (await ask({ question: foreign })).body.id
  const ofProject = (path: string) => {
    const body = bodiesFor(ids)[`POST /api/v1/projects/{id}/${path}`]
    return made(`/api/v1/projects/${ids["projects"]}/${path}`, body)
  }
  ids["chosen-answers"] = (await ofProject("chosen-answers")).id
  ids["evaluation-questions"] = (await ofProject("evaluation-questions")).id
  ids["evaluation-runs"] = (await ofProject("evaluation-runs")).id
  ids["endpoints"] = (await made("/api/v1/endpoints", { url: "https://hooks.acme.fr/in" })).id
  ids["deliveries"] = (await made(`/api/v1/endpoints/${ids["endpoints"]}/tests`)).delivery_id
  const operator = {
    email: "editeur@exemple.fr",
    password,
    workspaceId: api.workspaceId,
    role: "editor",
  } as const
  ids["operators"] = (await addOperator(service.app.db, operator, service.app.clock.now())).id
  const form = await made("/api/v1/forms", bodiesFor(ids)["POST /api/v1/forms"])
  ids["forms"] = form.id
  const settings = `/api/v1/projects/${ids["projects"]}/widget-settings`
  await api.patch(settings, bodiesFor(ids)["PATCH /api/v1/projects/{id}/widget-settings"])
  ids["responses"] = await unwantedResponse(service, form)
  ids["notes"] = await noteOn(api, form.id, ids["responses"])
  ids["files"] = await fileOf(service, api.workspaceId, ids["responses"])
}

/** The id of a new file of a response. */
export async function fileOf(
  { app }: Pick<Service, "app">,
  workspaceId: string,
  response: string,
): Promise<string> {
  const described = { workspaceId, mediaType: "application/pdf", content: contents.pdf }
  const file = await app.files.put(described, new AbortController().signal)
  await app.db
    .transaction()
    .execute((transaction) =>
      insertFiles(transaction, response, [{ ...file, field: "piece", name: "piece.pdf" }]),
    )
  return file.id
}

/** The id of a new note on a response. */
export async function noteOn(api: Api, form: string, response: string): Promise<string> {
  const { body } = await api.post(`/api/v1/forms/${form}/responses/${response}/notes`, {
    text: "À rappeler.",
  })
  return body.notes[0].id
}

/** A response to the world's form: a trap that is filled in makes it an unwanted one, to be accepted. */
export async function unwantedResponse(
  { url }: Pick<Service, "url">,
  form: { public_id: string },
): Promise<string> {
  const posted = await fetch(`${url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: "https://docs.exemple.fr", "content-type": "application/json" },
    body: JSON.stringify({ adresse: "camille@exemple.fr", guichet_trap: "x" }),
  })
  return ((await posted.json()) as { id: string }).id
}

function bodiesFor(ids: Record<string, string>): World["bodies"] {
  const fields = [{ name: "adresse", label: "Votre adresse", type: "email" }]
  return {
    "PATCH /api/v1/forms/{id}/responses/{responseId}": { progress: "doing" },
    "POST /api/v1/forms/{id}/responses/{responseId}/notes": { text: "Rappelé ce matin." },
    "POST /api/v1/ask": { project: ids["projects"], question: answerable },
    "POST /api/v1/search": { project: ids["projects"], q: "signature" },
    "POST /api/v1/answers/{id}/feedback": { useful: true },
    "POST /api/v1/answers/{id}/opened": { n: 1 },
    "POST /api/v1/projects": { name: "Autre", site: "https://autre.fr" },
    "PATCH /api/v1/projects/{id}": { per_day: 100 },
    "POST /api/v1/projects/{id}/feeds": { kind: "upload", address: "https://docs.exemple.fr/fichiers" },
    "PATCH /api/v1/projects/{id}/feeds/{feedId}": { headers: [] },
    "POST /api/v1/projects/{id}/feeds/{feedId}/uploads": {
      files: [{ name: "tarifs.md", content: Buffer.from("# Tarifs\n\nUn euro.\n").toString("base64") }],
    },
    "POST /api/v1/projects/{id}/synonyms": { words: ["mél", "courrier électronique"] },
    "POST /api/v1/projects/{id}/index-runs": { force: false },
    "POST /api/v1/projects/{id}/trials": { question: answerable },
    "PATCH /api/v1/projects/{id}/widget-settings": { title: "Aide", contact_form: ids["forms"] },
    "POST /api/v1/projects/{id}/contact/answer": { text: answerable },
    "POST /api/v1/projects/{id}/chosen-answers": {
      questions: ["Où se trouve le guichet ?"],
      answer: "Au rez-de-chaussée.[^1]",
      sources: ["https://docs.exemple.fr/installation"],
    },
    "PATCH /api/v1/projects/{id}/chosen-answers/{chosenId}": { answer: "Au premier étage." },
    "PATCH /api/v1/projects/{id}/gaps/{gapId}": { state: "treated" },
    "PUT /api/v1/projects/{id}/gap-mails": { operators: [] },
    "POST /api/v1/projects/{id}/evaluation-questions": {
      question: answerable,
      page: "/verifier-une-signature",
    },
    "PATCH /api/v1/projects/{id}/evaluation-runs/{runId}": { accepted: true },
    "POST /api/v1/forms": {
      project: ids["projects"],
      name: "Contact",
      fields,
      notify: ["avis@exemple.fr"],
    },
    "POST /api/v1/forms/{id}/notice-links": { to: "avis@exemple.fr" },
    "PATCH /api/v1/forms/{id}": { retention_days: 30 },
    "POST /api/v1/exports": { email: "camille@exemple.fr" },
    "POST /api/v1/erasures": { email: "nobody@exemple.fr" },
    "POST /api/v1/endpoints": { url: "https://hooks.acme.fr/other" },
    "PATCH /api/v1/endpoints/{id}": { description: "CRM" },
    "POST /api/v1/endpoints/{id}/tests": { type: "endpoint.failing" },
    "POST /api/v1/endpoints/{id}/replays": { since: "2026-03-01" },
    "POST /api/v1/endpoints/{id}/replay-cancellations": { replayed_at: "2026-03-01T10:00:00.000Z" },
    "POST /api/v1/tokens": { name: "Lecture", scopes: ["forms:read"] },
    "PATCH /api/v1/tokens/{id}": { name: "Autre nom" },
    "POST /api/v1/operators": { email: "lecture@exemple.fr", role: "viewer" },
    "PATCH /api/v1/operators/{id}": { role: "viewer" },
    "PUT /api/v1/operators/{id}/password": {
      present_password: password,
      password: "un tout autre mot de passe",
    },
    "POST /api/v1/mail-tests": { to: "camille@exemple.fr" },
    "POST /api/v1/workspaces": { name: "Client" },
    "PATCH /api/v1/workspaces/{id}": { name: "Agence" },
  }
}
