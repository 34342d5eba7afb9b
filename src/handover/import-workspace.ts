import { createReadStream } from "node:fs"
import type { TObject } from "@sinclair/typebox"
import { requireProject } from "../accounts/project.ts"
import { addProject } from "../accounts/projects/operations.ts"
import { changeWidget } from "../accounts/widget/operations.ts"
import type { App } from "../app.ts"
import { Refusal } from "../base/errors.ts"
import { newId } from "../base/ids.ts"
import { isObject } from "../base/names.ts"
import { addressKey, isEmail } from "../forms/definition/address.ts"
import { addForm } from "../forms/operations/forms.ts"
import { insertNote } from "../forms/responses/follow-up.ts"
import { type FormResponse, insertResponse } from "../forms/responses/form-response.ts"
import { fieldsOf } from "../http/record/fields.ts"
import { addSynonyms } from "../index/synonyms/operations.ts"
import { addFeed } from "../indexing/operations.ts"
import type { Operation } from "../operations/operation.ts"
import { addChosenAnswer } from "../owners/chosen/chosen-answer.ts"
import { newChosenAnswer } from "../owners/chosen/record.ts"
import { addQuestion } from "../owners/evaluation/operations.ts"
import { fileLimits } from "../reading/formats/file-kind.ts"
import { uploadFiles } from "../reading/kinds/upload/operations.ts"
import { fileTooLarge } from "../reading/kinds/upload/zip.ts"
import { addEndpoint } from "../webhooks/endpoints/operations.ts"
import { englishReason } from "../wording/english.ts"
import {
  firstWithEnd,
  headSchema,
  type Kind,
  type Line,
  maxLineLength,
  type ResponseLine,
  responseSchema,
  uploadSchema,
} from "./line.ts"
import { fileReader, fileSchema } from "./response-files.ts"

/** Performs an operation in the workspace that is read in. */
export type PerformIn = <Schema extends TObject | undefined, Result>(
  operation: Operation<App, Schema, Result>,
  ids: Record<string, string>,
  given: Record<string, unknown>,
) => Promise<Result>

/** Everything that was read in, and what its owner has to do. */
export interface Imported {
  counts: Partial<Record<Kind, number>>
  /** Each with the secret that its receiver needs; they are off. */
  endpoints: { id: string; url: string; secret: string }[]
  /** Those whose address cannot be taken here, such as one whose name leads nowhere. */
  endpointsLeftOut: { url: string; why: string }[]
  /** Names of the forms whose mails were left out, since no mail server is set. */
  withoutMails: string[]
}

/** The name that a file gives its workspace. Throws Refusal `invalid_request` for what is no such file. */
export async function nameIn(file: string): Promise<string> {
  for await (const { number, line } of readLines(file)) return parseHead(line, number).name
  throw notOne(1, "it is empty")
}

type ReadKind = Exclude<Kind, "workspace" | "end">

interface Reading {
  app: App
  workspaceId: string
  performIn: PerformIn
  ids: Map<string, string>
  pieces: Buffer[]
  files: ReturnType<typeof fileReader>
  /** Id of the response that was read last: the files behind it are its own. */
  response: string
  imported: Imported
}

/**
 * Reads a workspace into a new one; ids are new, and whatever names one follows. Throws Refusal with the number of the
 * line at fault, and once `signal` is aborted: the caller removes what was read by then.
 */
export async function importWorkspace(
  app: App,
  workspaceId: string,
  file: string,
  performIn: PerformIn,
  signal: AbortSignal,
): Promise<Imported> {
  const imported: Imported = { counts: {}, endpoints: [], endpointsLeftOut: [], withoutMails: [] }
  const files = fileReader(app, workspaceId)
  const pieces: Buffer[] = []
  const readers = lineReaders({
    app,
    workspaceId,
    performIn,
    ids: new Map(),
    pieces,
    files,
    response: "",
    imported,
  })
  let last = 0
  let hasEnd = true
  let isWhole = false
  for await (const { number, line } of readLines(file)) {
    signal.throwIfAborted()
    const isFirst = last === 0
    last = number
    if (isFirst) hasEnd = parseHead(line, number).version >= firstWithEnd
    isWhole = "end" in line
    if (isFirst || isWhole) continue
    const [kind, ...others] = Object.keys(line) as ReadKind[]
    if (kind === undefined || others.length > 0 || !Object.hasOwn(readers, kind))
      throw notOne(number, "it is of no known kind")
    const described = line[kind]
    if (!isObject(described)) throw notOne(number, "it describes nothing")
    const isWithin = files.isWithin() ? kind !== "file" : pieces.length > 0 && kind !== "upload"
    if (isWithin) throw notOne(number, "the file above it is not whole")
    try {
      await readers[kind](described)
    } catch (error) {
      throw error instanceof Refusal ? atLine(number, error) : error
    }
    if (files.isWithin() || pieces.length > 0) continue
    imported.counts[kind] = (imported.counts[kind] ?? 0) + 1
  }
  if (files.isWithin() || pieces.length > 0) throw notOne(last, "the file of it is not whole")
  if (hasEnd && !isWhole) throw notOne(last, "the file breaks off behind it")
  return imported
}

function lineReaders(
  reading: Reading,
): Record<ReadKind, (line: Record<string, unknown>) => Promise<unknown>> {
  const { app, workspaceId, performIn, ids, pieces, files, imported } = reading
  return {
    async project({ id, ...given }) {
      ids.set(idKey(id), (await performIn(addProject, {}, given)).id)
    },
    async feed({ project, id, ...given }) {
      const made = await performIn(addFeed, { project: newIdOf(ids, project) }, given)
      ids.set(idKey(id), made.id)
    },
    async upload({ project, feed, ...piece }) {
      const { name, content, more } = fieldsOf(piece, uploadSchema)
      pieces.push(Buffer.from(content, "base64"))
      if (pieces.reduce((bytes, { length }) => bytes + length, 0) > fileLimits.documentBytes)
        throw fileTooLarge(name)
      if (more === true) return
      const files = [{ name, content: Buffer.concat(pieces.splice(0)) }]
      const place = { project: newIdOf(ids, project), feed: newIdOf(ids, feed) }
      await performIn(uploadFiles, place, { files })
    },
    synonyms: ({ project, ...given }) => performIn(addSynonyms, { project: newIdOf(ids, project) }, given),
    async chosen_answer({ project, ...given }) {
      const own = await requireProject(app.db, newIdOf(ids, project), workspaceId)
      // Its sources are looked for once the pages are read.
      await addChosenAnswer(app.db, own, fieldsOf(given, newChosenAnswer), app.clock.now(), { isRead: false })
    },
    evaluation_question: ({ project, ...given }) =>
      performIn(addQuestion, { project: newIdOf(ids, project) }, withoutNulls(given)),
    async form({ id, project, ...described }) {
      const importable = app.mailer.configured ? described : withoutMails(described)
      const made = await performIn(addForm, {}, { ...importable, project: newIdOf(ids, project) })
      if (importable !== described) imported.withoutMails.push(made.name)
      ids.set(idKey(id), made.id)
    },
    async response(line) {
      reading.response = await storeResponse(app, ids, fieldsOf(line, responseSchema))
    },
    file: (line) => files.read(reading.response, fieldsOf(line, fileSchema)),
    widget: ({ project, contact_form: form, ...given }) =>
      performIn(
        changeWidget,
        { project: newIdOf(ids, project) },
        { ...given, contact_form: form === null || form === undefined ? null : newIdOf(ids, form) },
      ),
    async endpoint({ projects = [], forms = [], conditions = [], ...given }) {
      const those = (named: unknown) => [named].flat().map((each) => newIdOf(ids, each))
      const filter = {
        projects: those(projects),
        forms: those(forms),
        conditions: [conditions]
          .flat()
          .map((each) => (isObject(each) ? { ...each, form: newIdOf(ids, each["form"]) } : each)),
      }
      // Its receiver does not know the new secret yet.
      const described = { ...given, ...filter, active: false }
      const made = await performIn(addEndpoint, {}, described).catch((error) => {
        const isOfAddress = error instanceof Refusal && Object.keys(error.fields ?? {}).join() === "url"
        if (!isOfAddress || typeof given["url"] !== "string") throw error
        imported.endpointsLeftOut.push({ url: given["url"], why: englishReason(error) })
      })
      if (made) imported.endpoints.push({ id: made.endpoint.id, url: made.endpoint.url, secret: made.secret })
    },
  }
}

async function storeResponse(
  app: App,
  ids: ReadonlyMap<string, string>,
  line: ResponseLine,
): Promise<string> {
  const { form, consent, stopped_by, created_at, read_at, values, progress, notes = [], ...same } = line
  const createdAt = parseTime(created_at)
  const response: FormResponse = {
    ...same,
    id: newId("resp", createdAt),
    formId: newIdOf(ids, form),
    stoppedBy: stopped_by,
    values: Object.fromEntries(values.map(({ name, value }) => [name, value])),
    consent: consent && {
      status: consent.status,
      text: consent.text,
      at: parseTime(consent.at),
      confirmedAt: consent.confirmed_at === null ? null : parseTime(consent.confirmed_at),
    },
    // It led to a question of a visitor, which stays where it was.
    answerId: null,
    createdAt,
    readAt: read_at === null ? null : parseTime(read_at),
    progress: progress ?? "todo",
    assignee: null,
  }
  const addresses = values.map(({ value }) => addressKey(value)).filter(isEmail)
  await app.db.transaction().execute(async (transaction) => {
    await insertResponse(transaction, response, null, addresses)
    for (const { author, text, created_at: at } of notes)
      await insertNote(transaction, { responseId: response.id, author, note: text }, parseTime(at))
  })
  return response.id
}

function parseTime(text: string): number {
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs))
    throw new Refusal("invalid_request", "", { reason: `${JSON.stringify(text)} is no time` })
  return atMs
}

/** An id of the file, whatever stands in its place. */
function idKey(id: unknown): string {
  return JSON.stringify(id) ?? ""
}

/** The new id of what a line above had this one. Throws Refusal `invalid_request`. */
function newIdOf(ids: ReadonlyMap<string, string>, id: unknown): string {
  const mapped = ids.get(idKey(id))
  if (mapped !== undefined) return mapped
  throw new Refusal("invalid_request", "", { reason: `nothing above has the id ${JSON.stringify(id)}` })
}

/** Without a mail server, a form that would send mails is refused. */
function withoutMails(described: Record<string, unknown>): Record<string, unknown> {
  const { notify, receipt, consent, ...rest } = described
  const asks = consent as { confirmation?: boolean } | null | undefined
  if (!(notify as unknown[] | undefined)?.length && !receipt && !asks?.confirmation) return described
  return { ...rest, consent: asks ? { ...asks, confirmation: false } : null }
}

function withoutNulls(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function parseHead({ workspace }: Line, number: number) {
  try {
    return fieldsOf(workspace ?? {}, headSchema)
  } catch (error) {
    if (error instanceof Refusal) throw notOne(number, "it is no workspace of this version of the format")
    throw error
  }
}

async function* readLines(file: string): AsyncGenerator<{ number: number; line: Line }> {
  for await (const { number, text } of textLines(file)) {
    if (text.trim() === "") continue
    let line: unknown
    try {
      line = JSON.parse(text)
    } catch {
      throw notOne(number, "it is no JSON")
    }
    if (!isObject(line)) throw notOne(number, "it is no object")
    yield { number, line: line as Line }
  }
}

/** Lines of a file, with numbers as editors count them; none is longer than may be. */
async function* textLines(file: string): AsyncGenerator<{ number: number; text: string }> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let number = 1
  let rest = ""
  // Reading a folder fails without its path.
  const parts = createReadStream(file).on("error", (error) => Object.assign(error, { path: file }))
  for await (const part of parts) {
    let text: string
    try {
      text = decoder.decode(part, { stream: true })
    } catch {
      throw notOne(number, "it, or one soon after it, is not UTF-8")
    }
    const lines = (rest + text).split("\n")
    rest = lines.pop() as string
    for (const text of lines) yield { number: number++, text }
    if (rest.length > maxLineLength) throw notOne(number, "it is too long")
  }
  if (rest !== "") yield { number, text: rest }
}

function notOne(number: number, why: string): Refusal {
  return new Refusal("invalid_request", "", {
    reason: `line ${number} cannot be read (${why}): give a file that guichet workspace export wrote`,
  })
}

function atLine(number: number, refusal: Refusal): Refusal {
  return new Refusal(refusal.code, "", { reason: `line ${number}: ${englishReason(refusal)}` })
}
