import type { SelectQueryBuilder } from "kysely"
import { detail, required, requireRoom } from "../../base/errors.ts"
import { newId, randomText } from "../../base/ids.ts"
import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import { lookup } from "../../db/lookup.ts"
import type { Row, Schema } from "../../db/schema.ts"
import { type PageRequest, rowsOfPage } from "../../db/search.ts"
import { changeRows, countOf, insertRows, newestFirst } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { type Consent, keepConsentText } from "./consent-text.ts"
import type { Field } from "./field.ts"
import type { NoticeAddress } from "./notify.ts"

/** A form: the address that pages post to, and the owner's description. */
export interface Form {
  id: string
  publicId: string
  projectId: string
  workspaceId: string
  /** The project's site, which mails and pages name. */
  site: { name: string; url: string }
  name: string
  fields: Field[]
  consent: Consent | null
  redirectUrl: string | null
  /** Days that responses are kept; null means until they are erased by hand. */
  retentionDays: number | null
  /** Who is told about each new response, and whether the mail shows what was typed or only a link. */
  notify: NoticeAddress[]
  notifyContents: boolean
  /** Whether the form has a page of its own, at the address that it posts to. */
  hosted: boolean
  /** Whether the person who wrote gets a mail that it arrived. */
  receipt: boolean
  button: string | null
  /** Text shown once the form is sent; null for the usual sentence. */
  thanks: string | null
  /** When it begins and ceases to take responses, in ms since 1970. */
  opensAt: number | null
  closesAt: number | null
  /** Responses that it takes at most, beside unwanted ones. */
  maxResponses: number | null
  /** Whether a browser has to work for a second before it sends the form. */
  proofOfWork: boolean
  /** Whether the address of its own page may fill in its fields, by their names. */
  prefill: boolean
  createdAt: number
}

/** The owner's part of a form, already checked by `checkedForm`. */
export type FormDescription = Omit<
  Form,
  "id" | "publicId" | "projectId" | "workspaceId" | "site" | "createdAt"
>

/** Most forms of one project, including those being erased. Bounds a token that creates forms in a loop. */
export const maxForms = 500

/** Most forms of one workspace: endpoints and their deliveries are chosen by form. */
export const maxFormsOfWorkspace = 2000

/** Subject of `withLock` for adding a form to a project, or removing the project once it has none. */
export function formsSubject(projectId: string): string {
  return `forms:${projectId}`
}

/** Resolves to the id. Throws Refusal `conflict` beyond `maxForms` and `maxFormsOfWorkspace`. */
export async function insertForm(db: Db, projectId: string, described: FormDescription, nowMs: number) {
  const id = newId("form", nowMs)
  await withLock(db, formsSubject(projectId), async (transaction) => {
    requireRoom(await countForms(transaction, projectId), maxForms, "forms.tooManyForms")
    const beside = await countFormsBeside(transaction, projectId)
    requireRoom(beside, maxFormsOfWorkspace, "forms.tooManyInWorkspace")
    await insertRows(transaction, "form", {
      id,
      public_id: randomText(16, "abcdefghijkmnpqrstuvwxyz23456789"),
      project_id: projectId,
      ...columns(described),
      created_at: nowMs,
      removed_at: null,
    })
    await keepConsentText(transaction, id, described.consent)
  })
  return id
}

async function countFormsBeside(db: Db, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom("project as own")
    .innerJoin("project", "project.workspace_id", "own.workspace_id")
    .innerJoin("form", "form.project_id", "project.id")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("own.id", "=", projectId)
    .executeTakeFirstOrThrow()
  return count
}

/** Those being erased among them. */
export function countForms(db: Db, projectId: string): Promise<number> {
  return countOf(db, "form", { project_id: projectId })
}

/** In the caller's transaction. Throws Refusal `conflict` for a consent that was reworded too often. */
export async function saveForm(transaction: Db, id: string, described: FormDescription): Promise<void> {
  await changeRows(transaction, "form", { id }, columns(described))
  await keepConsentText(transaction, id, described.consent)
}

/** Hides the form and refuses posts to it from now on; `purgeForms` erases it with its responses. */
export async function markFormRemoved(db: Db, id: string, nowMs: number): Promise<void> {
  await changeRows(db, "form", { id }, { removed_at: nowMs })
}

export async function findForm(db: Db, workspaceId: string, id: string): Promise<Form | undefined> {
  const row = await formRows(db)
    .where("form.id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  return row && formOfRow(row)
}

/** Throws Refusal `not_found`, also for a form of another project than `projectId` where one is given. */
export async function requireForm(
  db: Db,
  workspaceId: string,
  id: string,
  projectId?: string,
): Promise<Form> {
  const form = await findForm(db, workspaceId, id)
  const isThere = form && (projectId ?? form.projectId) === form.projectId
  return required(isThere ? form : undefined, detail("forms.unknownForm", { id }))
}

/** Finds a form of any workspace, for work that the service does by itself. */
export async function findFormById(db: Db, id: string): Promise<Form | undefined> {
  const row = await formRows(db).where("form.id", "=", id).executeTakeFirst()
  return row && formOfRow(row)
}

/** Finds a form for visitors, who know only the address that a page posts to. */
export async function findPublicForm(db: Db, publicId: string): Promise<Form | undefined> {
  const [row] = await rowByPublicId(db, publicId)
  return row && formOfRow(row)
}

interface FormListRequest extends Partial<PageRequest> {
  projectId?: string | undefined
}

export async function listForms(db: Db, workspaceId: string, request: FormListRequest = {}): Promise<Form[]> {
  const rows = await formRows(db).$call(listed(workspaceId, request)).execute()
  return rows.map(formOfRow)
}

export type NamedForm = Pick<Form, "id" | "name" | "projectId"> & { hasConsent: boolean }

/** The names of the forms of a workspace, newest first: a whole form may have half a megabyte. */
export async function listFormNames(
  db: Db,
  workspaceId: string,
  request: Pick<FormListRequest, "projectId"> = {},
): Promise<NamedForm[]> {
  const rows = await presentForms(db)
    .select(["form.id", "form.name", "project_id as projectId"])
    .select((row) => row("consent_text", "is not", null).as("hasConsent"))
    .$call(listed(workspaceId, request))
    .execute()
  return rows.map((row) => ({ ...row, hasConsent: Boolean(row.hasConsent) }))
}

/** These forms of a workspace, by id, read one by one. */
export async function findForms(
  db: Db,
  workspaceId: string,
  ids: Iterable<string>,
): Promise<Map<string, Form>> {
  const formsById = new Map<string, Form>()
  for (const id of new Set(ids)) {
    const form = await findForm(db, workspaceId, id)
    if (form) formsById.set(id, form)
  }
  return formsById
}

/** The first forms of a page that are read together, at least one, and the id after which the list goes on. */
export async function listFormsPage(
  db: Db,
  workspaceId: string,
  { after, atMost, projectId }: FormListRequest & { atMost: number },
): Promise<{ rows: Form[]; next: string | null }> {
  const sized = await presentForms(db)
    .select(["form.id", bytesOf("fields", "consent_text", "thanks").as("bytes")])
    .$call(listed(workspaceId, { after, projectId, atMost: atMost + 1 }))
    .execute()
  // A form may have half a megabyte.
  const count = rowsOfPage(sized, atMost)
  const rows = count === 0 ? [] : await listForms(db, workspaceId, { after, projectId, atMost: count })
  return { rows, next: count < sized.length ? (sized[count - 1]?.id ?? null) : null }
}

const rowByPublicId = lookup<FormRow>((isWanted, db) =>
  formRows(db).select("public_id as key").where(isWanted("public_id")).compile(),
)

type FormRow = Row<"form"> & { key?: string; workspace_id: string; site_name: string; site_url: string }

function presentForms(db: Db) {
  return db
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .where("removed_at", "is", null)
}

function formRows(db: Db) {
  return presentForms(db)
    .selectAll("form")
    .select(["project.workspace_id", "project.name as site_name", "project.site as site_url"])
}

function listed(workspaceId: string, { projectId, ...part }: FormListRequest) {
  return <Found>(query: SelectQueryBuilder<Schema, "form" | "project", Found>) =>
    query
      .where("workspace_id", "=", workspaceId)
      .$if(projectId !== undefined, (forms) => forms.where("project_id", "=", projectId as string) as never)
      .$call(newestFirst("form.id", part))
}

function formOfRow(row: FormRow): Form {
  const { site_name, site_url, consent_text, consent_confirmation, removed_at, key, ...named } = row
  const { notify, notify_contents, ...columns } = named
  return {
    ...camelNames(columns),
    site: { name: site_name, url: site_url },
    fields: JSON.parse(row.fields) as Field[],
    consent: consent_text === null ? null : { text: consent_text, confirmation: consent_confirmation === 1 },
    notify: notify === null ? [] : (JSON.parse(notify) as NoticeAddress[]),
    notifyContents: notify_contents === 1,
    hosted: row.hosted === 1,
    receipt: row.receipt === 1,
    proofOfWork: row.proof_of_work === 1,
    prefill: row.prefill === 1,
  }
}

function columns(described: FormDescription) {
  return {
    name: described.name,
    fields: JSON.stringify(described.fields),
    consent_text: described.consent?.text ?? null,
    consent_confirmation: described.consent?.confirmation ? (1 as const) : (0 as const),
    redirect_url: described.redirectUrl,
    retention_days: described.retentionDays,
    notify: described.notify.length === 0 ? null : JSON.stringify(described.notify),
    notify_contents: described.notifyContents ? (1 as const) : (0 as const),
    hosted: described.hosted ? (1 as const) : (0 as const),
    receipt: described.receipt ? (1 as const) : (0 as const),
    button: described.button,
    thanks: described.thanks,
    opens_at: described.opensAt,
    closes_at: described.closesAt,
    max_responses: described.maxResponses,
    proof_of_work: described.proofOfWork ? (1 as const) : (0 as const),
    prefill: described.prefill ? (1 as const) : (0 as const),
  }
}
