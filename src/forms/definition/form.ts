import type { Selectable } from "kysely"
import { detail, Refusal } from "../../base/errors.ts"
import { newId, randomText } from "../../base/ids.ts"
import { preparedOnce } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { FormTables } from "../../db/tables/forms.ts"
import { type Consent, keepWording } from "../consent/consent-text.ts"
import type { Field } from "./field.ts"

/** What a page posts to, and what the owner described. */
export interface Form {
  id: string
  publicId: string
  projectId: string
  workspaceId: string
  name: string
  fields: Field[]
  consent: Consent | null
  redirectUrl: string | null
  /** Days for which responses are kept; null: until they are erased. */
  retentionDays: number | null
  ownerMail: OwnerMail | null
  createdAt: number
}

/** Who is told of each new response; `contents`: the mail shows what was typed, else only a link. */
export interface OwnerMail {
  to: string
  contents: boolean
}

/** What the owner describes, already checked (`checkedForm`). */
export type FormDescription = Pick<
  Form,
  "name" | "fields" | "consent" | "redirectUrl" | "retentionDays" | "ownerMail"
>

/** Of one project, those being erased included: a bound for a token that makes them in a loop. */
export const maxForms = 500

/** Throws Refusal `conflict` for one too many. */
export async function addForm(
  db: Db,
  projectId: string,
  described: FormDescription,
  nowMs: number,
): Promise<string> {
  const id = newId("form", nowMs)
  await db.transaction().execute(async (transaction) => {
    if ((await countForms(transaction, projectId)) >= maxForms)
      throw new Refusal("conflict", detail("forms.tooManyForms", { maximum: maxForms }))
    await transaction
      .insertInto("form")
      .values({
        id,
        public_id: randomText(16, "abcdefghijkmnpqrstuvwxyz23456789"),
        project_id: projectId,
        ...columns(described),
        created_at: nowMs,
        removed_at: null,
      })
      .execute()
    await keepWording(transaction, id, described.consent)
  })
  return id
}

async function countForms(db: Db, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom("form")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow()
  return count
}

/** Runs inside the caller's transaction. Throws Refusal `conflict` for a consent reworded too often. */
export async function changeForm(transaction: Db, id: string, described: FormDescription): Promise<void> {
  await transaction.updateTable("form").set(columns(described)).where("id", "=", id).execute()
  await keepWording(transaction, id, described.consent)
}

/** From now on nobody can post to it or see it; `purge` erases it with its responses. */
export async function markFormRemoved(db: Db, id: string, nowMs: number): Promise<void> {
  await db.updateTable("form").set({ removed_at: nowMs }).where("id", "=", id).execute()
}

export async function findForm(db: Db, workspaceId: string, id: string): Promise<Form | undefined> {
  const row = await formRows(db)
    .where("form.id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  return row && form(row)
}

/** Whichever workspace it belongs to: for what the service does by itself. */
export async function formOfId(db: Db, id: string): Promise<Form | undefined> {
  const row = await formRows(db).where("form.id", "=", id).executeTakeFirst()
  return row && form(row)
}

/** For visitors, who know nothing but the address a page posts to. */
export async function findPublicForm(db: Db, publicId: string): Promise<Form | undefined> {
  const [row] = (await rowByPublicId(db, { publicId })).rows
  return row && form(row)
}

interface FormsWanted {
  /** Those after this id. */
  after?: string | undefined
  /** All when absent. */
  atMost?: number
  /** Of this project alone. */
  projectId?: string
}

/** The forms of a workspace, newest first. */
export async function listForms(
  db: Db,
  workspaceId: string,
  { after, atMost, projectId }: FormsWanted = {},
): Promise<Form[]> {
  const rows = await formRows(db)
    .where("workspace_id", "=", workspaceId)
    .$if(after !== undefined, (query) => query.where("form.id", "<", after as string))
    .$if(projectId !== undefined, (query) => query.where("project_id", "=", projectId as string))
    .orderBy("form.id", "desc")
    .$if(atMost !== undefined, (query) => query.limit(atMost as number))
    .execute()
  return rows.map(form)
}

const rowByPublicId = preparedOnce<{ publicId: string }, FormRow>((db, value) =>
  formRows(db).where("public_id", "=", value("publicId")).compile(),
)

type FormRow = Selectable<FormTables["form"]> & { workspace_id: string }

function formRows(db: Db) {
  return db
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .selectAll("form")
    .select("project.workspace_id")
    .where("removed_at", "is", null)
}

function form(row: FormRow): Form {
  return {
    id: row.id,
    publicId: row.public_id,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    name: row.name,
    fields: JSON.parse(row.fields) as Field[],
    consent:
      row.consent_text === null
        ? null
        : { text: row.consent_text, confirmation: row.consent_confirmation === 1 },
    redirectUrl: row.redirect_url,
    retentionDays: row.retention_days,
    ownerMail:
      row.owner_mail_to === null ? null : { to: row.owner_mail_to, contents: row.owner_mail_contents === 1 },
    createdAt: row.created_at,
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
    owner_mail_to: described.ownerMail?.to ?? null,
    owner_mail_contents: described.ownerMail?.contents ? (1 as const) : (0 as const),
  }
}
