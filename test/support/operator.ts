import {
  type Account,
  addMember,
  findAccount,
  findOperator,
  insertOperator,
  type Role,
} from "../../src/accounts/operator.ts"
import { openSession } from "../../src/accounts/session.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { newId } from "../../src/base/ids.ts"
import { sessionCookie } from "../../src/console/kit/session/cookie.ts"
import { csrfField } from "../../src/console/kit/session/csrf.ts"
import type { Service } from "./service.ts"

export const password = "un mot de passe bien long"

/**
 * A browser without a screen, signed in to the console: keeps its cookies, fills in the token of the last
 * page.
 */
export interface ConsoleClient {
  get(path: string, headers?: Record<string, string>): Promise<ConsoleReply>
  /** Posts a form as a page of the console does; `token: null` leaves its token out. */
  post(
    path: string,
    values?: Record<string, string | File>,
    options?: { headers?: Record<string, string>; token?: string | null },
  ): Promise<ConsoleReply>
  /** Of its session. */
  cookie: string
  /** By which it is recognised when nobody is signed in. */
  browserCookie: string
  /** Names the project that it was shown last. */
  projectCookie: string
}

export interface ConsoleReply {
  status: number
  headers: Headers
  location: string | null
  text: string
}

export function consoleClient(service: Service): ConsoleClient {
  let token = ""
  const client: ConsoleClient = {
    cookie: "",
    browserCookie: "",
    projectCookie: "",
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, values = {}, { headers = {}, token: given } = {}) =>
      send(path, {
        method: "POST",
        headers: { origin: service.url, ...headers },
        body: formOf({ ...values, ...(given !== null && { [csrfField]: given ?? token }) }),
      }),
  }

  async function send(path: string, init: RequestInit): Promise<ConsoleReply> {
    const response = await fetch(`${service.url}${path}`, {
      redirect: "manual",
      ...init,
      headers: {
        cookie: `${client.cookie}; ${client.browserCookie}; ${client.projectCookie}`,
        ...(init.headers as Record<string, string>),
      },
    })
    for (const set of response.headers.getSetCookie().reverse()) {
      const [held = ""] = set.split(";")
      if (held.includes("guichet-browser=")) client.browserCookie = held
      else if (held.includes("guichet-project=")) client.projectCookie = held
      else client.cookie = held
    }
    const text = await response.text()
    token = new RegExp(`name="${csrfField}" value="([^"]+)"`).exec(text)?.[1] ?? token
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location"),
      text,
    }
  }

  return client
}

/** As a browser sends them: with a file among them, as a form that sends files. */
function formOf(values: Record<string, string | File>): URLSearchParams | FormData {
  const entries = Object.entries(values)
  const form = entries.some(([, value]) => value instanceof File) ? new FormData() : new URLSearchParams()
  for (const [name, value] of entries) (form as FormData).append(name, value as string)
  return form
}

/** Of `password`: argon2 takes a tenth of a second each time. */
const passwordHash =
  "$argon2id$v=19$m=19456,t=2,p=1$aBkuAp2cbZ3JdWtt4K+3ezj8FEXr2lLKQ+0MIpWnPts$Y0XUqTeWELj50Juhe4LiUl1gIakAlBi26FDuW7R+2+w"

export async function insertMember(
  { db, clock }: Service["app"],
  { email, role, workspaceId }: { email: string; role: Role; workspaceId: string },
): Promise<string> {
  const now = clock.now()
  const id = newId("opr", now)
  await db.transaction().execute(async (transaction) => {
    await insertOperator(transaction, {
      id,
      email,
      password_hash: passwordHash,
      created_at: now,
      proven_at: now,
    })
    await addMember(transaction, { workspaceId, operatorId: id, role }, now)
  })
  return id
}

/**
 * An operator of the default workspace, or of another one, in a browser of their own. The session is opened without the
 * sign-in page, which costs a password's hash and has its own tests.
 */
export async function signedIn(
  service: Service,
  role: Role = "owner",
  workspaceId?: string,
): Promise<ConsoleClient & { email: string; operatorId: string }> {
  const { app } = service
  const email = `${role}-${crypto.randomUUID().slice(0, 8)}@exemple.fr`
  const workspace = workspaceId ?? (await defaultWorkspaceId(app.db))
  const id = await insertMember(app, { email, role, workspaceId: workspace })
  const client = consoleClient(service)
  const session = await openSession(app.db, (await findAccount(app.db, id)) as Account, app.clock.now(), {
    workspaceId: workspace,
  })
  if (!session) throw new Error(`cannot sign in: ${email} is a member of no workspace`)
  client.cookie = sessionCookie(session.text, new URL(service.url)).split(";")[0] as string
  await client.get("/console/projects")
  return Object.assign(client, { email, operatorId: id })
}

/** Makes an operator a member of one more workspace. */
export async function joinWorkspace(
  service: Service,
  email: string,
  workspaceId: string,
  role: Role,
): Promise<void> {
  const { app } = service
  const operator = await findOperator(app.db, email)
  if (!operator) throw new Error(`nobody has the address ${email}`)
  await addMember(app.db, { workspaceId, operatorId: operator.id, role }, app.clock.now())
}
