import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Project } from "../accounts/project.ts"
import { addProject } from "../accounts/projects/operations.ts"
import { newSetupLink } from "../accounts/setup-link.ts"
import { createToken } from "../accounts/token.ts"
import { changeWidgetSettings } from "../accounts/widget/settings.ts"
import { defaultWorkspaceId } from "../accounts/workspace.ts"
import { type App, openApp } from "../app.ts"
import { startLog } from "../base/log.ts"
import { readConfig } from "../config/config.ts"
import type { Environment } from "../config/parse.ts"
import { demoDocuments } from "../demo/documents.ts"
import { demoForm } from "../demo/form.ts"
import { demoRoutes, documentationPath } from "../demo/routes.ts"
import { words } from "../demo/words.fr.ts"
import type { Form } from "../forms/definition/form.ts"
import { addForm } from "../forms/operations/forms.ts"
import { typedProgram } from "../host/child-process.ts"
import type { OutgoingMail } from "../mail/outbox.ts"
import { perform } from "../operations/perform.ts"
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
    GUICHET_LOG_LEVEL: "warning",
    GUICHET_BACKUP_DIR: "",
  })
  // Comes first: the demo's pages name their own port.
  await using listener = openListener(config, startLog(config.logLevel), notYet())
  const { port } = listener
  const site = `http://localhost:${port}`
  await using app = await openApp({ ...config, port, publicUrl: site }, { sendMail: printMail })
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
  const token = await createToken(app.db, workspaceId, "demo", app.clock.now())
  await using _work = app.work()
  await using _server = startServer(
    app,
    demoRoutes(site, project.id, app.formHtml(form, `${site}/`)),
    listener,
  )
  await using _jobs = await startJobs(app)
  const setupLink = await newSetupLink({ db: app.db, publicUrl: site }, app.clock.now(), setupLinkMinutes)
  print(instructions(site, project, form, token.text, setupLink))
  await stopped
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
/** A year: the link stays good as long as the demo runs. */
const setupLinkMinutes = 365 * 24 * 60

/** Prints a mail instead of sending it: the demo has no mail server, and its form has a confirmation link. */
async function printMail({ to, subject, text }: OutgoingMail): Promise<void> {
  print(`\n— mail to ${to}: ${subject}\n${text}\n—`)
}

function instructions(
  site: string,
  project: Project,
  form: Form,
  token: string,
  setupLink: string | undefined,
): string {
  return `Guichet is running with its own French documentation. Everything it stores goes away with it.

  ${site}/    the documentation: ask a question, send the form
  ${setupLink ?? `${site}/console`}
      the console: make an account of your own, good as long as the demo runs

Ask from another shell:
  curl ${site}/api/v1/ask -H 'origin: ${site}' -H 'content-type: application/json' \\
    -d '{"project":"${project.id}","question":"Comment renvoyer un webhook ?"}'

Read the responses to the form; the test receiver of the console, page Webhooks, gets each one, signed:
  curl ${site}/api/v1/forms/${form.id}/responses -H 'authorization: Bearer ${token}'

Have them forwarded to a program of yours:
  GUICHET_TOKEN=${token} ${typedProgram()} listen --url ${site} --to http://localhost:4000

Ctrl-C stops it.`
}
