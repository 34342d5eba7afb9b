import { insertProject } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { openApp } from "../../src/app.ts"
import { startServer } from "../../src/server.ts"
import { apiOf } from "../support/api.ts"
import { answerable, demo, indexFolder, origin } from "../support/ask.ts"
import { manyPosts } from "../support/many-posts.ts"
import { type Served, startServe } from "../support/serve.ts"
import { configOf } from "../support/service.ts"

/**
 * `guichet serve` as a process, with an indexed project and a form; with an endpoint where the settings lead
 * to one.
 */
export interface ServedSite extends AsyncDisposable {
  service: Served
  /** The status, and how long it took. A connection that was cut is status 0. */
  ask(headers?: Record<string, string>): Promise<Reply>
  /** From one address and of 500 characters, unless told otherwise. */
  post(wanted?: { text?: string; from?: string }): Promise<Reply>
  get(path: string): Promise<Reply>
}

export interface Reply {
  status: number
  ms: number
}

const plenty = "1000000000"
export const unlimited = {
  GUICHET_LOG_LEVEL: "info",
  GUICHET_EMBEDDING: "none",
  GUICHET_ASK_PER_MINUTE: plenty,
  GUICHET_ASK_PER_VISITOR_DAY: plenty,
  GUICHET_ASK_PER_PROJECT_DAY: plenty,
  GUICHET_ASK_PER_ORGANISATION_MONTH: plenty,
  ...manyPosts,
}

export async function startServedSite(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ServedSite> {
  const settings = { ...unlimited, GUICHET_DATA_DIR: dataDir, ...environment }
  const { projectId, formId } = await prepare({ ...settings, GUICHET_LOG_LEVEL: "error", GUICHET_PORT: "0" })
  const service = await startServe(settings)
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    timed(service.url + path, {
      method: "POST",
      headers: { origin, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
  return {
    service,
    ask: (headers) => send("/api/v1/ask", { project: projectId, question: answerable }, headers),
    post: ({ text = "x".repeat(500), from = "203.0.113.1" } = {}) =>
      send(`/f/${formId}`, { texte: text }, { "x-forwarded-for": from }),
    get: (path) => timed(service.url + path),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

async function prepare(environment: Record<string, string>) {
  await using app = await openApp(await configOf(environment))
  const workspaceId = await defaultWorkspaceId(app.db)
  const project = await insertProject(app.db, workspaceId, { name: "Guide", site: origin }, app.clock.now())
  await indexFolder(app, project, demo)
  await using server = startServer(app)
  const api = await apiOf({ app, url: server.url } as never)
  const fields = [{ name: "texte", label: "Texte", type: "text" }]
  const form = await api.post("/api/v1/forms", { project: project.id, name: "Contact", fields })
  if (environment["GUICHET_WEBHOOK_RESOLVE"])
    await api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/hook" })
  return { projectId: project.id, formId: form.body.public_id as string }
}

/** A fresh connection each time: one that the service has let go is not taken up again. */
export async function timed(url: string, init: RequestInit = {}): Promise<Reply> {
  const startedAt = performance.now()
  const status = await fetch(url, { ...init, keepalive: false, signal: AbortSignal.timeout(30_000) })
    .then(async (reply) => {
      await reply.arrayBuffer()
      return reply.status
    })
    .catch(() => 0)
  return { status, ms: performance.now() - startedAt }
}

export function p95(replies: readonly Reply[]): number {
  const sorted = replies.map(({ ms }) => ms).sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0
}

/**
 * Asks again until the status is as wanted; resolves to how long that took, to infinity when it never comes.
 */
export async function until(request: () => Promise<Reply>, wanted: number): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < neverMs) {
    if ((await request()).status === wanted) return performance.now() - startedAt
    await Bun.sleep(100)
  }
  return Number.POSITIVE_INFINITY
}

/** What has not come by then does not come, on the slowest machine. */
export const neverMs = 90_000
