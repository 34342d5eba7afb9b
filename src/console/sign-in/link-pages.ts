import type { RequestContext } from "../../http/routes.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { readForm, refused, type SubmittedForm, untouched } from "../kit/forms/submitted-form.ts"
import { refusedPage } from "../kit/refused-page.tsx"
import { requireOwnOrigin } from "../kit/session/csrf.ts"

interface LinkPage {
  /** Throws Refusal `not_found` for a link that is not valid. */
  show(link: string, submitted: SubmittedForm, request: Request): Response | Promise<Response>
  /** `origin`: our page that sent the form. Throws Refusal; the page shows it again, except `not_found`. */
  send(link: string, values: URLSearchParams, origin: URL, request: Request): Promise<Response>
}

/** The page of a secret link, with its form, for visitors who need not be signed in. */
export function linkPage({ access, log, config }: ConsoleDeps, { show, send }: LinkPage) {
  async function submit(request: Request, link: string): Promise<Response> {
    const origin = requireOwnOrigin(request, config.publicUrl)
    let values = new URLSearchParams()
    try {
      values = await readForm(request)
      return await send(link, values, origin, request)
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      if (refusal.code === "not_found") throw refusal
      return await show(link, refused(values, refusal), request)
    }
  }

  async function orRefused(request: Request, act: () => Response | Promise<Response>): Promise<Response> {
    try {
      return await act()
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      if (refusal.code === "not_found") access.refused(request, "link refused", refusal.code)
      return refusedPage(refusal, undefined)
    }
  }

  return {
    show: ({ request, params }: RequestContext<"link">) =>
      orRefused(request, () => show(params.link, untouched, request)),
    send: ({ request, params }: RequestContext<"link">) =>
      orRefused(request, () => submit(request, params.link)),
  }
}
