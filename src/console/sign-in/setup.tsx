/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { addFirstOperator } from "../../accounts/operator.ts"
import { openSession } from "../../accounts/session.ts"
import { requireSetupLink } from "../../accounts/setup-link.ts"
import type { Refusal } from "../../base/errors.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Problem } from "../kit/forms/fields.tsx"
import { readForm, refused, type SubmittedForm, untouched } from "../kit/forms/submitted-form.ts"
import { refusedPage } from "../kit/refused-page.tsx"
import { seeOther } from "../kit/reply.ts"
import { sessionCookie } from "../kit/session/cookie.ts"
import { requireOwnOrigin } from "../kit/session/csrf.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import { plainPage } from "../kit/shell.tsx"

/** The page of the setup link, where the first operator creates an account and is signed in. */
export function setupRoutes({ access, db, clock, log, config }: ConsoleDeps) {
  async function createFirstOperator(request: Request, link: string): Promise<Response> {
    let values = new URLSearchParams()
    try {
      const origin = requireOwnOrigin(request, config.publicUrl)
      await requireSetupLink(db, link, clock.now())
      values = await readForm(request)
      const account = {
        email: values.get("email") ?? "",
        password: values.get("password") ?? "",
      }
      const operator = await addFirstOperator(db, account, clock.now())
      const session = await openSession(db, operator, clock.now())
      return seeOther("/console", session && [["set-cookie", sessionCookie(session.text, origin)]])
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      if (refusal.code === "not_found") return refusedLink(request, refusal)
      return setupPage(link, refused(values, refusal))
    }
  }

  function refusedLink(request: Request, refusal: Refusal): Response {
    if (refusal.code === "not_found") access.refused(request, "link refused", refusal.code)
    return refusedPage(refusal, undefined)
  }

  return new Elysia({ name: "console-setup" })
    .get("/console/setup/:link", async ({ request, params }) => {
      try {
        await requireSetupLink(db, params.link, clock.now())
        return setupPage(params.link, untouched)
      } catch (error) {
        return refusedLink(request, toRefusal(error, request, log))
      }
    })
    .post("/console/setup/:link", ({ request, params }) => createFirstOperator(request, params.link), {
      parse: "none",
    })
}

function setupPage(link: string, submitted: SubmittedForm): Response {
  return plainPage(
    { title: words.setupTitle, submitted },
    <>
      <p>{words.setup}</p>
      <form method="post" action={`/console/setup/${encodeURIComponent(link)}`} novalidate>
        <Problem />
        <Field name="email" type="email" label={words.email} autocomplete="username" />
        <Field
          name="password"
          type="password"
          label={words.password}
          hint={words.passwordHint}
          autocomplete="new-password"
        />
        <button type="submit">{words.create}</button>
      </form>
    </>,
  )
}
