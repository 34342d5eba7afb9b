import { randomUUID } from "node:crypto"
import { Elysia } from "elysia"
import { isDeclared, originOf } from "../accounts/origin.ts"
import { findProject, type Project } from "../accounts/project.ts"
import { recentAnswerId } from "../assistant/ask/recent-answer.ts"
import { detail, Refusal } from "../base/errors.ts"
import { type Form, findPublicForm } from "../forms/definition/form.ts"
import type { FormDeps } from "../forms/deps.ts"
import { pageOf } from "../forms/submission/page.ts"
import { type ParsedSubmission, parseSubmission } from "../forms/submission/parse-submission.ts"
import { type Post, readPost } from "../forms/submission/post.ts"
import { submit } from "../forms/submission/submit.ts"
import { timingToken } from "../forms/submission/timing-token.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import { errorReply, refusalOf } from "../wording/error-replies.ts"
import { fieldMessages } from "../wording/user-message.ts"
import { asPage, isBrowser } from "./form-pages/as-page.ts"
import { elsewherePage, formRetryPage, thanksPage } from "./form-pages/pages.tsx"
import { messages } from "./messages.fr.ts"

/** `/f/…`: the routes that pages send forms to, with or without JavaScript. */
export function publicFormRoutes(deps: FormDeps) {
  const { db, clock, vault, config, log } = deps
  const clientOf = clientReader(config.trustedProxies)
  const ownOrigin = originOf(config.publicUrl)

  async function findFormAndProject(publicId: string): Promise<{ form: Form; project: Project }> {
    const form = await findPublicForm(db, publicId)
    const project = form && (await findProject(db, form.projectId))
    if (!form || !project) throw new Refusal("not_found", detail("forms.unknownForm"))
    return { form, project }
  }

  async function post(request: Request, publicId: string): Promise<Response> {
    const { form, project } = await findFormAndProject(publicId)
    const origin = request.headers.get("origin")
    // The page that shows a form again is ours, so it posts from our own origin.
    if (origin === null || !(isDeclared(origin, project.origins) || origin === ownOrigin))
      throw new Refusal("origin_not_allowed", detail("forms.originNotAllowed"))
    const posted = await readPost(request)
    const parsed = parseSubmission(form, posted)
    const page = pageOf([posted.texts.get("page"), request.headers.get("referer")], origin, project.origins)
    try {
      refuseProblems(posted, parsed)
      const visitor = visitorAddress(clientOf(request))
      const wanted = posted.texts.get("guichet_answer")
      const answerId = await recentAnswerId(db, project.id, wanted, clock.now())
      const id = await submit(deps, form, { post: posted, parsed, page, visitor, answerId })
      // A script cannot follow a redirect to a page: the body tells it where to go instead.
      const next = form.redirectUrl === null ? {} : { redirect_url: form.redirectUrl }
      if (!isBrowser(request)) return Response.json({ id, ...next }, { status: 201, headers: noStore })
      return seeOther(form.redirectUrl ?? thanksPath(request))
    } catch (error) {
      if (!isBrowser(request)) throw error
      // Shows the form with everything typed, whatever went wrong: nobody has to type it again.
      const refusal = refusalOf(error, request, log)
      return formRetryPage(
        form,
        project,
        { ...parsed, problems: fieldMessages(parsed.problems), hidden: hiddenInputs(posted, page) },
        refusal,
      )
    }
  }

  return new Elysia({ name: "public-forms" })
    .post(
      "/f/:publicId",
      ({ request, params }) => {
        const answer = () => post(request, params.publicId)
        if (isBrowser(request)) return asPage(request, log, messages.errorTitle, answer)
        return answer().catch((error) => errorReply(refusalOf(error, request, log)))
      },
      { parse: "none" },
    )
    .get("/f/:publicId", ({ request, params }) =>
      asPage(request, log, messages.formTitle, async () =>
        elsewherePage((await findFormAndProject(params.publicId)).project),
      ),
    )
    .get("/f/:publicId/thanks", ({ request, params }) =>
      asPage(request, log, messages.formTitle, async () =>
        thanksPage((await findFormAndProject(params.publicId)).project),
      ),
    )
    .get("/f/:publicId/start", async ({ params }) => {
      const { form } = await findFormAndProject(params.publicId)
      const start = { started: timingToken(vault, form.id, clock.now()), key: randomUUID() }
      return Response.json(start, { headers: { ...noStore, "access-control-allow-origin": "*" } })
    })
}

const noStore = { "cache-control": "no-store" }

function refuseProblems(post: Post, { problems }: ParsedSubmission): void {
  if (post.hasFiles) throw new Refusal("invalid_request", detail("forms.noFiles"))
  if (Object.keys(problems).length > 0)
    throw new Refusal("invalid_request", detail("forms.correct"), { fields: problems })
}

/**
 * Hidden inputs of the page that shows the form again. A post without `guichet_key` gets one there, so that a
 * double click on that page is one response too.
 */
function hiddenInputs({ texts }: Post, page: string): [string, string][] {
  const kept = ["guichet_started", "guichet_answer"].flatMap((name): [string, string][] => {
    const value = texts.get(name)
    return value ? [[name, value]] : []
  })
  return [["page", page], ["guichet_key", texts.get("guichet_key") || randomUUID()], ...kept]
}

/** Relative, so that it works behind any path and host name of a proxy. */
function thanksPath(request: Request): string {
  const { pathname } = new URL(request.url)
  return pathname.endsWith("/") ? "thanks" : `${pathname.split("/").at(-1)}/thanks`
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { ...noStore, location } })
}
