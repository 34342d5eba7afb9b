import { randomUUID } from "node:crypto"
import { Elysia } from "elysia"
import { minuteMs } from "../clock.ts"
import { Refusal, statusOfCode } from "../errors.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import { errorReply } from "../http/errors.ts"
import { isDeclared, originOf } from "../workspaces/origin.ts"
import { findProject, type Project } from "../workspaces/project.ts"
import { confirmConsent, findConsentLink } from "./consent.ts"
import { type Form, findPublicForm } from "./form.ts"
import { pageOf } from "./page.ts"
import {
  consentDeadPage,
  consentDonePage,
  consentPage,
  formAgainPage,
  refusedPage,
  thanksPage,
} from "./pages.tsx"
import type { FormParts } from "./parts.ts"
import { type Post, readPost } from "./post.ts"
import { type FormReading, readForm } from "./reading.ts"
import { sentences } from "./sentences.ts"
import { signedStart } from "./start.ts"
import { submit } from "./submit.ts"
import { subjectOf, takePlace } from "./visit.ts"

const consentVisits = { count: 30, windowMs: minuteMs }

/** What visitors reach: `/f/…` and `/consent/…`. */
export function publicFormRoutes(parts: FormParts) {
  const { db, clock, vault, config } = parts
  const clientOf = clientReader(config.trustedProxies)
  const ownOrigin = originOf(config.publicUrl)

  async function found(publicId: string): Promise<{ form: Form; project: Project }> {
    const form = await findPublicForm(db, publicId)
    const project = form && (await findProject(db, form.projectId))
    if (!form || !project) throw new Refusal("not_found", sentences.unknownForm)
    return { form, project }
  }

  /** Throws Refusal: what is wrong is said by the caller, as a page or as an object. */
  async function post(request: Request, publicId: string): Promise<Response> {
    const { form, project } = await found(publicId)
    const origin = request.headers.get("origin")
    // Our own page, which shows a form again, posts from our own origin.
    if (origin === null || !(isDeclared(origin, project.origins) || origin === ownOrigin))
      throw new Refusal("origin_not_allowed", sentences.originNotAllowed)
    const posted = await readPost(request)
    const reading = readForm(form, posted)
    const page = pageOf([posted.texts.get("page"), request.headers.get("referer")], origin, project.origins)
    try {
      refuseWrong(posted, reading)
      const visitor = visitorAddress(clientOf(request))
      const id = await submit(parts, form, { post: posted, reading, page, visitor })
      if (!isBrowser(request)) return Response.json({ id }, { status: 201, headers: noStore })
      return seeOther(form.redirectUrl ?? thanksBeside(request))
    } catch (error) {
      if (!(error instanceof Refusal) || !isBrowser(request)) throw error
      const filled = { ...reading, carried: carriedBy(posted, page) }
      return formAgainPage(form, project, filled, error.sentence)
    }
  }

  async function refuseCrowd(request: Request): Promise<void> {
    const nowMs = clock.now()
    const visitor = visitorAddress(clientOf(request))
    const subject = subjectOf(vault, "consent", visitor, config.timezone, nowMs)
    const place = db
      .transaction()
      .execute((transaction) => takePlace(transaction, subject, consentVisits, nowMs))
    if (!(await place)) throw new Refusal("rate_limited", sentences.tooManyVisits, { retryAfterSeconds: 60 })
  }

  return new Elysia({ name: "public-forms" })
    .post("/f/:publicId", ({ request, params }) => asked(request, () => post(request, params.publicId)), {
      parse: "none",
    })
    .get("/f/:publicId/thanks", ({ params }) =>
      asPage(async () => thanksPage((await found(params.publicId)).project)),
    )
    .get("/f/:publicId/start", async ({ params }) => {
      const { form } = await found(params.publicId)
      const start = { started: signedStart(vault, form.id, clock.now()), key: randomUUID() }
      return Response.json(start, { headers: { ...noStore, "access-control-allow-origin": "*" } })
    })
    .get("/consent/:token", ({ request, params }) =>
      asPage(async () => {
        await refuseCrowd(request)
        const link = await findConsentLink(db, params.token, clock.now())
        if (link.state === "open") return consentPage(link.formName, link.text)
        return link.state === "used"
          ? consentDeadPage(410, sentences.consentUsed)
          : consentDeadPage(404, sentences.consentExpired)
      }),
    )
    .post(
      "/consent/:token",
      ({ request, params }) =>
        asPage(async () => {
          await refuseCrowd(request)
          if (await confirmConsent(db, params.token, clock.now())) return consentDonePage()
          const { state } = await findConsentLink(db, params.token, clock.now())
          return state === "used"
            ? consentDeadPage(410, sentences.consentUsed)
            : consentDeadPage(404, sentences.consentExpired)
        }),
      { parse: "none" },
    )
}

const noStore = { "cache-control": "no-store" }

function refuseWrong(post: Post, { problems }: FormReading): void {
  if (post.hasFiles) throw new Refusal("invalid_request", sentences.noFiles)
  if (Object.keys(problems).length > 0)
    throw new Refusal("invalid_request", sentences.correct, { fields: problems })
}

/** A page being left, rather than a script that waits for an answer. */
function isBrowser(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") ?? false
}

async function asked(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (isBrowser(request)) return asPage(answer)
  return answer().catch((error: unknown) => {
    if (error instanceof Refusal) return errorReply(error)
    throw error
  })
}

async function asPage(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reply = refusedPage(statusOfCode[error.code], error.sentence)
    if (error.retryAfterSeconds !== undefined)
      reply.headers.set("retry-after", String(error.retryAfterSeconds))
    return reply
  }
}

/** What the page shown again must send once more; a key of its own makes a double click there one response too. */
function carriedBy({ texts }: Post, page: string): [string, string][] {
  const started = texts.get("guichet_started")
  return [
    ["page", page],
    ["guichet_key", texts.get("guichet_key") || randomUUID()],
    ...(started ? [["guichet_started", started] as [string, string]] : []),
  ]
}

/** Relative, so that it holds behind whatever path or name a proxy gives us. */
function thanksBeside(request: Request): string {
  const { pathname } = new URL(request.url)
  return pathname.endsWith("/") ? "thanks" : `${pathname.split("/").at(-1)}/thanks`
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...noStore, location } })
}
