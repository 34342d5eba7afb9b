import { createHash } from "node:crypto"
import { detail, hasCode, Refusal } from "../../base/errors.ts"
import { sha256 } from "../../base/hash.ts"
import { idsOf, newId } from "../../base/ids.ts"
import { openBatches, perDatabase, type Settled } from "../../db/batch.ts"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import { withLock } from "../../db/with-lock.ts"
import { eachOf } from "../../db/words.ts"
import { visitorOn } from "../../limits/limit.ts"
import { readUses, type Uses } from "../../limits/uses.ts"
import type { NewFile } from "../../storage/files.ts"
import { StorageError } from "../../storage/object-store.ts"
import { shownConsentText } from "../definition/consent-text.ts"
import { type Form, findPublicForm } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import {
  describeResponse,
  type FormResponse,
  insertResponse,
  type StoppedBy,
} from "../responses/form-response.ts"
import { dropFiles, insertFiles, linkedValues, type ResponseFile } from "../responses/response-files.ts"
import { placesTaken, whyClosed } from "./opening.ts"
import type { ParsedSubmission } from "./parse-submission.ts"
import type { Post } from "./post.ts"
import { type CountedPost, countPost, postCounters } from "./post-limits.ts"
import { publish, wakeSenders } from "./publish.ts"
import { isTooFast } from "./timing-token.ts"
import type { SentFile } from "./value.ts"
import { mailboxSubjects } from "./visitor-mail.ts"

export interface Submission {
  post: Post
  /** Must have no problems. */
  parsed: ParsedSubmission
  page: string
  visitor: string
  /** The proof of work, where the form wants one; good for one response. */
  proof?: string | undefined
  /** The answer that the visitor had read before writing. */
  answerId: string | null
}

/**
 * Stores a form response with its message and deliveries in one transaction, together with the other posts of the
 * form that come meanwhile; resolves to its id once that is durable. The same `guichet_key` with the same
 * contents is the same response. A response that the spam guard
 * stops is stored too, but not published, and its sender cannot tell; files of an unwanted one are not kept. Throws
 * Refusal before anything is stored: `invalid_request` when the message would be too large or its proof was used,
 * `rate_limited` when too many stopped responses of the visitor are stored already or a daily limit is reached,
 * `quota_exceeded` when the workspace has no room for the files, `unavailable` when the disk is nearly full,
 * `conflict` when the form is not open or has all its responses, `not_found` when it was removed since it was found.
 */
export async function submit(deps: FormDeps, form: Form, submission: Submission): Promise<string> {
  const { db, clock, messageQueue, vault, config } = deps
  const nowMs = clock.now()
  const response = await newResponse(deps, form, submission, nowMs)
  const { addresses, files: sent } = submission.parsed
  // Links to files are of one length, whatever their ids.
  const foreseen = sent.map((file) => ({ ...file, id: newId("file", nowMs), bytes: 0 }))
  const values = linkedValues(deps, form, response.values, foreseen, nowMs)
  if (!messageQueue.fits(describeResponse(form, { ...response, values }), nowMs))
    throw new Refusal("invalid_request", detail("forms.tooLarge"))
  if (!(await deps.hasDiskSpace()))
    throw new Refusal("unavailable", detail("forms.diskNearlyFull"), { retryAfterSeconds: 60 })
  const keyHash = idempotencyHash(submission)
  const at = { timezone: config.timezone, nowMs }
  const token = response.stoppedBy ? undefined : submission.post.texts.get("guichet_started")
  const visitor = visitorOn(vault, submission.visitor, at)
  const counters = postCounters(form.id, visitor, token, at, sent.length > 0, submission.proof)
  const fileBytes = sent.reduce((sum, { content }) => sum + content.length, 0)
  const counted = { bytes: storedBytes(response), fileBytes, token, at, counters }
  const post: ReadyPost = { form, response, keyHash, counted, addresses, files: [], nowMs }
  const storeWith = (files: readonly ResponseFile[]) => storedTogether(deps)({ ...post, files })
  const isKept = sent.length > 0 && (await wouldKeepFiles(deps, post))
  const stored = await withFilesKept(deps, form, isKept ? sent : [], storeWith).catch(async (error) => {
    if (error instanceof Refusal || (await findPublicForm(db, form.publicId))) throw error
    throw new Refusal("not_found", detail("forms.unknownForm"), { cause: error })
  })
  if (stored.id === response.id && stored.state === "received") wakeSenders(deps)
  deps.metrics.countFormPost(stored.id === response.id ? stored.state : "repeated")
  deps.log.getChild("forms").debug("form response kept", {
    form: form.id,
    response: stored.id,
    state: stored.state,
    repeated: stored.id !== response.id,
  })
  return stored.id
}

interface ReadyPost {
  form: Form
  response: FormResponse
  keyHash: string | null
  counted: CountedPost
  addresses: readonly string[]
  files: readonly ResponseFile[]
  nowMs: number
}

/** The stored response of a post: for a repeated one the earlier response. */
type Kept = Pick<FormResponse, "id" | "state">

const storedTogether = perDatabase((deps: FormDeps) =>
  openBatches<ReadyPost, Kept>(
    (posts) => storeAll(deps, posts),
    ({ form }) => form.id,
  ),
)

function storeAll(deps: FormDeps, posts: readonly ReadyPost[]): Promise<Settled<Kept>[]> {
  const formId = (posts[0] as ReadyPost).form.id
  const mailboxes = posts.flatMap(({ form, response, nowMs }) => mailboxSubjects(deps, form, response, nowMs))
  const counters = posts.map(({ counted }) => counted.counters)
  const subjects = new Set([
    `form:${formId}`,
    ...counters.map(({ visitor }) => visitor.subject),
    ...mailboxes,
  ])
  return withLock(deps.db, [...subjects], async (transaction) => {
    const earlier = await findByKeys(transaction, formId, posts)
    const uses = await readUses(
      transaction,
      counters.flatMap((each) => Object.values(each)),
    )
    const places = await placesTaken(transaction, mostDemanding(posts))
    let taken = 0
    const ended: Settled<Kept>[] = []
    for (const post of posts) {
      const { keyHash } = post
      const repeated = keyHash && earlier.get(keyHash)
      if (repeated) {
        ended.push({ result: repeated })
        continue
      }
      const judged = judge(deps, uses, post, places + taken)
      if ("result" in judged && judged.result.state !== "unwanted") taken++
      ended.push("error" in judged ? judged : { result: await store(deps, transaction, post, judged.result) })
      if (keyHash && "result" in judged) earlier.set(keyHash, judged.result)
    }
    await uses.write(transaction)
    return ended
  })
}

/**
 * Whether a post will be one with files, as far as can be told before they are written anywhere: not for a repeated
 * one, nor for an unwanted one, which programs send. Throws Refusal where the post is to be refused.
 */
async function wouldKeepFiles(deps: FormDeps, post: ReadyPost): Promise<boolean> {
  const { db } = deps
  const { form, keyHash, counted } = post
  const earlier = await findByKeys(db, form.id, [post])
  if (keyHash && earlier.has(keyHash)) return false
  const uses = await readUses(db, Object.values(counted.counters))
  const judged = judge(deps, uses, post, await placesTaken(db, form))
  if ("error" in judged) throw judged.error
  return judged.result.state !== "unwanted"
}

/** The form as that post found it that may be told the most: its owner may have changed it between two posts. */
function mostDemanding(posts: readonly ReadyPost[]): Form {
  const forms = posts.map(({ form }) => form)
  return forms.reduce((one, other) => ((other.maxResponses ?? 0) > (one.maxResponses ?? 0) ? other : one))
}

/** The response as it is to be stored, and counted. An error is a Refusal: nothing of this post is stored. */
function judge({ config }: FormDeps, uses: Uses, { form, response, counted }: ReadyPost, taken: number) {
  const closed = whyClosed(form, taken, counted.at)
  if (closed) return { error: new Refusal("conflict", closed) }
  try {
    const isWithin = countPost(uses, counted, response.stoppedBy !== null, config)
    return { result: isWithin || response.stoppedBy ? response : stopped(response, "rate") }
  } catch (error) {
    if (error instanceof Refusal) return { error }
    throw error
  }
}

async function store(
  deps: FormDeps,
  transaction: Db,
  { form, keyHash, addresses, files, nowMs }: ReadyPost,
  response: FormResponse,
): Promise<FormResponse> {
  await insertResponse(transaction, response, keyHash, addresses)
  if (response.state !== "unwanted") await insertFiles(transaction, response.id, files)
  if (response.state === "received") await publish(deps, transaction, form, response, nowMs)
  return response
}

/** With the contents: a visitor who goes back and corrects a sent page sends its key again. */
function idempotencyHash({ post, parsed }: Submission): string | null {
  const key = post.texts.get("guichet_key")
  if (!key) return null
  const files = parsed.files.map(({ content }) => createHash("sha256").update(content).digest("base64url"))
  const contents = [key, parsed.values, parsed.consent, ...(files.length > 0 ? [files] : [])]
  return sha256(JSON.stringify(contents))
}

async function newResponse(
  { db, vault }: FormDeps,
  form: Form,
  { post, parsed, page, answerId }: Submission,
  nowMs: number,
): Promise<FormResponse> {
  const response: FormResponse = {
    id: newId("resp", nowMs),
    formId: form.id,
    state: "received",
    stoppedBy: null,
    values: parsed.values,
    email: parsed.email,
    consent:
      form.consent && parsed.consent !== null
        ? {
            status: form.consent.confirmation ? "pending" : "confirmed",
            text: await shownConsentText(db, form.id, form.consent, parsed.consent),
            at: nowMs,
            confirmedAt: null,
          }
        : null,
    page,
    answerId,
    createdAt: nowMs,
    readAt: null,
    progress: "todo",
    assignee: null,
  }
  if (post.texts.get("guichet_trap")) return stopped(response, "trap")
  const token = post.texts.get("guichet_started")
  return token && isTooFast(vault, form.id, token, nowMs) ? stopped(response, "speed") : response
}

/** `held` is doubtful: a person may be quick. The other rules catch what only programs do. */
function stopped(response: FormResponse, by: StoppedBy): FormResponse {
  return { ...response, state: by === "speed" ? "held" : "unwanted", stoppedBy: by }
}

/** Bytes of a response in its table. Its message holds about as much again, for 30 days. */
function storedBytes({ values, consent, page, email }: FormResponse): number {
  return Buffer.byteLength(JSON.stringify(values) + page + (email ?? "") + (consent?.text ?? ""))
}

/** The responses that were stored with the same keys, by the hash of the key. */
async function findByKeys(transaction: Db, formId: string, posts: readonly ReadyPost[]) {
  const hashes = posts.flatMap(({ keyHash }) => keyHash ?? [])
  if (hashes.length === 0) return new Map()
  const { rows } = await byKeys(transaction, { formId, hashes: JSON.stringify(hashes) })
  return new Map(rows.map(({ hash, id, state }) => [hash, { id, state }]))
}

const byKeys = prepared<{ formId: string; hashes: string }, Kept & { hash: string }>((value, db) =>
  db
    .selectFrom("form_response")
    .select(["id", "state", "idempotency_hash as hash"])
    .where("form_id", "=", value("formId"))
    .where("idempotency_hash", "in", eachOf(db, value("hashes")))
    .$narrowType<{ hash: string }>()
    .compile(),
)

/**
 * Keeps the files of a post while `store` stores its response, which refers to them; without that they go again. Throws
 * Refusal `quota_exceeded` where the workspace has no room for them, `unavailable` where they cannot be kept.
 */
async function withFilesKept<Stored>(
  deps: Pick<FormDeps, "files">,
  { workspaceId }: Pick<Form, "workspaceId">,
  sent: readonly SentFile[],
  store: (files: readonly ResponseFile[]) => Promise<Stored>,
): Promise<Stored> {
  const stored: ResponseFile[] = []
  try {
    for (const { content, mediaType, field, name } of sent)
      stored.push({ ...(await put(deps, { workspaceId, mediaType, content })), field, name })
    return await store(stored)
  } finally {
    await dropFiles(deps, idsOf(stored))
  }
}

async function put({ files }: Pick<FormDeps, "files">, file: NewFile) {
  try {
    return await files.put(file, new AbortController().signal)
  } catch (error) {
    if (hasCode(error, "storage.full")) throw new Refusal("quota_exceeded", detail("forms.noRoomForFiles"))
    if (!(error instanceof StorageError)) throw error
    throw new Refusal("unavailable", detail("forms.filesNotKept"), {
      reason: `files cannot be kept: ${error.message}`,
      retryAfterSeconds: 60,
    })
  }
}
