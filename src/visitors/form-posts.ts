import { randomUUID } from "node:crypto"
import { Elysia } from "elysia"
import { isDeclared, originOf } from "../accounts/origin.ts"
import { findProject, type Project } from "../accounts/project.ts"
import { detail, Refusal } from "../base/errors.ts"
import { type Form, findPublicForm } from "../forms/definition/form.ts"
import type { FormParts } from "../forms/parts.ts"
import { pageOf } from "../forms/submission/page.ts"
import { type Post, readPost } from "../forms/submission/post.ts"
import { type FormReading, readForm } from "../forms/submission/reading.ts"
import { signedStart } from "../forms/submission/start.ts"
import { submit } from "../forms/submission/submit.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import { errorReply, refusalOf } from "../wording/error-replies.ts"
import { fieldMessages } from "../wording/user-message.ts"
import { asPage, isBrowser } from "./form-pages/as-page.ts"
import { elsewherePage, formAgainPage, thanksPage } from "./form-pages/pages.tsx"
import { messages } from "./messages.fr.ts"

/** `/f/…`: what pages post to, without JavaScript or with it. */
export function publicFormRoutes(parts: FormParts) {
  const { db, clock, vault, config, log } = parts
  const clientOf = clientReader(config.trustedProxies)
  const ownOrigin = originOf(config.publicUrl)

  async function found(publicId: string): Promise<{ form: Form; project: Project }> {
    const form = await findPublicForm(db, publicId)
    const project = form && (await findProject(db, form.projectId))
    if (!form || !project) throw new Refusal("not_found", detail("forms.unknownForm"))
    return { form, project }
  }

  async function post(request: Request, publicId: string): Promise<Response> {
    const { form, project } = await found(publicId)
    const origin = request.headers.get("origin")
    // Our own page, which shows a form again, posts from our own origin.
    if (origin === null || !(isDeclared(origin, project.origins) || origin === ownOrigin))
      throw new Refusal("origin_not_allowed", detail("forms.originNotAllowed"))
    const posted = await readPost(request)
    const reading = readForm(form, posted)
    const page = pageOf([posted.texts.get("page"), request.headers.get("referer")], origin, project.origins)
    try {
      refuseWrong(posted, reading)
      const visitor = visitorAddress(clientOf(request))
      const id = await submit(parts, form, { post: posted, reading, page, visitor })
      // A script cannot follow a redirect to a page: it is told where to go instead.
      const next = form.redirectUrl === null ? {} : { redirect_url: form.redirectUrl }
      if (!isBrowser(request)) return Response.json({ id, ...next }, { status: 201, headers: noStore })
      return seeOther(form.redirectUrl ?? thanksBeside(request))
    } catch (error) {
      if (!isBrowser(request)) throw error
      // Whatever went wrong, nobody is made to type everything again.
      const refusal = refusalOf(error, request, log)
      return formAgainPage(
        form,
        project,
        { ...reading, problems: fieldMessages(reading.problems), carried: carriedBy(posted, page) },
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
        elsewherePage((await found(params.publicId)).project),
      ),
    )
    .get("/f/:publicId/thanks", ({ request, params }) =>
      asPage(request, log, messages.formTitle, async () =>
        thanksPage((await found(params.publicId)).project),
      ),
    )
    .get("/f/:publicId/start", async ({ params }) => {
      const { form } = await found(params.publicId)
      const start = { started: signedStart(vault, form.id, clock.now()), key: randomUUID() }
      return Response.json(start, { headers: { ...noStore, "access-control-allow-origin": "*" } })
    })
}

const noStore = { "cache-control": "no-store" }

function refuseWrong(post: Post, { problems }: FormReading): void {
  if (post.hasFiles) throw new Refusal("invalid_request", detail("forms.noFiles"))
  if (Object.keys(problems).length > 0)
    throw new Refusal("invalid_request", detail("forms.correct"), { fields: problems })
}

/**
 * What the page shown again must send once more; a key of its own makes a double click there one response
 * too.
 */
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
