import { randomUUID } from "node:crypto"
import { findProject, type Project } from "../accounts/project.ts"
import { recentAnswerId } from "../answering/ask/earlier-answers.ts"
import { type Detail, detail, Refusal, required } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { takesFiles } from "../forms/definition/field.ts"
import { type Form, findPublicForm } from "../forms/definition/form.ts"
import type { FormDeps } from "../forms/deps.ts"
import { whyClosedNow } from "../forms/submission/opening.ts"
import {
  againToken,
  formAddress,
  hiddenOrigin,
  mayBeSender,
  senderPage,
  siteToken,
} from "../forms/submission/page.ts"
import {
  hasContentFor,
  type ParsedSubmission,
  parseSubmission,
} from "../forms/submission/parse-submission.ts"
import { type Post, readPost } from "../forms/submission/post.ts"
import { prefilledValues } from "../forms/submission/prefill.ts"
import { proofChallenge, requireProof } from "../forms/submission/proof-of-work.ts"
import { submit } from "../forms/submission/submit.ts"
import { timingToken } from "../forms/submission/timing-token.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { openRooms } from "../http/files/room.ts"
import type { RequestContext } from "../http/routes.ts"
import type { Limit } from "../limits/limit.ts"
import { type Meter, openMeter } from "../limits/meter.ts"
import { errorReply, toRefusal } from "../wording/error-replies.ts"
import { fieldSentences, userMessage } from "../wording/user-message.ts"
import { asPage, isBrowser } from "./form-pages/as-page.ts"
import { formView } from "./form-pages/form-view.ts"
import { emptyState, type HostedFormState } from "./form-pages/markup.tsx"
import {
  closedPage,
  elsewherePage,
  formRetryPage,
  formStepPage,
  openHostedPages,
  thanksPage,
} from "./form-pages/pages.tsx"
import { problemsOfStep, stepAfter, stepOfPost, stepOfProblem } from "./form-pages/step.ts"
import { asProjectContactForm } from "./message-check.ts"
import { words } from "./words.fr.ts"

interface Posts extends FormDeps {
  clientAddress: ReturnType<typeof clientReader>
  roomOfPost: ReturnType<typeof openRooms>
  unstored: Meter
}

/** For each post that a visitor may send in a minute: mistakes, and steps of a form, are more of them. */
const unstoredPerPost = 12

/** Posts of a visitor that store nothing. They are judged all the same, and no other limit counts them. */
function unstoredLimit(perMinute: number) {
  return {
    key: "unstored posts",
    points: unstoredPerPost * perMinute,
    per: "minute",
    on: "visitor",
  } as const satisfies Limit
}

/** `/f/…`: where pages send forms to, with or without JavaScript, and the page of a form that has one. */
export function publicFormHandlers(deps: FormDeps) {
  const { db, clock, vault, config, log } = deps
  const hostedPage = openHostedPages()
  const posts: Posts = {
    ...deps,
    clientAddress: clientReader(config.trustedProxies),
    roomOfPost: openRooms(),
    unstored: openMeter(unstoredLimit(config.formPerVisitorMinute)),
  }

  return {
    post: ({ request, params }: RequestContext<"publicId">) => {
      const answer = () =>
        countIfUnstored(posts, request, () => receivePost(posts, request, params.publicId)).catch((error) => {
          deps.metrics.countFormPost(error instanceof Refusal ? error.code : "unavailable")
          throw error
        })
      if (isBrowser(request)) return asPage(request, log, words.errorTitle, answer)
      return answer().catch((error) => errorReply(toRefusal(error, request, log)))
    },
    page: ({ request, params }: RequestContext<"publicId">) =>
      asPage(request, log, words.formTitle, async () => {
        const { form, project } = await findFormAndProject(db, params.publicId)
        if (!form.hosted) return elsewherePage(form)
        const view = await formView(deps, { form, project })
        const closed = await closedSentence(deps, form)
        if (closed) return closedPage(view, closed)
        const address = formAddress(config.publicUrl, form)
        const hidden: [string, string][] = [
          ["page", address],
          ["guichet_site", siteToken(vault, form, new URL(address).origin)],
          ["guichet_started", timingToken(vault, form.id, clock.now())],
          ["guichet_key", randomUUID()],
        ]
        const values = prefilledValues(form, new URL(request.url).search, project.language)
        if (Object.keys(values).length === 0) return hostedPage(view, { address, hidden })
        // Rendered for this visitor alone: it counts as a post that stores nothing.
        takeUnstored(posts, request)
        return formStepPage(view, { ...emptyState, hidden, values, step: 0 }, address)
      }),
    thanks: ({ request, params, query }: RequestContext<"publicId">) =>
      asPage(request, log, words.formTitle, async () => {
        const { form, project } = await findFormAndProject(db, params.publicId)
        return thanksPage(await formView(deps, { form, project }), query[confirmQuery] !== undefined)
      }),
    start: async ({ params }: RequestContext<"publicId">) => {
      const { form } = await findFormAndProject(db, params.publicId)
      const contact = await asProjectContactForm(db, form)
      const closed = await closedSentence(deps, form)
      const start = {
        started: timingToken(vault, form.id, clock.now()),
        key: randomUUID(),
        // The field that the documentation is asked about before the form is sent.
        ...(contact?.field && { check: contact.field.name }),
        ...(closed && { closed }),
        ...(form.proofOfWork && { proof: await proofChallenge(vault, form.id, clock.now()) }),
      }
      return Response.json(start, { headers: noStore })
    },
  }
}

/** The sentence that says why the form takes no response now, if it takes none. */
async function closedSentence({ db, config, clock }: FormDeps, form: Form): Promise<string | undefined> {
  const closed = await whyClosedNow(db, form, { timezone: config.timezone, nowMs: clock.now() })
  return closed && userMessage(closed)
}

/** A post that stores nothing counts, whether it was refused or asked for the next step. */
async function countIfUnstored(
  posts: Posts,
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  takeUnstored(posts, request, "requireLeft")
  let isStored = false
  try {
    const reply = await answer()
    isStored = [201, 303].includes(reply.status)
    return reply
  } finally {
    if (!isStored) takeUnstored(posts, request)
  }
}

/** Throws Refusal `rate_limited`. */
function takeUnstored(
  { clientAddress, unstored, clock, config }: Posts,
  request: Request,
  how: keyof Meter = "take",
): void {
  const at = { timezone: config.timezone, nowMs: clock.now() }
  unstored[how](visitorAddress(clientAddress(request)), at, detail("forms.tooManyPosts"))
}

async function receivePost(posts: Posts, request: Request, publicId: string): Promise<Response> {
  const { db, clock, config, log } = posts
  const { form, project } = await findFormAndProject(db, publicId)
  const origin = request.headers.get("origin")
  const why = origin === hiddenOrigin ? "forms.originHidden" : "forms.originNotAllowed"
  const notAllowed = new Refusal("origin_not_allowed", detail(why))
  if (!mayBeSender(origin, config.publicUrl, project.origins)) throw notAllowed
  const visitor = visitorAddress(posts.clientAddress(request))
  const senders = { [project.shareId]: megabytesInFlight.workspace, [visitor]: megabytesInFlight.visitor }
  using room = takesFiles(form.fields) ? posts.roomOfPost(senders) : undefined
  const posted = await readPost(request, room)
  // They are stored before the reply, maybe in a store of others.
  if (posted.files.size > 0) extendReplyTimeout(request)
  const page = senderPage(posts, form, senderIn(request, posted), project.origins)
  const parsed = parseSubmission(form, posted, project.language)
  const { at, go } = isBrowser(request) ? stepOfPost(form, posted) : notOnStep
  const problems = problemsThere(form, parsed.problems, { at, go })
  const stateAt = (step: number | undefined) =>
    shownAgain(posts, form, { posted, page, parsed: { ...parsed, problems } }, step)
  const asksToConfirm = form.consent?.confirmation === true && parsed.consent !== null
  try {
    if (page === undefined) throw notAllowed
    refuseProblems(form, posted, { ...parsed, problems }, go)
    if (at !== undefined && go !== undefined) {
      const step = stepAfter(form, at, go, parsed.typed)
      return formStepPage(await formView(posts, { form, project }), stateAt(step))
    }
    const proof = await requireProof(posts, form, posted, proofMissing(posts, request, form))
    const wanted = posted.texts.get("guichet_answer")
    const answerId = await recentAnswerId(db, project.id, wanted, clock.now())
    const id = await submit(posts, form, { post: posted, parsed, page, visitor, proof, answerId })
    if (!isBrowser(request))
      return Response.json({ id, ...afterwards(form, asksToConfirm) }, { status: 201, headers: noStore })
    return seeOther(form.redirectUrl ?? thanksPath(request, asksToConfirm))
  } catch (error) {
    if (!isBrowser(request)) throw error
    // Shows the form with everything typed, whatever went wrong, so that the visitor need not type it again.
    const refusal = toRefusal(error, request, log)
    posts.metrics.countFormPost(refusal.code)
    return formRetryPage(
      await formView(posts, { form, project }),
      {
        ...stateAt(stepOfProblem(form, problems, at)),
        mayBeSent: refusal.code !== "conflict" && (page !== undefined || form.hosted),
      },
      refusal,
    )
  }
}

function senderIn({ headers }: Request, { texts }: Post) {
  return {
    origin: headers.get("origin"),
    page: texts.get("page"),
    referer: headers.get("referer"),
    again: texts.get("guichet_again"),
    site: texts.get("guichet_site"),
  }
}

/** From step to step nothing is stored, and only the fields of the step that is left are judged. */
function problemsThere(
  form: Form,
  problems: ParsedSubmission["problems"],
  { at, go }: ReturnType<typeof stepOfPost>,
): ParsedSubmission["problems"] {
  if (at === undefined || go === undefined) return problems
  return go === "next" ? problemsOfStep(form, at, problems) : {}
}

function shownAgain(
  { vault }: Posts,
  form: Form,
  { posted, page, parsed }: { posted: Post; page: string | undefined; parsed: ParsedSubmission },
  step: number | undefined,
): HostedFormState {
  const sender: [string, string][] =
    page === undefined
      ? []
      : [
          ["page", page],
          ["guichet_again", againToken(vault, form, page)],
        ]
  return {
    ...parsed,
    values: parsed.typed,
    problems: fieldSentences({ ...filesToChoose(form, posted), ...parsed.problems }),
    hidden: hiddenInputs(posted, sender),
    trap: step === undefined ? "" : posted.texts.get("guichet_trap"),
    step,
    mayBeSent: true,
  }
}

/** Where a script has sent the form, JavaScript is on: its page is older than the owner's wish for a proof. */
function proofMissing({ config }: Posts, request: Request, form: Form): Detail {
  if (isBrowser(request)) return detail("forms.proofMissing")
  return form.hosted
    ? detail("forms.proofOnOwnPage", { address: formAddress(config.publicUrl, form) })
    : detail("forms.proofNotMade")
}

export async function findFormAndProject(
  db: Db,
  publicId: string,
): Promise<{ form: Form; project: Project }> {
  const form = required(await findPublicForm(db, publicId), detail("forms.unknownForm"))
  return { form, project: required(await findProject(db, form.projectId), detail("forms.unknownForm")) }
}

/** Tells the thank-you page that a mail asks to confirm a consent. */
const confirmQuery = "confirm"

/** A script cannot follow a redirect to a page: the body tells it what to show, or where to go. */
function afterwards(form: Form, asksToConfirm: boolean) {
  return {
    ...(form.redirectUrl !== null && { redirect_url: form.redirectUrl }),
    ...(form.thanks !== null && { thanks: form.thanks }),
    ...(asksToConfirm && { confirm: words.confirmByMail }),
  }
}

const notOnStep = { at: undefined, go: undefined }
const noStore = { "cache-control": "no-store" }
/** Posts with files: room for two of the largest from one visitor, and always for one from another workspace. */
const megabytesInFlight = { visitor: 52, workspace: 96 }

/** From step to step nothing is sent, so that nothing is told not to have been. */
function refuseProblems(form: Form, post: Post, { problems }: ParsedSubmission, go: string | undefined) {
  const ofFiles = form.fields.filter((field) => takesFiles([field])).map(({ name }) => name)
  if ([...post.files.keys()].some((name) => !ofFiles.includes(name)))
    throw new Refusal("invalid_request", detail("forms.noFiles"))
  if (!hasContentFor(form, post)) throw new Refusal("invalid_request", detail("forms.nothingUnderstood"))
  if (Object.keys(problems).length > 0)
    throw new Refusal("invalid_request", detail(go === undefined ? "forms.correct" : "forms.correctStep"), {
      fields: problems,
    })
}

/** A page cannot give a file back to the browser that sent it. */
function filesToChoose({ fields }: Form, { files }: Post): Record<string, Detail> {
  const sent = fields.filter((field) => takesFiles([field]) && files.has(field.name))
  return Object.fromEntries(sent.map(({ name }) => [name, detail("forms.chooseAgain")]))
}

/** A post without `guichet_key` gets one, so that a double click there is one response too. */
function hiddenInputs({ texts }: Post, more: [string, string][]): [string, string][] {
  const carried = ["guichet_started", "guichet_answer", "guichet_site"].flatMap(
    (name): [string, string][] => {
      const value = texts.get(name)
      return value ? [[name, value]] : []
    },
  )
  const key = texts.get("guichet_key") || randomUUID()
  return [["guichet_key", key], ...carried, ...more]
}

/** Relative, so that it works behind any path and host name of a proxy. */
function thanksPath(request: Request, asksToConfirm: boolean): string {
  const { pathname } = new URL(request.url)
  const path = pathname.endsWith("/") ? "thanks" : `${pathname.split("/").at(-1)}/thanks`
  return asksToConfirm ? `${path}?${confirmQuery}` : path
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...noStore, location } })
}
