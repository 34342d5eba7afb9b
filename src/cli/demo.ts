import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { addFirstOperator, type Operator } from "../accounts/operator.ts"
import { findProject, type Project } from "../accounts/project.ts"
import { addProject } from "../accounts/projects/operations.ts"
import { openSession } from "../accounts/session.ts"
import { createToken } from "../accounts/token.ts"
import { changeWidgetSettings } from "../accounts/widget/settings.ts"
import { defaultWorkspaceId } from "../accounts/workspace.ts"
import { type App, openApp } from "../app.ts"
import { isSameSecret, newSecretText } from "../base/hash.ts"
import { firstIdAt } from "../base/ids.ts"
import { startLog } from "../base/log.ts"
import { readConfig } from "../config/config.ts"
import type { Environment } from "../config/parse.ts"
import { seeOther } from "../console/kit/reply.ts"
import { sessionCookie, signInBrowser } from "../console/kit/session/cookie.ts"
import type { Db } from "../db/connection.ts"
import { demoDocuments } from "../demo/documents.ts"
import { demoForm } from "../demo/form.ts"
import type { DemoSteps } from "../demo/page.tsx"
import { demoRoutes, documentationPath } from "../demo/routes.ts"
import { demoClock, fillWeek } from "../demo/week.ts"
import { words } from "../demo/words.fr.ts"
import type { Form } from "../forms/definition/form.ts"
import { addForm } from "../forms/operations/forms.ts"
import { typedProgram } from "../host/child-process.ts"
import { everySecond } from "../jobs/schedule.ts"
import type { OutgoingMail } from "../mail/outbox.ts"
import { perform } from "../operations/perform.ts"
import { isLocalUrl } from "../outbound/public-address.ts"
import { saveFeed } from "../reading/feed.ts"
import { startJobs } from "../scheduled-jobs.ts"
import { notYet, openListener, startServer } from "../server.ts"
import { addEndpoint } from "../webhooks/endpoints/operations.ts"
import { inTurn, runIndexing } from "./index.ts"
import { defineCommand, print } from "./kit/command.ts"
import { commandCaller } from "./kit/open.ts"
import { stopSignal } from "./kit/stop.ts"

export const demo = defineCommand({
  about: "runs the service on a throw-away folder, with a site and a form to try",
  async run({ environment }) {
    const stopped = stopSignal()
    const folder = mkdtempSync(join(tmpdir(), "guichet-demo-"))
    // Removes the folder however the process ends: a second signal and a closed stdout end it at once.
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
    await runDemo(environment, folder, stopped)
    return undefined
  },
})

async function runDemo(environment: Environment, folder: string, stopped: Promise<unknown>): Promise<void> {
  const config = readConfig({
    ...environment,
    GUICHET_DATA_DIR: join(folder, "data"),
    GUICHET_LOG_LEVEL: "error",
    GUICHET_BACKUP_DIR: "",
    // An application that is down: nothing listens there.
    GUICHET_WEBHOOK_RESOLVE: `${failingHost}=127.0.0.1:9`,
  })
  // Comes first: the demo's pages name their own port.
  await using listener = openListener(config, startLog(config.logLevel), notYet())
  const { port } = listener
  const site = `http://localhost:${port}`
  const clock = demoClock()
  await using app = await openApp({ ...config, port, publicUrl: site }, { sendMail: printMail, clock })
  const workspaceId = await defaultWorkspaceId(app.db)
  const caller = commandCaller("demo", workspaceId)
  const described = { name: "Guichet", site, origins: [`http://127.0.0.1:${port}`] }
  const project = await perform(addProject, app, caller, {}, described)
  await indexDocumentation(app, project, join(folder, "docs"))
  const form = await perform(addForm, app, caller, {}, { ...demoForm, project: project.id })
  await changeWidgetSettings(app.db, project.id, {
    color: demoColor,
    suggestions: words.suggestions,
    contact: { formId: form.id, field: null },
  })
  await perform(addEndpoint, app, caller, {}, { kind: "test" })
  await perform(addEndpoint, app, caller, {}, failingEndpoint(form))
  const operator = await addFirstOperator(
    app.db,
    { email: words.operator, password: newSecretText() },
    clock.now(),
  )
  await using _work = app.work()
  await fillWeek({ app, clock, project: (await findProject(app.db, project.id)) ?? project, form })
  const token = await createToken(app.db, workspaceId, "demo", clock.now())
  const door = openDoor(app, operator, site, project)
  await using _server = startServer(
    app,
    demoRoutes({
      siteUrl: site,
      project: project.id,
      formHtml: app.formHtml(form, `${site}/`),
      steps: stepsSince(app, { project, form, startedMs: clock.now(), door }),
      // Others may ask for it through a tunnel, or by a name of theirs that leads here.
      consoleFor: ({ url }) => (isLoopback(config.host) && isLocalUrl(url) ? door.path : null),
      enter: door.enter,
    }),
    listener,
  )
  await using _jobs = await startJobs(app)
  using _watch = everySecond(tellHeld(app, form, `${site}/console/projects/${project.id}/messages`))
  print(instructions(site, project, form, token.text, `${site}${door.path}`))
  await stopped
}

const failingHost = "accueil.exemple.fr"

/** Gets what is about something else alone, so that the message that somebody sends arrives. */
function failingEndpoint({ id }: Form) {
  return {
    url: `https://${failingHost}/guichet`,
    description: words.failing,
    forms: [id],
    conditions: [{ form: id, field: "sujet", values: ["autre"] }],
  }
}

interface Door {
  path: string
  isOpened(): boolean
  enter(request: Request, secret: string): Promise<Response>
}

/** Signs whoever has the link in to the console, as long as the demo runs. */
function openDoor({ db, clock }: App, operator: Operator, site: string, { id }: Project): Door {
  const own = newSecretText()
  let isOpened = false
  return {
    path: `${documentationPath}/console/${own}`,
    isOpened: () => isOpened,
    async enter(request, secret) {
      const session = isSameSecret(secret, own)
        ? await openSession(db, operator, clock.now(), signInBrowser(request))
        : undefined
      if (!session) return seeOther("/console")
      isOpened = true
      return seeOther(`/console/projects/${id}`, [["set-cookie", sessionCookie(session.text, new URL(site))]])
    },
  }
}

interface Beginning {
  project: Project
  form: Form
  startedMs: number
  door: Door
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\..*|::1)$/.test(host)
}

function stepsSince({ db }: App, { project, form, startedMs, door }: Beginning) {
  return async (): Promise<DemoSteps> => {
    const asked = await db
      .selectFrom("answer")
      .select("id")
      .where("project_id", "=", project.id)
      .where("id", ">=", firstIdAt("ans", startedMs))
      .limit(1)
      .executeTakeFirst()
    const [newest] = await newestResponses(db, form, firstIdAt("resp", startedMs))
    const isSent = newest !== undefined
    return { asked: asked !== undefined, sent: isSent, opened: door.isOpened() }
  }
}

/** Says once of each message that was held why nobody was told of it. */
function tellHeld({ db, clock, log }: App, form: Form, address: string) {
  let after = firstIdAt("resp", clock.now())
  return async () => {
    try {
      for (const { id, stopped_by } of await newestResponses(db, form, after)) {
        after = `${id}~`
        if (stopped_by === "speed") print(heldMessage(address))
      }
    } catch (error) {
      log.error("messages that are held cannot be told", { error })
    }
  }
}

function newestResponses(db: Db, { id }: Form, from: string) {
  return db
    .selectFrom("form_response")
    .select(["id", "stopped_by"])
    .where("form_id", "=", id)
    .where("id", ">=", from)
    .orderBy("id")
    .limit(100)
    .execute()
}

async function indexDocumentation(app: App, project: Project, folder: string): Promise<void> {
  mkdirSync(folder)
  for (const [path, markdown] of Object.entries(demoDocuments))
    writeFileSync(join(folder, `${path}.md`), markdown)
  const source = {
    kind: "dir",
    address: folder,
    baseUrl: `${project.site}${documentationPath}`,
    urlStyle: "clean",
  } as const
  const { feed } = await saveFeed(app.db, project.id, source, app.clock.now())
  await inTurn(false, (ends) =>
    runIndexing(app, project, { feeds: [feed], force: false, ...ends, wordsOnly: true }),
  )
}

/** Also in `demo/page.css`. */
const demoColor = "#00695c"

function heldMessage(address: string): string {
  return `\n— a message was held: it was sent faster than a person fills in a form. Its sender was thanked, and
  nothing was delivered. It waits in the console, where it can be accepted:
  ${address}?state=held\n—`
}

/** Prints a mail instead of sending it: the demo has no mail server, and its form has a confirmation link. */
async function printMail({ to, subject, text }: OutgoingMail): Promise<void> {
  print(`\n— mail to ${to}: ${subject}\n${text}\n—`)
}

function instructions(
  site: string,
  project: Project,
  form: Form,
  token: string,
  consoleLink: string,
): string {
  return `Guichet is running with its own French documentation and an invented week of questions and messages.
Everything it stores goes away with it.

  1, 2  ${site}/
        the documentation: ask a question, send the form
  3     ${consoleLink}
        the console, signed in by this link as long as the demo runs

Ask from another shell:
  curl ${site}/api/v1/ask -H 'origin: ${site}' -H 'content-type: application/json' \\
    -d '{"project":"${project.id}","question":"Comment renvoyer un webhook ?"}'

Read the responses to the form; the test receiver of the console, page Webhooks, gets each one, signed:
  curl ${site}/api/v1/forms/${form.id}/responses -H 'authorization: Bearer ${token}'

Have them forwarded to a program of yours:
  GUICHET_TOKEN=${token} ${typedProgram()} listen --url ${site} --to http://localhost:4000

Ctrl-C stops it.`
}
