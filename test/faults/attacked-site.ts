import { addFirstOperator } from "../../src/accounts/operator.ts"
import { insertProject, type Project } from "../../src/accounts/project.ts"
import { createToken } from "../../src/accounts/token.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { type App, openApp } from "../../src/app.ts"
import { csrfField } from "../../src/console/kit/session/csrf.ts"
import { fieldTypes } from "../../src/forms/definition/field-types.ts"
import { type RunningServer, startServer } from "../../src/server.ts"
import { type Api, apiOf } from "../support/api.ts"
import { answerable, demo, indexFolder, origin } from "../support/ask.ts"
import { password } from "../support/operator.ts"
import { type Served, startServe } from "../support/serve.ts"
import { configOf } from "../support/service.ts"
import { unlimited } from "./served-site.ts"

/**
 * `guichet serve` as a process, with all that a visitor, an operator and a program can send text to, and no
 * limit on how often.
 */
export interface AttackedSite extends AsyncDisposable {
  service: Served
  url: string
  origin: string
  projectId: string
  /** One that its documentation answers. */
  question: string
  /** Public identifier of a form with a field of each type, named after it, and a consent. */
  formId: string
  /** Public identifiers of forms with a hundred fields of one type, `a0` to `a99`. */
  wideFormIds: { url: string; email: string }
  /** Of a form with one text, whose responses are to be searched. */
  storedFormId: string
  storedFormPublicId: string
  token: string
  /** What is typed to sign in, urlencoded. */
  credentials: string
  /** Of a browser that is signed in, with the token of its pages. */
  cookie: string
  csrfToken: string
}

const email = "marie@exemple.fr"
/** Where nothing listens: mails wait, and their addresses are looked at. */
const mail = { GUICHET_SMTP_URL: "smtp://127.0.0.1:9", GUICHET_MAIL_FROM: "guichet@exemple.fr" }

/** The same service while it is furnished, in this process. */
export interface Furnished {
  app: App
  api: Api
  project: Project
  server: RunningServer
  formOf(name: string, fields: object[], more?: object): Promise<{ id: string; public_id: string }>
}

/** `furnish` adds what else is to be attacked, and tells its identifiers. */
export async function startAttackedSite<More extends object = object>(
  dataDir: string,
  environment: Record<string, string> = {},
  furnish: (service: Furnished) => Promise<More> = async () => ({}) as More,
): Promise<AttackedSite & More> {
  const settings = {
    ...unlimited,
    ...mail,
    GUICHET_DATA_DIR: dataDir,
    GUICHET_LOG_LEVEL: "info",
    ...environment,
  }
  const prepared = await prepare({ ...settings, GUICHET_LOG_LEVEL: "error", GUICHET_PORT: "0" }, furnish)
  const service = await startServe(settings)
  return {
    service,
    url: service.url,
    origin,
    question: answerable,
    credentials: new URLSearchParams({ email, password }).toString(),
    ...prepared,
    ...(await signIn(service.url)),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

async function prepare<More extends object>(
  environment: Record<string, string>,
  furnish: (service: Furnished) => Promise<More>,
) {
  await using app = await openApp(await configOf(environment))
  const workspaceId = await defaultWorkspaceId(app.db)
  const project = await insertProject(app.db, workspaceId, { name: "Guide", site: origin }, app.clock.now())
  await indexFolder(app, project, demo)
  await addFirstOperator(app.db, { email, password }, app.clock.now())
  const { text: token } = await createToken(app.db, workspaceId, "faults", app.clock.now())
  await using server = startServer(app)
  const api = await apiOf({ app, url: server.url } as never)

  const formOf: Furnished["formOf"] = async (name, fields, more = {}) => {
    const made = await api.post("/api/v1/forms", { project: project.id, name, fields, ...more })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    return made.body
  }

  const options = [{ value: "a", label: "A" }]
  // Files stand on the last page.
  const everyType = fieldTypes
    .toSorted((one) => (one === "page" ? -1 : 0))
    .map((type) => ({
      name: `a_${type}`,
      label: type,
      type,
      ...(["select", "radio", "checkboxes"].includes(type) && { options }),
    }))
  const hundred = (type: string) =>
    Array.from({ length: 100 }, (_, number) => ({ name: `a${number}`, label: "A", type }))
  const stored = await formOf("Kept", [{ name: "texte", label: "Texte", type: "text" }])
  return {
    projectId: project.id,
    token,
    formId: (await formOf("Every type", everyType, { consent: { text: "J’accepte." } })).public_id,
    wideFormIds: {
      url: (await formOf("Wide", hundred("url"))).public_id,
      email: (await formOf("Wide", hundred("email"))).public_id,
    },
    storedFormId: stored.id,
    storedFormPublicId: stored.public_id,
    ...(await furnish({ app, api, project, server, formOf })),
  }
}

async function signIn(url: string): Promise<{ cookie: string; csrfToken: string }> {
  const reply = await fetch(`${url}/console/sign-in`, {
    method: "POST",
    headers: { origin: url },
    body: new URLSearchParams({ email, password }),
    redirect: "manual",
  })
  const cookie = reply.headers.getSetCookie()[0]?.split(";")[0]
  if (!cookie) throw new Error(`cannot sign in: ${reply.status}`)
  const page = await (await fetch(`${url}/console/projects`, { headers: { cookie } })).text()
  const csrfToken = new RegExp(`name="${csrfField}" value="([^"]+)"`).exec(page)?.[1]
  if (!csrfToken) throw new Error("the console shows no form")
  return { cookie, csrfToken }
}
