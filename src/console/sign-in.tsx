/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { type Refusal, statusOfCode } from "../errors.ts"
import { clientReader } from "../http/client.ts"
import { refusalOf } from "../http/errors.ts"
import { hasOperator } from "../workspaces/operator.ts"
import { closeEverySession, closeSession, openSession } from "../workspaces/session.ts"
import { signIn } from "../workspaces/sign-in.ts"
import { clearedCookies, sessionCookie } from "./cookie.ts"
import type { ConsoleParts, Door } from "./door.ts"
import { Field, Problem } from "./fields.tsx"
import { requireOwnOrigin } from "./forgery.ts"
import { type Filled, readForm, refused, untouched } from "./form.ts"
import { seeOther } from "./reply.ts"
import { sentences } from "./sentences/sign-in.ts"
import { plainPage } from "./shell.tsx"

/** Signing in and out. */
export function signInRoutes(door: Door, { db, clock, vault, log, config }: ConsoleParts) {
  const clientOf = clientReader(config.trustedProxies)

  async function signedIn(request: Request): Promise<Response> {
    let filled = untouched
    try {
      const origin = requireOwnOrigin(request, config.publicUrl)
      const values = await readForm(request)
      filled = { ...untouched, values }
      const credentials = {
        email: values.get("email") ?? "",
        password: values.get("password") ?? "",
        address: clientOf(request),
      }
      const operator = await signIn({ db, vault }, credentials, clock.now())
      const session = await openSession(db, operator.id, clock.now())
      if (!session) return signInPage({ ...filled, problem: sentences.nowhere }, 403)
      return seeOther(nextOf(values.get("next")), [["set-cookie", sessionCookie(session.text, origin)]])
    } catch (error) {
      const refusal = refusalOf(error, request, log)
      return signInPage(refused(filled.values, refusal), statusOfCode[refusal.code], waitHeaders(refusal))
    }
  }

  return new Elysia({ name: "console-sign-in" })
    .get("/console/sign-in", async ({ query }) => {
      if (!(await hasOperator(db))) return firstStartPage()
      const done = { out: sentences.signedOut, everywhere: sentences.signedOutEverywhere }[
        query["done"] ?? ""
      ]
      return signInPage(
        { ...untouched, values: new URLSearchParams({ next: query["next"] ?? "" }) },
        200,
        [],
        done,
      )
    })
    .post("/console/sign-in", ({ request }) => signedIn(request), { parse: "none" })
    .post(
      "/console/sign-out",
      door.action("viewer", async ({ session }) => {
        await closeSession(db, session)
        return seeOther("/console/sign-in?done=out", clearedCookies())
      }),
      { parse: "none" },
    )
    .post(
      "/console/sign-out-everywhere",
      door.action("viewer", async ({ session }) => {
        await closeEverySession(db, session.operator.id)
        return seeOther("/console/sign-in?done=everywhere", clearedCookies())
      }),
      { parse: "none" },
    )
}

function signInPage(
  filled: Filled,
  status: number,
  headers: [string, string][] = [],
  done?: string,
): Response {
  return plainPage(
    { title: sentences.title, status, headers },
    <>
      {done && (
        <p class="done" role="status">
          {done}
        </p>
      )}
      <form method="post" action="/console/sign-in" novalidate>
        <Problem filled={filled} />
        <input type="hidden" name="next" value={filled.values.get("next") ?? ""} />
        <Field filled={filled} name="email" type="email" label={sentences.email} autocomplete="username" />
        <Field
          filled={filled}
          name="password"
          type="password"
          label={sentences.password}
          autocomplete="current-password"
        />
        <button type="submit">{sentences.signIn}</button>
      </form>
      <p class="hint">
        {sentences.forgotten} <code>{sentences.forgottenCommand}</code>
      </p>
    </>,
  )
}

/** The page of a service that nobody can sign in to says so, and how to change that. */
function firstStartPage(): Response {
  return plainPage(
    { title: sentences.firstTitle },
    <>
      <p>{sentences.first}</p>
      <p>{sentences.firstLink}</p>
      <p>{sentences.firstCommand}</p>
      <pre>
        <code>{sentences.setupLinkCommand}</code>
      </pre>
      <p>{sentences.firstShell}</p>
      <pre>
        <code>{sentences.operatorCommand}</code>
      </pre>
    </>,
  )
}

/** A page of the console alone: a link must not lead elsewhere by way of signing in. */
function nextOf(wanted: string | null): string {
  return wanted !== null && /^\/console\/[\w/?=&%.-]*$/.test(wanted) ? wanted : "/console"
}

function waitHeaders({ retryAfterSeconds }: Refusal): [string, string][] {
  return retryAfterSeconds === undefined ? [] : [["retry-after", String(retryAfterSeconds)]]
}
